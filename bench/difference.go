package bench

import (
	"math"
	"time"
)

// Key names a row.
type Key struct {
	Mode     string
	Device   string
	Interval time.Duration
}

// Key returns the row's name.
func (r Row) Key() Key { return Key{r.Mode, r.Device, r.Interval} }

// Difference is a paired difference: the mean over cells with the same phase
// and seed, with its 95 % bootstrap interval. It is narrower than what the two
// rows' own intervals suggest.
type Difference struct {
	Mean, Low, High float64
	Pairs           int
}

// compare returns how much higher a measure is in row b than in row a. It
// reports false when a row is missing or the measure does not apply. A row
// of a single cell (a mode in which nothing is random) is paired with every
// cell of the other.
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
