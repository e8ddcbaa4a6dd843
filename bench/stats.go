package bench

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// resamples is how many resamples a bootstrap interval is taken from.
const resamples = 1000

// bootstrap draws resamples of n values. It calls f for each with the places of
// its values. The same seed and stream draw the same places, so that intervals of
// values that belong together can be taken one by one.
//
// Phases are stratified, not independent: the intervals are rather too wide.
func bootstrap(n int, seed, stream uint64, f func(places []int)) {
	rng := rand.New(rand.NewPCG(seed, stream))
	places := make([]int, n)
	for range resamples {
		for i := range places {
			places[i] = rng.IntN(n)
		}
		f(places)
	}
}

// interval95 returns the 95 % percentile interval of a value of all resamples: 25
// are outside of it at either end. It sorts them.
func interval95[T cmp.Ordered](values []T) (low, high T) {
	slices.Sort(values)
	return values[resamples*25/1000], values[resamples*975/1000-1]
}

// meanInterval returns the mean of values with its 95 % interval.
func meanInterval(values []float64, seed, stream uint64) (mean, low, high float64) {
	var means []float64
	picked := make([]float64, len(values))
	bootstrap(len(values), seed, stream, func(places []int) {
		means = append(means, meanAt(values, places, picked))
	})
	low, high = interval95(means)
	return stat.Mean(values, nil), low, high
}

// meanAt returns the mean of the values at some places, in scratch's memory.
func meanAt(values []float64, places []int, scratch []float64) float64 {
	for i, place := range places {
		scratch[i] = values[place]
	}
	return stat.Mean(scratch, nil)
}
