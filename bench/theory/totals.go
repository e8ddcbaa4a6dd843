package theory

import (
	"math"
	"time"
)

// Total is the time of one method: n calls of the same duration at independent
// phases.
//
// Source: sum of n independent [Call]s; for the Poisson sampler the count of a
// Poisson process.
//
// Example: 100 calls of 0.5 ms at T = 1 ms have expected 50 samples; an ideal
// systematic sampler is off by √(100·0.25)/50 = 10 %, a Poisson sampler by
// √(1/50) = 14.1 %. One call of 50.37 ms is off by 0.96 % and 14.1 %.
type Total struct {
	Calls    int           // n ≥ 1
	Duration time.Duration // of each call
	Interval time.Duration
}

// Samples is K, the expected number of samples: nd/T.
func (t Total) Samples() float64 { return float64(t.Calls) * ratio(t.Duration, t.Interval) }

// SystematicError is the standard error of the reported total under systematic
// sampling as a share of the true total: √(n·r(T−r))/(nd). For calls shorter
// than T that is √((1−d/T)/K), the 1/√K law; for one long call at most 1/(2K).
func (t Total) SystematicError() float64 {
	one := float64(Call{t.Duration, t.Interval}.StdDevReported())
	return one / (math.Sqrt(float64(t.Calls)) * float64(t.Duration))
}

// PoissonError is the same under Poisson sampling: √(1/K) whatever the calls.
func (t Total) PoissonError() float64 { return math.Sqrt(1 / t.Samples()) }

// ShareError is the standard error of an estimated share p from n independent
// samples: √(p(1−p)/n).
func ShareError(p float64, n float64) float64 { return math.Sqrt(p * (1 - p) / n) }
