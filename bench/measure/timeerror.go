package measure

import (
	"math"
	"time"
)

// TimeError says how far reported times are off, each side scaled to the same
// total: truth's is the unit. Columns are exclusive or inclusive times of
// methods; inclusive time counts a recursive method's outermost activation only.
//
// Source: weighted MAPE Σ|t̂ − t| / Σt, as forecasters use it; entries weigh as
// much as their time.
//
// Example: truth 60, 30, 10 ms of a run of 100 ms, seen 50, 50, 0 of 100: absolute
// errors 10, 20, 10, WMAPE 0.4. The worst signed relative error of a method of at
// least 20 % is +20/30 = +0.667.
type TimeError struct {
	WMAPE float64 // Σ|t̂ − t| / Σt, ≥ 0
	Bias  float64 // Σ(t̂ − t) / Σt: what the entries together gain; negative when they lose
	Worst float64 // the signed relative error (t̂ − t)/t farthest from 0, of entries with at least the stated share
}

// NewTimeError compares columns. truthRun and seenRun are the running times
// that the sides are scaled by: with exclusive times the sums of all, threads'
// time without a method included. Entries below minShare of truthRun do not
// count for Worst.
func NewTimeError(truth, seen []time.Duration, truthRun, seenRun time.Duration, minShare float64) TimeError {
	var e TimeError
	var absolute, signed, total float64
	for i := range truth {
		t, s := Share(truth[i], truthRun), Share(seen[i], seenRun)
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
