package bench

import (
	"math"

	"artifice/internal/resample"
)

// mean returns the mean of values, which it adds in their order. That of gonum adds them in another
// order on each kind of machine; what is printed is to have the same digits on all, and in the
// laboratory's page.
func mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// stdDev returns the standard deviation of a population of which values are a sample, likewise.
func stdDev(values []float64) float64 {
	m, squares := mean(values), 0.
	for _, v := range values {
		squares += float64((v - m) * (v - m)) // the conversion forbids a fused operation, which rounds otherwise
	}
	return math.Sqrt(squares / float64(len(values)-1))
}

// resamples is how many resamples a bootstrap interval is taken from.
const resamples = 1000

// bootstrap calls f for each resample of n phases with their places.
//
// Phases are stratified, not independent: the intervals are rather too wide.
func bootstrap(n int, seed, stream uint64, f func(places []int)) {
	resample.Draw(n, n, resamples, seed, stream, f)
}

// meanInterval is a mean with its 95 % interval.
type meanInterval struct{ Mean, Low, High float64 }

// meanIntervals returns the mean of each column, which all have the same phases: so
// one draw of resamples serves them all.
func meanIntervals(seed, stream uint64, columns ...[]float64) []meanInterval {
	means := make([][]float64, len(columns))
	bootstrap(len(columns[0]), seed, stream, func(places []int) {
		for i, values := range columns {
			means[i] = append(means[i], meanAt(values, places))
		}
	})
	list := make([]meanInterval, len(columns))
	for i, values := range columns {
		low, high := resample.Interval95(means[i])
		list[i] = meanInterval{mean(values), low, high}
	}
	return list
}

// meanAt returns the mean of the values at some places, which it adds in their order, too.
func meanAt(values []float64, places []int) float64 {
	sum := 0.
	for _, place := range places {
		sum += values[place]
	}
	return sum / float64(len(places))
}
