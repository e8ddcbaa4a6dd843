package estimate

import (
	"math"
	"time"
)

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// score returns the 95 % interval of a time t whose variance, in ns², was estimated
// as v. Its upper end is that of the score interval, the greatest time s with
// s − t ≤ z √(v s/t): it is right for small counts, which are skewed. Its lower end
// is the normal one, t − z √v, but never below 0. The score interval's is higher:
// too high for the small methods of a trace, of which those are looked at that
// luck gave many samples.
func score(t time.Duration, v float64) Time {
	if t <= 0 || v <= 0 {
		return exact(t)
	}
	unit := v / float64(t) // variance for each ns
	high := float64(t) + z95*z95*unit/2 + z95*math.Sqrt(v+z95*z95*unit*unit/4)
	return Time{t, toDuration(max(0, float64(t)-z95*math.Sqrt(v))), toDuration(high)}
}

// toDuration rounds, and cuts what no duration can hold.
func toDuration(ns float64) time.Duration {
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(math.Round(ns))
}

// UnseenSamples is how many periods long a method can have run of which a trace has no sample, with
// 95 %: no hit of a Poisson count with the mean 3 has a chance of e⁻³, 5 %.
const UnseenSamples = 3
