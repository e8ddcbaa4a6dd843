package measure

import (
	"math"
	"time"
)

// Overlap is the degree to which two profiles agree: both are scaled to sum 1,
// and
//
//	O = Σ min(p_i, q_i) = 1 − ½ Σ |p_i − q_i|
//
// from 0 (nothing in common) to 1 (the same). An empty profile overlaps with
// nothing. Columns are exclusive times of methods, of edges (caller and callee)
// or of calling contexts: the finer, the lower.
//
// Source: Arnold and Ryder, "A Framework for Reducing the Cost of Instrumented
// Code" (overlap percentage); 1 − O is the total variation distance.
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

// RelativeOverlap is overlap over what an ideal random sampler with as many
// samples would be expected to get, which is below 1 too. 1 is as good as ideal;
// a systematic sampler of a regular app can be above. Where the ideal sampler gets nothing, as
// there were no samples, it is NaN.
//
// Example: overlap 0.62 where the floor is 0.658 is 0.942.
func RelativeOverlap(overlap, floor float64) float64 {
	if floor == 0 {
		return math.NaN()
	}
	return overlap / floor
}
