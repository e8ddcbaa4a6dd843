package measure

import (
	"slices"
	"time"
)

// Hot measures how well a profile finds the hot entries (usually edges): those with at least the
// share τ of the hottest entry's weight.
//
//	coverage  = |{seen at all and truly ≥ τ·max}| / |{truly ≥ τ·max}|
//	precision = |{seen ≥ τ·max seen and truly ≥ τ·max}| / |{seen ≥ τ·max seen}|
//
// Both are from 0 to 1. Coverage is the share of the hot entries that were seen at all; precision
// is the share of the apparently hot entries that are truly hot.
//
// Source: Zhuang et al., "Accurate, Efficient, and Adaptive Calling Context Profiling"; D'Elia et
// al. on mining hot calling contexts.
//
// Example: τ = 0.1, truth 100, 50, 9, 12, seen 80, 0, 20, 4: hot are the 1st, 2nd and 4th, two of
// them were seen, coverage 2/3. Apparently hot are the 1st and the 3rd (≥ 8), one of them is:
// precision 1/2.
type Hot struct {
	Coverage  float64
	Precision float64
}

// NewHot compares columns for a share τ in (0, 1] of the largest weight.
func NewHot(truth, seen []time.Duration, tau float64) Hot {
	var hot, covered, looks, right int64
	isHot := atLeast(truth, tau)
	looksHot := atLeast(seen, tau)
	for i := range truth {
		if isHot(truth[i]) {
			hot++
			if seen[i] > 0 {
				covered++
			}
		}
		if looksHot(seen[i]) {
			looks++
			if isHot(truth[i]) {
				right++
			}
		}
	}
	return Hot{Coverage: ratio(covered, hot), Precision: ratio(right, looks)}
}

// atLeast returns whether a weight of column is hot.
func atLeast(column []time.Duration, tau float64) func(time.Duration) bool {
	if len(column) == 0 {
		return func(time.Duration) bool { return false }
	}
	limit := tau * float64(slices.Max(column))
	return func(w time.Duration) bool { return w > 0 && float64(w) >= limit }
}
