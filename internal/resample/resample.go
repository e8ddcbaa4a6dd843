// Package resample estimates how far a figure can be off by the bootstrap: it is
// computed again from many resamples of what it was computed from.
package resample

import (
	"cmp"
	"math/rand/v2"
	"slices"
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
// of them are outside of it at either end. It sorts them.
func Interval95[T cmp.Ordered](values []T) (low, high T) {
	slices.Sort(values)
	n := len(values)
	return values[n*25/1000], values[n*975/1000-1]
}
