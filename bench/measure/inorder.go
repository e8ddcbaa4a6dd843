package measure

import "time"

// InOrder reports whether all of the k truly largest entries were seen (they have calls) and stand
// in the right order: where one is truly more than apart times as large as another, it is larger
// in what was seen, too. Where fewer than k entries have any true weight, k is their number; of equal
// ones the first is taken first.
//
// Source: our own definition. Who reads a list from the top needs these entries, in this order.
//
// Example: truth 100, 95, 50, 10, k = 3, apart 1.1: seen 40, 60, 30, 20 is in order, as 100 and
// 95 are too near each other to matter; seen 40, 60, 45, 20 is not, as 45 stands above 40.
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

// largestOf returns the places of the k largest entries above 0, the largest first, of equal ones the first first.
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
