package bench

import (
	"gonum.org/v1/gonum/stat"

	"artifice/internal/resample"
)

// resamples is how many resamples a bootstrap interval is taken from.
const resamples = 1000

// bootstrap calls f for each resample of n phases with their places.
//
// Phases are stratified, not independent: the intervals are rather too wide.
func bootstrap(n int, seed, stream uint64, f func(places []int)) {
	resample.Draw(n, n, resamples, seed, stream, f)
}

// meanInterval returns the mean of values with its 95 % interval.
func meanInterval(values []float64, seed, stream uint64) (mean, low, high float64) {
	var means []float64
	picked := make([]float64, len(values))
	bootstrap(len(values), seed, stream, func(places []int) {
		means = append(means, meanAt(values, places, picked))
	})
	low, high = resample.Interval95(means)
	return stat.Mean(values, nil), low, high
}

// meanAt returns the mean of the values at some places, in scratch's memory.
func meanAt(values []float64, places []int, scratch []float64) float64 {
	for i, place := range places {
		scratch[i] = values[place]
	}
	return stat.Mean(scratch, nil)
}
