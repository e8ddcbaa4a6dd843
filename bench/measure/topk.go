package measure

import "time"

// TopK is the share of the k truly largest entries that are among the k
// largest seen: |S_k ∩ T_k| / k, 0 to 1. Where fewer than k entries have any
// true weight, k is their number.
//
// Ties at the k-th place share the places that are left: of three equals for
// one place each is in by a third, as under random tie-breaking. An entry that
// was not seen takes no place.
//
// Source: set overlap of ranked lists at depth k.
//
// Example: truth 9, 5, 4, 1, seen 7, 3, 3, 3, k = 2: T = {1st, 2nd}; of S the 1st is
// in, the other three by 1/3 each: (1 + 1/3)/2 = 0.667.
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

// membership returns by how much a weight of column is among its k largest.
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
