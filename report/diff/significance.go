package diff

import (
	"cmp"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/report"
	"artifice/report/estimate"
)

// measured is the time of one method in every trace of a side.
type measured struct {
	times []estimate.Time // by trace
	known bool            // the intervals are 95 % confidence intervals
}

func (m *measured) mean() float64 {
	sum := 0.0
	for _, t := range m.times {
		sum += float64(t.Value)
	}
	return sum / float64(len(m.times))
}

// spread returns the standard error of the mean from the variance between traces, in ns.
func (m *measured) spread() float64 {
	n := float64(len(m.times))
	return math.Sqrt(m.squares() / (n - 1) / n)
}

// squares returns the sum of the squared distances from the mean, in ns².
func (m *measured) squares() (sum float64) {
	mean := m.mean()
	for _, t := range m.times {
		sum += (float64(t.Value) - mean) * (float64(t.Value) - mean)
	}
	return sum
}

// sampling returns the standard error of the mean from sampling alone, towards longer (up) or
// shorter times.
func (m *measured) sampling(up bool) float64 {
	sum := 0.0
	for _, t := range m.times {
		half := float64(t.Value - t.Low)
		if up {
			half = float64(t.High - t.Value)
		}
		sum += half * half / (report.Z95 * report.Z95)
	}
	return math.Sqrt(sum) / float64(len(m.times))
}

// verdict is a change with its errors and its p-value; NaN: not tested.
type verdict struct {
	change       float64 // ns
	below, above float64 // standard errors of the change towards less and towards more, in ns
	step         float64 // additional bound on the error, from counting samples, in ns
	sampling     float64 // share of sampling in their variance
	freedom      float64 // degrees of freedom of the errors; 0: normal
	p            float64
	steady       bool // no assignment of the traces to sides is significant
}

// compareSampled compares two sides by the sampling error alone; at least one side has a single
// trace. step is the duration of one sample, the resolution of the difference.
func compareSampled(old, now *measured, step time.Duration) verdict {
	v := verdict{change: now.mean() - old.mean(), p: math.NaN()}
	longer, shorter := now, old
	if v.change < 0 {
		longer, shorter = old, now
	}
	towards := math.Hypot(longer.sampling(false), shorter.sampling(true)) // to equality
	away := math.Hypot(longer.sampling(true), shorter.sampling(false))
	v.below, v.above, v.step, v.sampling = towards, away, float64(step), 1
	if v.change < 0 {
		v.below, v.above = away, towards
	}
	if old.known && now.known && towards > 0 {
		z := max(0, math.Abs(v.change)-v.step) / towards
		v.p = math.Erfc(z / math.Sqrt2)
	}
	return v
}

// compareRuns compares two sides of several traces each by Welch's test. The variance between
// traces includes sampling variance. If a few traces agree better than sampling explains, the
// sampling error is used.
func compareRuns(old, now *measured) verdict {
	v := verdict{change: now.mean() - old.mean(), p: math.NaN()}
	a, b := max(old.spread(), old.floor()), max(now.spread(), now.floor())
	se := math.Hypot(a, b)
	n, m := float64(len(old.times)-1), float64(len(now.times)-1)
	v.test(se, se*se*se*se/(a*a*a*a/n+b*b*b*b/m))
	return v
}

// test sets the errors and p by Student's t distribution. If the traces of each side agree to the
// nanosecond, there is no error and any change is certain.
func (v *verdict) test(se, freedom float64) {
	switch {
	case se > 0:
		v.below, v.above, v.freedom = se, se, freedom
		v.p = 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Survival(math.Abs(v.change)/se)
	case v.change == 0:
		v.p = 1
	default:
		v.p = 0
	}
}

// pooledRuns compares two sides of several traces each by Student's test with pooled variance. step
// is the duration of one sample: the standard deviation of a trace is taken as at least half of it.
func pooledRuns(old, now *measured, step time.Duration) verdict {
	v := verdict{change: now.mean() - old.mean(), p: math.NaN()}
	n, m := float64(len(old.times)), float64(len(now.times))
	deviation := max(math.Sqrt((old.squares()+now.squares())/(n+m-2)), float64(step)/2)
	v.test(deviation*math.Sqrt(1/n+1/m), n+m-2)
	least := float64(step) / 2 * math.Sqrt(1/n+1/m)
	v.steady = farthest(old, now) < least*studentQuantile(v.freedom, 1-Significant/2)
	return v
}

