package measure

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Kendall is Kendall's τ_b between true and seen times of the entries whose
// true share is at least minShare: −1 (reversed) to 1 (same order).
//
//	τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂))
//
// with C concordant and D discordant of n₀ pairs, n₁ pairs tied in truth and n₂
// in seen. A tied pair counts for neither side and shortens the denominator:
// the many entries without a sample are ties among themselves, which is why
// small ones are left out. With fewer than two entries nothing can be ordered
// wrongly: 1. When one side is all ties nothing is ordered: 0.
//
// Source: Kendall 1945, the tie-corrected form; computed by Knight's method in
// n log n.
//
// Example: truth 4, 3, 2, 1, seen 9, 9, 2, 5: of 6 pairs 4 agree, 1 disagrees, 1
// is tied: 3/√(6·5) = 0.548.
func Kendall(truth, seen []time.Duration, minShare float64) float64 {
	total := Sum(truth)
	var pairs []pair
	for i, t := range truth {
		if t > 0 && Share(t, total) >= minShare {
			pairs = append(pairs, pair{t, seen[i]})
		}
	}
	if len(pairs) < 2 {
		return 1
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	all := choose2(len(pairs))
	tiedX := tied(pairs, func(a, b pair) bool { return a.x == b.x })
	tiedBoth := tied(pairs, func(a, b pair) bool { return a == b })
	swaps := sortByY(pairs, make([]pair, len(pairs)))
	tiedY := tied(pairs, func(a, b pair) bool { return a.y == b.y })
	if all == tiedX || all == tiedY {
		return 0
	}
	// Discordant pairs are the swaps; the rest but the ties are concordant.
	score := all - tiedX - tiedY + tiedBoth - 2*swaps
	return float64(score) / math.Sqrt(float64(all-tiedX)) / math.Sqrt(float64(all-tiedY))
}

type pair struct{ x, y time.Duration }

func choose2(n int) int64 { return int64(n) * int64(n-1) / 2 }

// tied counts the pairs that are equal, in a list where equals are neighbours.
func tied(list []pair, equal func(a, b pair) bool) int64 {
	var ties int64
	for from, i := 0, 1; i <= len(list); i++ {
		if i == len(list) || !equal(list[from], list[i]) {
			ties += choose2(i - from)
			from = i
		}
	}
	return ties
}

// sortByY merge-sorts list by y, stably, and counts how many pairs changed
// their order.
func sortByY(list, scratch []pair) int64 {
	if len(list) < 2 {
		return 0
	}
	half := len(list) / 2
	swaps := sortByY(list[:half], scratch) + sortByY(list[half:], scratch)
	left := scratch[:copy(scratch, list[:half])]
	out, i, j := 0, 0, half
	for ; i < len(left); out++ {
		if j < len(list) && list[j].y < left[i].y {
			list[out] = list[j]
			swaps += int64(len(left) - i)
			j++
			continue
		}
		list[out] = left[i]
		i++
	}
	return swaps
}
