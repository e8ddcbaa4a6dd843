// Package resample estimates how far a figure can be off by the bootstrap: it is
// computed again from many resamples of what it was computed from.
package resample

import (
	"cmp"
	"math/rand/v2"
)

// Draw calls f so many times, each time with the places of picks values drawn from
// n with replacement. The same seed and stream draw the same places, so that
// intervals of values that belong together can be taken one by one. f must not
// keep places.
func Draw(n, picks, times int, seed, stream uint64, f func(places []int)) {
	rng := rand.New(rand.NewPCG(seed, stream))
	places := make([]int, picks)
	for range times {
		for i := range places {
			places[i] = rng.IntN(n)
		}
		f(places)
	}
}

// Interval95 returns the 95 % percentile interval of a figure of all resamples: 2.5 %
// of them are outside of it at either end. It changes their order.
func Interval95[T cmp.Ordered](values []T) (low, high T) {
	below, upTo := len(values)*25/1000, len(values)*975/1000
	front(values, below+1, cmp.Less[T])
	low = values[below]
	above := len(values) - upTo
	front(values, above+1, func(a, b T) bool { return cmp.Less(b, a) })
	return low, values[above]
}

// front moves the n values that come first to the front, in their order. It is for few of many: nearly all
// others are compared once, where sorting all of them took a sixth of a short bench.
func front[T any](values []T, n int, before func(a, b T) bool) {
	for i, v := range values {
		place := i
		if i >= n {
			if !before(v, values[n-1]) {
				continue
			}
			place, values[i] = n-1, values[n-1]
		}
		for ; place > 0 && before(v, values[place-1]); place-- {
			values[place] = values[place-1]
		}
		values[place] = v
	}
}
