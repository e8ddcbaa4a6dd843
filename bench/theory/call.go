package theory

import (
	"math"
	"time"
)

// Call is one call of a method, watched by an ideal systematic sampler: samples
// every Interval exactly, the first at a phase uniform in [0, Interval).
//
// Write d for the duration, T for the interval and d = mT + r. The number N of
// samples inside the call is m or m+1, m+1 with probability r/T, and the call
// is reported to last N·T, from the first sample inside to the first after it.
//
// Source: systematic sampling of an interval; a Bernoulli variable on r/T.
//
// Example: d = 2.3 ms at T = 1 ms is always seen, lasts 2 ms (70 %) or 3 ms
// (30 %), 2.3 ms on average, with standard deviation √(0.3·0.7) = 0.458 ms.
type Call struct {
	Duration time.Duration // true duration, > 0
	Interval time.Duration // sampling interval, > 0
}

// Detected is the probability that at least one sample falls into the call:
// min(1, d/T).
func (c Call) Detected() float64 {
	return min(1, ratio(c.Duration, c.Interval))
}

// MeanReported is the expected reported duration, 0 for a call that is not
// seen: d. Time is unbiased.
func (c Call) MeanReported() time.Duration { return c.Duration }

// StdDevReported is the standard deviation of the reported duration, 0 for a
// call that is not seen: √(r(T−r)), at most T/2.
func (c Call) StdDevReported() time.Duration {
	r := float64(c.Duration % c.Interval)
	return time.Duration(math.Sqrt(r * (float64(c.Interval) - r)))
}

// MeanIfDetected is the expected reported duration of a call that is seen:
// max(d, T). No reported call is shorter than one interval.
func (c Call) MeanIfDetected() time.Duration { return max(c.Duration, c.Interval) }

// DurationRMSE is the root mean square error of a reported duration when the
// true duration is many intervals with a remainder spread evenly: T/√6.
func DurationRMSE(interval time.Duration) time.Duration {
	return time.Duration(float64(interval) / math.Sqrt(6))
}

// ratio is a/b as a number.
func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
