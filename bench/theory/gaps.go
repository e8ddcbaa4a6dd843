package theory

import (
	"math"
	"time"
)

// Gaps is the distribution of the time X between two samples of a sampler
// whose gaps are independent of each other and of the app: a loop that sleeps.
//
// A call of duration d, seen at a random time, is detected with probability
// E[min(X, d)] / E[X], and its expected reported duration is still d, since each
// sample owns the gap that follows it. A reader that multiplies the number of
// samples by the nominal interval T gets d·T/E[X] instead.
//
// Source: renewal reward theorem.
//
// Example: a sleep of 1 ms that oversleeps by 0.35 ms on average (exponential)
// detects a call of 1 ms with probability 1/1.35 = 0.741; count × nominal
// interval reports 4.2 ms as 3.11 ms.
type Gaps interface {
	Mean() time.Duration
	// MeanMin is E[min(X, d)].
	MeanMin(d time.Duration) time.Duration
}

// Detected is the probability that a call of duration d is seen by a sampler
// with these gaps.
func Detected(g Gaps, d time.Duration) float64 { return ratio(g.MeanMin(d), g.Mean()) }

// CountTimesNominal is what a reader reports for duration d that multiplies the
// number of samples by the nominal interval.
func CountTimesNominal(g Gaps, nominal, d time.Duration) time.Duration {
	return time.Duration(float64(d) * ratio(nominal, g.Mean()))
}

// Sleep is a loop that sleeps Interval and oversleeps by an exponentially
// distributed time with mean Overshoot. Interval 0 is a Poisson sampler with
// mean gap Overshoot; Overshoot 0 is an ideal systematic one.
type Sleep struct {
	Interval  time.Duration
	Overshoot time.Duration
}

// Mean implements [Gaps].
func (s Sleep) Mean() time.Duration { return s.Interval + s.Overshoot }

// MeanMin implements [Gaps]: T + o(1 − e^{−(d−T)/o}) for d > T, else d.
func (s Sleep) MeanMin(d time.Duration) time.Duration {
	if d <= s.Interval {
		return d
	}
	if s.Overshoot == 0 {
		return s.Interval
	}
	o := float64(s.Overshoot)
	return s.Interval + time.Duration(-o*math.Expm1(-float64(d-s.Interval)/o))
}

// Poisson returns the gaps of a Poisson sampler: detection 1 − e^{−d/T}.
func Poisson(interval time.Duration) Sleep { return Sleep{Overshoot: interval} }
