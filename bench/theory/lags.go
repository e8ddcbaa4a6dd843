package theory

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"time"
)

// lags are the intervals of a law from short to long, with a quick way to find
// the place of a duration among them.
type lags struct {
	sorted []time.Duration // with one more that nothing reaches
	place  []int           // by number of the interval: where it is in sorted
	after  [65]int         // by bits of a duration: how many lags have fewer bits
}

func newLags(intervals []time.Duration) *lags {
	l := &lags{place: make([]int, len(intervals))}
	order := make([]int, len(intervals))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(intervals[a], intervals[b]) })
	for place, i := range order {
		l.place[i] = place
		l.sorted = append(l.sorted, intervals[i])
	}
	for n := range l.after {
		l.after[n], _ = slices.BinarySearchFunc(l.sorted, n, func(t time.Duration, n int) int { return cmp.Compare(bits.Len64(uint64(t)), n) })
	}
	l.sorted = append(l.sorted, math.MaxInt64)
	return l
}

// above returns the place of the first lag above d, which is not below 0.
func (l *lags) above(d time.Duration) int {
	i := l.after[bits.Len64(uint64(d))]
	for l.sorted[i] <= d {
		i++
	}
	return i
}

// len returns how many lags there are.
func (l *lags) len() int { return len(l.place) }

// longest returns the longest lag, 0 when there is none.
func (l *lags) longest() time.Duration {
	if l.len() == 0 {
		return 0
	}
	return l.sorted[l.len()-1]
}
