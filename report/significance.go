package report

import (
	"cmp"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/estimate"
)

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// measured is a time of one method in every trace of a side.
type measured struct {
	times []estimate.Time // one a trace
	known bool            // the intervals are 95 % intervals
}

func (m *measured) mean() float64 {
	sum := 0.0
	for _, t := range m.times {
		sum += float64(t.Value)
	}
	return sum / float64(len(m.times))
}

// spread returns the standard error of the mean from what the traces differ by, in
// ns.
func (m *measured) spread() float64 {
	mean, sum := m.mean(), 0.0
	for _, t := range m.times {
		sum += (float64(t.Value) - mean) * (float64(t.Value) - mean)
	}
	n := float64(len(m.times))
	return math.Sqrt(sum / (n - 1) / n)
}

// sampling returns the standard error of the mean from sampling alone, towards
// longer times or shorter ones.
func (m *measured) sampling(up bool) float64 {
	sum := 0.0
	for _, t := range m.times {
		half := float64(t.Value - t.Low)
		if up {
			half = float64(t.High - t.Value)
		}
		sum += half * half / (z95 * z95)
	}
	return math.Sqrt(sum) / float64(len(m.times))
}

// verdict is a change with its 95 % interval, and how likely one as large is where
// nothing has changed; NaN: the traces cannot tell.
type verdict struct {
	change, low, high float64 // ns
	p                 float64
}

// compare compares two sides of which each has one trace, or one has: by the error
// of sampling alone. step is the time of one sample, by which a difference can be
// off for that it is counted in samples.
func compareSampled(old, now *measured, step time.Duration) verdict {
	v := verdict{change: now.mean() - old.mean(), p: math.NaN()}
	longer, shorter := now, old
	if v.change < 0 {
		longer, shorter = old, now
	}
	towards := math.Hypot(longer.sampling(false), shorter.sampling(true)) // to equality
	away := math.Hypot(longer.sampling(true), shorter.sampling(false))
	v.low, v.high = v.change-z95*towards, v.change+z95*away
	if v.change < 0 {
		v.low, v.high = v.change-z95*away, v.change+z95*towards
	}
	if old.known && now.known && towards > 0 {
		z := max(0, math.Abs(v.change)-float64(step)) / towards
		v.p = math.Erfc(z / math.Sqrt2)
	}
	return v
}

// compareRuns compares two sides of several traces each, by Welch's test. What
// the traces of a side differ by has the error of sampling in it; where a few
// traces agree by luck better than sampling lets them, that error counts.
func compareRuns(old, now *measured) verdict {
	v := verdict{change: now.mean() - old.mean(), p: math.NaN()}
	a, b := max(old.spread(), old.floor()), max(now.spread(), now.floor())
	se := math.Hypot(a, b)
	if se == 0 {
		v.low, v.high = v.change, v.change
		if v.change == 0 {
			v.p = 1
		}
		return v
	}
	n, m := float64(len(old.times)-1), float64(len(now.times)-1)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: se * se * se * se / (a*a*a*a/n + b*b*b*b/m)}
	half := t.Quantile(0.975) * se
	v.low, v.high = v.change-half, v.change+half
	v.p = 2 * t.Survival(math.Abs(v.change)/se)
	return v
}

// floor is the standard error from sampling, where it is known.
func (m *measured) floor() float64 {
	if !m.known {
		return 0
	}
	return m.sampling(false)
}

// falseDiscovery returns the q-values of p-values (Benjamini and Hochberg): of the
// changes with q ≤ 5 %, at most 5 % are none. NaN is not tested.
func falseDiscovery(p []float64) []float64 {
	var order []int
	q := make([]float64, len(p))
	for i := range p {
		if q[i] = math.NaN(); !math.IsNaN(p[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 1.0
	for rank := len(order); rank > 0; rank-- {
		i := order[rank-1]
		least = min(least, p[i]*float64(len(order))/float64(rank))
		q[i] = least
	}
	return q
}
