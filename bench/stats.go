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

// interval is a mean with its 95 % interval.
type interval struct{ mean, low, high float64 }

// meanIntervals returns the mean of each column, which all have the same phases: so
// one draw of resamples serves them all.
func meanIntervals(seed, stream uint64, columns ...[]float64) []interval {
	phases := len(columns[0])
	means, picked := make([][]float64, len(columns)), make([]float64, phases)
	bootstrap(phases, seed, stream, func(places []int) {
		for i, values := range columns {
			means[i] = append(means[i], meanAt(values, places, picked))
		}
	})
	list := make([]interval, len(columns))
	for i, values := range columns {
		low, high := resample.Interval95(means[i])
		list[i] = interval{stat.Mean(values, nil), low, high}
	}
	return list
}

// meanAt returns the mean of the values at some places, in scratch's memory.
func meanAt(values []float64, places []int, scratch []float64) float64 {
	for i, place := range places {
		scratch[i] = values[place]
	}
	return stat.Mean(scratch, nil)
}
