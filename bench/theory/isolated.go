package theory

import (
	"math"
	"time"
)

// Isolated are calls of exponentially distributed duration with mean Mean, far
// apart compared with the interval, so that none merge. An ideal systematic
// sampler watches them.
//
// Source: [Call] averaged over the exponential distribution.
//
// Example: mean 0.3 ms at T = 1 ms: 0.3·(1 − e^{−3.33}) = 28.9 % are seen, they
// seem to last 0.3/0.289 = 1.04 ms, and the distribution of durations is off by
// KS = 1 − e^{−3.33} = 0.964.
type Isolated struct {
	Mean     time.Duration
	Interval time.Duration
}

// Recall is the share of calls that are seen: (μ/T)(1 − e^{−T/μ}).
func (i Isolated) Recall() float64 { return Universal(ratio(i.Interval, i.Mean)) }

// MeanIfDetected is the mean reported duration: μ/recall.
func (i Isolated) MeanIfDetected() time.Duration {
	return time.Duration(float64(i.Mean) / i.Recall())
}

// KS is the largest distance between the distribution functions of true and
// reported durations: 1 − e^{−T/μ}, reached just below T, since nothing shorter
// than T is reported. KS ≤ 0.1 needs T ≤ 0.105 μ.
func (i Isolated) KS() float64 { return -math.Expm1(-ratio(i.Interval, i.Mean)) }
