package theory

import (
	"math"
	"time"
)

// Seen is the probability that a method is in at least one sample:
// 1 − (1 − d/T)^n for n calls of d ≤ T, 1 for longer ones.
//
// Assumption: the calls are scattered, so that their phases are independent. n
// calls in one burst shorter than T share a phase: then it is burst/T at most.
//
// Example: 30 calls of 0.1 ms at T = 1 ms: 1 − 0.9³⁰ = 0.9576.
func (t Total) Seen() float64 {
	miss := 1 - Call{t.Duration, t.Interval}.Detected()
	return 1 - math.Pow(miss, float64(t.Calls))
}

// TimeForRecall is how much total time a method of short scattered calls needs
// to be seen with the given probability: −ln(1−p)·X. 95 % needs 3.0 intervals,
// 99 % 4.6. It depends on nothing but the total.
//
// p is in [0, 1); interval is the time the app runs between two samples.
func TimeForRecall(p float64, interval time.Duration) time.Duration {
	return time.Duration(-math.Log1p(-p) * float64(interval))
}

// IntervalForRecall is its inverse: the longest interval at which a method with
// this total time is seen with probability p in (0, 1).
func IntervalForRecall(p float64, total time.Duration) time.Duration {
	return time.Duration(float64(total) / -math.Log1p(-p))
}
