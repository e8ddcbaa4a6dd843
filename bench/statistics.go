package bench

import (
	"math"
	"time"

	"artifice/internal/resample"
)

// Key identifies a row.
type Key struct {
	Mode     string
	Device   string
	Interval time.Duration
}

// Key returns the row's key.
func (r Row) Key() Key { return Key{r.Mode, r.Device, r.Interval} }

// Difference is a paired difference: the mean over cells with the same phase and seed, with its 95
// % bootstrap interval. Because of the pairing, the interval is narrower than the intervals of the
// two rows suggest.
type Difference struct {
	Mean, Low, High float64
	Pairs           int
}

// compare returns how much higher a measure is in row b than in row a. It reports false when a row
// is missing or the measure does not apply. The cell of a row with a single cell (a mode without
// randomness) is paired with every cell of the other row.
func (r *Result) compare(a, b Key, m Measure) (Difference, bool) {
	x, y := r.values(a, m), r.values(b, m)
	if len(x) == 0 || len(y) == 0 {
		return Difference{}, false
	}
	pairs := make([]float64, max(len(x), len(y)))
	for i := range pairs {
		pairs[i] = y[i%len(y)] - x[i%len(x)]
		if math.IsNaN(pairs[i]) {
			return Difference{}, false
		}
	}
	d := meanIntervals(r.Seed, 0x70616972, pairs)[0]
	return Difference{d.Mean, d.Low, d.High, len(pairs)}, true
}

// values returns a measure of the row's cells in order.
func (r *Result) values(k Key, m Measure) (list []float64) {
	for _, c := range r.Cells {
		if c.Mode == k.Mode && c.Device == k.Device && c.Interval == k.Interval {
			list = append(list, c.Scores[m])
		}
	}
	return list
}

// reaching is the share of a row's cells that reach the goal.
func (r *Result) reaching(k Key) float64 {
	values := r.values(k, r.Goal.Measure)
	n := 0
	for _, v := range values {
		if r.Goal.reachedBy(v) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(values)))
}

// mean returns the mean of values, added in their order. gonum's mean adds them in an order that
// depends on the kind of machine, but printed values must have the same digits on all machines and
// in the laboratory's page.
func mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// stdDev returns the standard deviation of a population, estimated from a sample of values, which
// are also added in their order.
func stdDev(values []float64) float64 {
	m, squares := mean(values), 0.
	for _, v := range values {
		// the conversion prevents a fused multiply-add, which rounds differently
		squares += float64((v - m) * (v - m))
	}
	return math.Sqrt(squares / float64(len(values)-1))
}

// resamples is the number of resamples for a bootstrap interval.
const resamples = 1000

// bootstrap calls f for each resample of n phases with the indexes of the drawn phases.
//
// Phases are stratified, not independent, so the intervals are rather too wide.
func bootstrap(n int, seed, stream uint64, f func(places []int)) {
	for places := range resample.Draw(n, n, resamples, seed, stream) {
		f(places)
	}
}

// meanInterval is a mean with its 95 % interval.
type meanInterval struct{ Mean, Low, High float64 }

// meanIntervals returns the mean of each column with its interval. All columns have the same
// phases, so they share the resamples.
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

// meanAt returns the mean of the values at some indexes, added in the order of the indexes.
func meanAt(values []float64, places []int) float64 {
	sum := 0.
	for _, place := range places {
		sum += values[place]
	}
	return sum / float64(len(places))
}
