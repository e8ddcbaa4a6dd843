// Package phases has the statistics of a row of the sweep, whose cells differ in nothing but
// the phase: means, spreads, and intervals by the bootstrap.
package score

import (
	"math"

	"artifice/internal/resample"
)

// Mean returns the mean of values, which it adds in their order. That of gonum adds them in another
// order on each kind of machine; what is printed is to have the same digits on all, and in the
// laboratory's page.
func Mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// StdDev returns the standard deviation of a population of which values are a sample, likewise.
func StdDev(values []float64) float64 {
	m, squares := Mean(values), 0.
	for _, v := range values {
		squares += float64((v - m) * (v - m)) // the conversion forbids a fused operation, which rounds otherwise
	}
	return math.Sqrt(squares / float64(len(values)-1))
}

// resamples is how many resamples a bootstrap interval is taken from.
const resamples = 1000

// Bootstrap calls f for each resample of n phases with their places.
//
// Phases are stratified, not independent: the intervals are rather too wide.
func Bootstrap(n int, seed, stream uint64, f func(places []int)) {
	resample.Draw(n, n, resamples, seed, stream, f)
}

// Interval is a mean with its 95 % interval.
type Interval struct{ Mean, Low, High float64 }

// MeanIntervals returns the mean of each column, which all have the same phases: so
// one draw of resamples serves them all.
func MeanIntervals(seed, stream uint64, columns ...[]float64) []Interval {
	means := make([][]float64, len(columns))
	Bootstrap(len(columns[0]), seed, stream, func(places []int) {
		for i, values := range columns {
			means[i] = append(means[i], MeanAt(values, places))
		}
	})
	list := make([]Interval, len(columns))
	for i, values := range columns {
		low, high := resample.Interval95(means[i])
		list[i] = Interval{Mean(values), low, high}
	}
	return list
}

// MeanAt returns the mean of the values at some places, which it adds in their order, too.
func MeanAt(values []float64, places []int) float64 {
	sum := 0.
	for _, place := range places {
		sum += values[place]
	}
	return sum / float64(len(places))
}
