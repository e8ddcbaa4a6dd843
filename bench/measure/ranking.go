package measure

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// TopK is the share of the k truly largest entries that are among the k largest seen: |S_k ∩ T_k| /
// k, 0 to 1. If fewer than k entries have a true weight above 0, k is their number.
//
// Entries tied at the k-th place share the remaining places: if three equal entries compete for one
// place, each has a membership of a third, as the mean of random tie-breaking. An entry that was
// not seen takes no place.
//
// Source: set overlap of ranked lists at depth k.
//
// Example: truth 9, 5, 4, 1, seen 7, 3, 3, 3, k = 2: T = {1st, 2nd}; of S the 1st is in, the other
// three by 1/3 each: (1 + 1/3)/2 = 0.667.
func TopK(truth, seen []time.Duration, k int) float64 {
	positive := 0
	for _, t := range truth {
		if t > 0 {
			positive++
		}
	}
	k = min(k, positive)
	if k <= 0 {
		return 0
	}
	inTruth, inSeen := membership(truth, k), membership(seen, k)
	var both float64
	for i := range truth {
		both += inTruth(truth[i]) * inSeen(seen[i])
	}
	return both / float64(k)
}

// membership returns the degree to which a weight of column is among its k largest.
func membership(column []time.Duration, k int) func(time.Duration) float64 {
	border := time.Duration(0)
	if places := largestOf(column, k); len(places) == k {
		border = column[places[k-1]]
	}
	above, equal := 0, 0
	for _, w := range column {
		switch {
		case w > border:
			above++
		case w == border:
			equal++
		}
	}
	part := float64(k-above) / float64(equal)
	return func(w time.Duration) float64 {
		switch {
		case w <= 0 || w < border:
			return 0
		case w > border:
			return 1
		}
		return part
	}
}

// InOrder reports whether all of the k truly largest entries were seen (they have calls) in the
// right order: if the true weight of one is more than apart times that of another, its seen weight
// must be larger, too. If fewer than k entries have a true weight above 0, k is their number; equal
// entries keep their order.
//
// Source: our own definition. A reader of a list needs these entries, in this order.
//
// Example: truth 100, 95, 50, 10, k = 3, apart 1.1: seen 40, 60, 30, 20 is in order, as 100 and 95
// are too close to matter; seen 40, 60, 45, 20 is not, as 45 is listed above 40.
func InOrder(truth, seen []time.Duration, calls []int64, k int, apart float64) bool {
	largest := largestOf(truth, k)
	for i, a := range largest {
		if calls[a] == 0 {
			return false
		}
		for _, b := range largest[i+1:] {
			if float64(truth[a]) > apart*float64(truth[b]) && seen[a] <= seen[b] {
				return false
			}
		}
	}
	return true
}

// largestOf returns the indexes of the k largest entries above 0 in descending order; equal entries
// keep their order.
func largestOf(weights []time.Duration, k int) []int {
	places := make([]int, 0, k+1)
	for i, w := range weights {
		if w <= 0 {
			continue
		}
		places = append(places, i)
		for at := len(places) - 1; at > 0 && weights[places[at-1]] < w; at-- {
			places[at-1], places[at] = i, places[at-1]
		}
		places = places[:min(k, len(places))]
	}
	return places
}

// Kendall is Kendall's τ_b between true and seen times of the entries whose true share is at least
// minShare: −1 (reversed) to 1 (same order).
//
//	τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂))
//
// with C concordant and D discordant of n₀ pairs, n₁ pairs tied in truth and n₂ in seen. A tied
// pair is neither concordant nor discordant, and reduces the denominator. Small entries are
// excluded because the many entries without a sample would all be tied. With fewer than two entries
// τ_b is 1, because no order can be wrong. If all entries of one side are tied, it is 0.
//
// Source: Kendall 1945, the tie-corrected form; computed by Knight's method in n log n.
//
// Example: truth 4, 3, 2, 1, seen 9, 9, 2, 5: of 6 pairs 4 agree, 1 disagrees, 1 is tied: 3/√(6·5)
// = 0.548.
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
	// Discordant pairs are the swaps; all other pairs except ties are concordant.
	score := all - tiedX - tiedY + tiedBoth - 2*swaps
	return float64(score) / math.Sqrt(float64(all-tiedX)) / math.Sqrt(float64(all-tiedY))
}

type pair struct{ x, y time.Duration }

func choose2(n int) int64 { return int64(n) * int64(n-1) / 2 }

// tied returns the number of pairs of equal elements in a list in which equal elements are
// adjacent.
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

// sortByY sorts list by y with a stable merge sort, and returns the number of pairs that changed
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
