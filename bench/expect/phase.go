package expect

import (
	"math"
	"slices"
	"time"
)

// Schedules are the kinds of samplers for which a check allows. Tests of shares always allow for
// independent (Poisson) samples; the test of the number of samples does not if CPUTimer is the only
// kind.
type Schedules uint8

const (
	// a timer on each thread's CPU clock, with constant period and random phase
	CPUTimer Schedules = 1 << iota
	// all threads are sampled at the same instants, with constant period and random phase
	WallTick
	Poisson // samples at independent instants
)

// count is a number of samples with its probability.
type count struct{ n, prob float64 }

// distribution is the distribution of the number of samples in a set of stacks, in ascending order
// of numbers.
type distribution []count

// span is an interval [begin, end) of a timeline in ns.
type span struct{ begin, end float64 }

// spansOf returns the intervals in which a thread is in one of a set of contexts.
func (l *line) spansOf(c Clock, member []bool) (spans []span) {
	for s := range l.segments(c) {
		switch n := len(spans); {
		case !member[s.stack]:
		case n > 0 && spans[n-1].end == float64(s.begin):
			spans[n-1].end = float64(s.end)
		default:
			spans = append(spans, span{float64(s.begin), float64(s.end)})
		}
	}
	return spans
}

// phaseLaw returns the distribution for a sampler with period T and a random phase f, uniform in
// [0, 1). The number of samples in [s, e) is ⌈e/T − f⌉ − ⌈s/T − f⌉ = ⌊e/T⌋ − ⌊s/T⌋ + [frac(e/T) >
// f] − [frac(s/T) > f]: as a function of f it has two steps for each interval.
func phaseLaw(spans []span, period float64) distribution {
	// fractional parts
	ends, begins := make([]float64, 0, len(spans)), make([]float64, 0, len(spans))
	var base float64 // at f just above 0
	for _, s := range spans {
		a, b := s.begin/period, s.end/period
		wholeA, wholeB := math.Floor(a), math.Floor(b)
		base += wholeB - wholeA
		if b > wholeB {
			base++
			ends = append(ends, b-wholeB)
		}
		if a > wholeA {
			base--
			begins = append(begins, a-wholeA)
		}
	}
	slices.Sort(ends)
	slices.Sort(begins)
	least, most := base, base
	steps(ends, begins, base, func(n, _ float64) { least, most = min(least, n), max(most, n) })
	probs := make([]float64, int(most-least)+1)
	steps(ends, begins, base, func(n, prob float64) { probs[int(n-least)] += prob })
	l := make(distribution, 0, len(probs))
	for i, p := range probs {
		if p > 0 {
			l = append(l, count{least + float64(i), p})
		}
	}
	return l
}

// steps calls each with the values of a step function on [0, 1) and the lengths of their intervals.
// The function begins at base, decreases by 1 at each of ends and increases by 1 at each of begins.
// Both lists are in ascending order.
func steps(ends, begins []float64, base float64, each func(n, prob float64)) {
	from := 0.
	for len(ends)+len(begins) > 0 {
		at, by := 0., -1.
		if len(begins) == 0 || len(ends) > 0 && ends[0] < begins[0] {
			at, ends = ends[0], ends[1:]
		} else {
			at, begins, by = begins[0], begins[1:], 1
		}
		if at > from {
			each(base, at-from)
			from = at
		}
		base += by
	}
	each(base, 1-from)
}

// plus returns the distribution of the sum of two independent numbers.
func (l distribution) plus(m distribution) distribution {
	if len(l) == 0 {
		return m
	}
	if len(m) == 0 {
		return l
	}
	first := l[0].n + m[0].n
	sums := make([]float64, int(l[len(l)-1].n+m[len(m)-1].n-first)+1)
	for _, a := range l {
		for _, b := range m {
			sums[int(a.n+b.n-first)] += a.prob * b.prob
		}
	}
	sum := make(distribution, 0, len(sums))
	const negligible = 1e-20
	for i, p := range sums {
		if p > negligible {
			sum = append(sum, count{first + float64(i), p})
		}
	}
	return sum
}

// moments returns the mean and the variance.
func (l distribution) moments() (mean, variance float64) {
	for _, c := range l {
		mean += c.n * c.prob
	}
	for _, c := range l {
		variance += (c.n - mean) * (c.n - mean) * c.prob
	}
	return mean, variance
}

// spansOf returns the intervals of each thread in a set of contexts.
func (t *Truth) spansOf(c Clock, member []bool) (spans [][]span) {
	for i := range t.lines {
		if own := t.lines[i].spansOf(c, member); len(own) > 0 {
			spans = append(spans, own)
		}
	}
	return spans
}

// lawOf returns the distribution for intervals by thread: with a common phase of all threads
// (WallTick), or with an independent phase for each.
func lawOf(kind Schedules, spans [][]span, period float64) (sum distribution) {
	if kind == WallTick {
		return phaseLaw(slices.Concat(spans...), period)
	}
	for _, own := range spans {
		sum = sum.plus(phaseLaw(own, period))
	}
	return sum
}

// phased is the test for such a distribution. Shares are relative to samples: the expected number
// of samples in methods, or the observed number if the phase can explain the difference.
type phased struct {
	law               distribution
	samples, observed float64
}

// tails allows for one sample more or fewer.
func (p phased) tails(q float64) (below, above float64) {
	most, least := q*max(p.samples, p.observed)+1, q*min(p.samples, p.observed)-1
	for _, c := range p.law {
		if c.n <= most {
			below += c.prob
		}
		if c.n >= least {
			above += c.prob
		}
	}
	return min(1, below), min(1, above)
}

// has reports whether a number is between the smallest and the largest number of the distribution,
// or adjacent to one of them.
func (l distribution) has(n float64) bool {
	return len(l) > 0 && n >= l[0].n-1 && n <= l[len(l)-1].n+1
}

// periods returns the sampling periods that a check tries: the measured period, a round number near
// it, values 1 % above and below, and the periods stated by the profile. Aliasing can move the
// measured period far from the stated ones.
func periods(measured float64, stated ...float64) (list []float64) {
	if measured <= 0 {
		return nil
	}
	list = []float64{measured, measured * 0.99, measured * 1.01}
	scale := math.Pow(10, math.Floor(math.Log10(measured))-1)
	if round := math.Round(measured/scale) * scale; math.Abs(round/measured-1) <= 0.03 {
		list = append(list, round)
	}
	for _, p := range stated {
		if p >= measured/2 && p <= measured*2 {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return slices.CompactFunc(list, func(a, b float64) bool { return math.Abs(a/b-1) < 1e-6 })
}

// aliased is the design effect above which a method counts as aliased with the sampling interval.
// At that value the standard deviation is twice that of independent samples.
const aliased = 4

// Alias is a share of time that is aliased with the sampling interval.
type Alias struct {
	Of     string        `json:"of"`     // the method, and whether its self or total time
	Effect float64       `json:"effect"` // variance divided by that of independent samples
	Period time.Duration `json:"period_ns"`
}
