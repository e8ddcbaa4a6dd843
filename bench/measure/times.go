package measure

import (
	"math"
	"time"
)

// Sum adds up a column of times.
func Sum(column []time.Duration) time.Duration {
	var total time.Duration
	for _, t := range column {
		total += t
	}
	return total
}

// Share is part/whole; it is 0 if whole is 0.
func Share(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// ratio is a/b; it is 0 if b is 0.
func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Overlap is the degree to which two profiles agree: both are scaled to sum 1, and
//
//	O = Σ min(p_i, q_i) = 1 − ½ Σ |p_i − q_i|
//
// from 0 (nothing in common) to 1 (equal). The overlap with an empty profile is 0. Columns are
// exclusive times of methods, of edges (caller and callee) or of calling contexts; finer columns
// have a lower overlap.
//
// Source: Arnold and Ryder, "A Framework for Reducing the Cost of Instrumented Code" (overlap
// percentage); 1 − O is the total variation distance.
//
// Example: truth 60, 30, 10 ms, seen 50, 50, 0 ms: 0.5 + 0.3 + 0 = 0.8.
func Overlap(truth, seen []time.Duration) float64 {
	t, s := Sum(truth), Sum(seen)
	var o float64
	for i := range truth {
		o += min(Share(truth[i], t), Share(seen[i], s))
	}
	return o
}

// RelativeOverlap is overlap divided by the expected overlap of an ideal random sampler with the
// same number of samples, which is below 1 too. 1 is as good as ideal; a systematic sampler of a
// regular app can be above. If the expectation is 0, because there were no samples, it is NaN.
//
// Example: overlap 0.62 and floor 0.658 is 0.942.
func RelativeOverlap(overlap, floor float64) float64 {
	if floor == 0 {
		return math.NaN()
	}
	return overlap / floor
}

// TimeError is the error of reported times. Each side is scaled to the same total, the truth's.
// Columns are exclusive or inclusive times of methods; inclusive time counts a recursive method's
// outermost activation only.
//
// Source: weighted MAPE Σ|t̂ − t| / Σt, as used in forecasting; the weight of an entry is its time.
//
// Example: truth 60, 30, 10 ms of a run of 100 ms, seen 50, 50, 0 of 100: absolute errors 10, 20,
// 10, WMAPE 0.4. The worst signed relative error of a method of at least 20 % is +20/30 = +0.667.
type TimeError struct {
	WMAPE float64 // Σ|t̂ − t| / Σt, ≥ 0
	// Σ(t̂ − t) / Σt: relative sum of the signed errors; negative if times are missing
	Bias  float64
	Worst float64 // the signed relative error (t̂ − t)/t farthest from 0, of entries with at least the stated share
}

// NewTimeError compares columns. truthTotal and seenTotal are the exclusive times of all methods,
// by which the sides are scaled, so that time outside of methods, which traces do not contain, is
// not an error. Entries below minShare of truthTotal do not count for Worst.
func NewTimeError(truth, seen []time.Duration, truthTotal, seenTotal time.Duration, minShare float64) TimeError {
	var e TimeError
	var absolute, signed, total float64
	for i := range truth {
		t, s := Share(truth[i], truthTotal), Share(seen[i], seenTotal)
		absolute += math.Abs(s - t)
		signed += s - t
		total += t
		if t > 0 && t >= minShare {
			if r := (s - t) / t; math.Abs(r) > math.Abs(e.Worst) {
				e.Worst = r
			}
		}
	}
	if total > 0 {
		e.WMAPE, e.Bias = absolute/total, signed/total
	}
	return e
}