// farthest returns the maximum difference of the two means over all assignments of the traces to
// sides of these sizes: the shortest times on one side, the longest on the other.
func farthest(old, now *measured) (most float64) {
	all := slices.Concat(old.times, now.times)
	slices.SortFunc(all, func(a, b estimate.Time) int { return cmp.Compare(a.Value, b.Value) })
	for _, n := range []int{len(old.times), len(now.times)} {
		short, long := measured{times: all[:n]}, measured{times: all[n:]}
		most = max(most, long.mean()-short.mean())
	}
	return most
}

// partOfSampling returns the share of sampling in the variance of a difference, at most 1.
func partOfSampling(old, now *measured, err float64, step time.Duration) float64 {
	if err == 0 {
		return 0
	}
	return min(1, (old.bySamples(step)+now.bySamples(step))/(err*err))
}

// fewSamples is the number of samples below which the interval of a time is cut at one sample, so
// that its lower half is shorter than the error.
const fewSamples = 5

// bySamples returns the sampling variance of the mean, in ns²; 0: unknown. Few samples are
// independent: their number has a Poisson distribution, and its variance is the number itself.
func (m *measured) bySamples(step time.Duration) (sum float64) {
	if !m.known {
		return 0
	}
	for _, t := range m.times {
		half := float64(t.Value-t.Low) / report.Z95
		variance := half * half
		if t.Value < fewSamples*step {
			variance = max(variance, float64(t.Value)*float64(step))
		}
		sum += variance
	}
	return sum / float64(len(m.times)*len(m.times))
}

// rankRuns is compareRuns with p from the Mann-Whitney U test of ranks, which is robust to
// outliers.
func rankRuns(old, now *measured) verdict {
	v := compareRuns(old, now)
	v.p = mannWhitney(old.times, now.times)
	return v
}

// exactRanks is the largest number of times for which the distribution of the rank sum is computed
// exactly; for more, the normal approximation is used.
const exactRanks = 24

// mannWhitney returns the two-sided p-value of the Mann-Whitney U test. Ties have the mean of their
// ranks.
func mannWhitney(a, b []estimate.Time) float64 {
	ranks, sum, ties := doubledRanks(a, b)
	n, m := float64(len(a)), float64(len(b))
	mean := n * (n + m + 1) // of the doubled sum
	if len(ranks) > exactRanks {
		variance := n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1)))
		if variance == 0 {
			return 1
		}
		z := max(0, math.Abs(float64(sum)-mean)/2-0.5) / math.Sqrt(variance)
		return math.Erfc(z / math.Sqrt2)
	}
	ways := waysToDeal(ranks, len(a))
	all, below, above := 0.0, 0.0, 0.0
	for s, w := range ways {
		all += w
		if s <= sum {
			below += w
		}
		if s >= sum {
			above += w
		}
	}
	return min(1, 2*min(below, above)/all)
}

// doubledRanks returns the ranks of all times, the rank sum of side a, and Σ(t³−t) over the ties.
// Ranks are doubled, so that mean ranks of ties are integers.
func doubledRanks(a, b []estimate.Time) (ranks []int, sum int, ties float64) {
	type item struct {
		value int64
		ofA   bool
	}
	var items []item
	for i, t := range append(slices.Clone(a), b...) {
		items = append(items, item{int64(t.Value), i < len(a)})
	}
	slices.SortFunc(items, func(x, y item) int { return cmp.Compare(x.value, y.value) })
	for i := 0; i < len(items); {
		end := i
		for end < len(items) && items[end].value == items[i].value {
			end++
		}
		t := float64(end - i)
		ties += t*t*t - t
		for ; i < end; i++ {
			rank := 2*end - int(t) + 1
			ranks = append(ranks, rank)
			if items[i].ofA {
				sum += rank
			}
		}
	}
	return ranks, sum, ties
}

// waysToDeal returns, for each sum, the number of subsets of n ranks with this sum.
func waysToDeal(ranks []int, n int) []float64 {
	most := 0
	for _, r := range ranks {
		most += r
	}
	ways := make([][]float64, n+1) // by size of the subset and sum
	for i := range ways {
		ways[i] = make([]float64, most+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		for k := n; k > 0; k-- {
			for s := most; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	return ways[n]
}

// floor returns the sampling error, or 0 if it is unknown.
func (m *measured) floor() float64 {
	if !m.known {
		return 0
	}
	return m.sampling(false)
}
