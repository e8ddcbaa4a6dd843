package stats

import (
	"math"
	"time"

	"artifice/trace"
)

// Period is an estimate of the sampling period of a sampled trace.
type Period struct {
	Thread  trace.ThreadID // the measured thread: the one with the most groups
	Median  time.Duration  // median of the gaps of one period
	Low     time.Duration  // 1 % quantile of these gaps
	Longest time.Duration  // longest of these gaps
	// number of these gaps; if none is one period, number of all gaps that are multiples of it
	Gaps    int64
	Limit   time.Duration // gaps of at least this length span several periods
	Several bool          // no gap is a single period: all are multiples of Median
}

// In returns the number of periods in a gap between two groups: 1 below Limit, and 0 (unknown)
// above, unless all gaps are multiples of the period.
func (p Period) In(gap time.Duration) int64 {
	switch {
	case gap < p.Limit:
		return 1
	case !p.Several:
		return 0
	}
	return int64(math.Round(float64(gap) / float64(p.Median)))
}

// Period estimates the period from the thread with the most groups. A gap between two of its groups
// counts as one period if it is below 1.5 times the 5 % quantile of all gaps of the thread; a
// longer gap spans several periods, because a tick with an unchanged stack leaves no group. If the
// gaps are multiples of a fraction of that length ([gapTable.fraction]), few gaps are single
// periods, and the fraction is the period. If the result is a multiple of another thread's period,
// the other thread's period is used, because a sampler samples all threads at once. Period returns
// false if there are fewer than minGroups gaps, or fewer than minSingle of one period. It also
// returns false if most gaps are below 1 µs, the unit of the counts: no sampler is that fast.
//
// If no thread has gaps of a single period, and the jitter exceeds a tenth of the period, the
// result is a multiple of the true period. That is the case for 1 in 100 recordings of random apps
// (research/trust).
func (g *Groups) Period() (Period, bool) {
	var busiest int
	for i := range g.threads {
		if g.threads[i].groups() > g.threads[busiest].groups() {
			busiest = i
		}
	}
	if len(g.threads) == 0 {
		return Period{}, false
	}
	tables := g.gaps.tables(g.near())
	p, ok := tables[busiest].estimate()
	p.Thread = trace.ThreadID(busiest)
	if !ok {
		return p, false
	}
	best := p
	for id := range tables {
		if id == busiest {
			continue
		}
		other, ok := tables[id].estimate()
		if ok && other.Gaps >= minGroups && !other.Several && p.isMultipleOf(other) && (best == p || other.Gaps > best.Gaps) {
			best = other
			best.Thread = trace.ThreadID(id)
		}
	}
	return best, true
}

// near returns the counts of short gaps by ThreadID.
func (g *Groups) near() []*nearCounts {
	near := make([]*nearCounts, len(g.threads))
	for id := range g.threads {
		near[id] = g.threads[id].near
	}
	return near
}

// isMultipleOf reports whether the period is at least twice another, and a multiple of it.
func (p Period) isMultipleOf(other Period) bool {
	n := float64(p.Median) / float64(other.Median)
	return n >= 1.5 && n <= maxFraction+0.5 && math.Abs(n-math.Round(n)) < 0.1
}

// minSingle is the minimum number of gaps of one period: the shortest of fewer gaps may be due to
// chance.
const minSingle = 12

// estimate returns the period of the thread with these gaps.
func (t gapTable) estimate() (Period, bool) {
	p := t.period()
	if t.total < minGroups {
		return p, false
	}
	if fraction, of := t.fraction(p.Median.Microseconds()); fraction > 0 {
		each := time.Duration(fraction * float64(time.Microsecond)).Round(time.Microsecond)
		p.Median, p.Low, p.Longest, p.Gaps, p.Limit, p.Several = each, each, each, of, each+each/2, true
	}
	return p, p.Median > 0 && p.Gaps >= minSingle
}

// period returns the period if the shortest gaps are single periods.
func (t gapTable) period() Period {
	limit := 1.5 * float64(t.quantile(0.05))
	single := t.below(limit)
	return Period{
		Median:  time.Duration(single.quantile(0.5)) * time.Microsecond,
		Low:     time.Duration(single.quantile(0.01)) * time.Microsecond,
		Longest: time.Duration(single.quantile(1)) * time.Microsecond,
		Gaps:    single.total,
		Limit:   time.Duration(limit * float64(time.Microsecond)),
	}
}

// Limits of [gapTable.fraction]. Jitter with a standard deviation of a share s of the period yields
// gaps of n periods with a concentration of exp(−2π² n s²); random gaps yield 0 ± 1/√(2n).
const (
	// quantile that counts as the shortest gap: shorter gaps may be due to delays
	shortestShare = 0.01
	shortestGaps  = 3   // minimum rank of that gap
	maxFraction   = 8   // shortest gap in periods
	maxExamined   = 6   // longest gap that is examined, in shortest gaps: jitter adds up
	multiples     = 0.9 // minimum concentration of gaps that are multiples of a period, if these are few
	someMultiples = 0.5 // minimum concentration if it is clearly higher than that of the shortest gaps
	// standard deviations by which a better period's concentration must be higher
	beyondChance = 4
	// share of the shortest gaps above which they are single periods and the other gaps are delayed
	mostlySingle = 0.75
	// minimum ratio of deviations: delayed samples are also near multiples of a fraction
	closer = 4
	// share of the gaps, the shortest ones, within which every multiple must occur
	everyMultipleOf = 0.9
	oftenShare      = 0.03 // minimum share of gaps that are not due to delays
	bins            = 128  // per shortest gap: the resolution of the search for a period
)

// fraction returns a period, in microseconds, and the number of examined gaps. Most gaps are
// multiples of this period, although they are not multiples of the shortest gaps. A thread with a stack that
// rarely changes in consecutive samples has gaps of two and three periods, and few of one. single
// is the period according to the shortest gaps. fraction returns 0 if there is no such period. It
// returns the first fraction of the shortest gaps that explains the gaps, because the fractions of
// that fraction explain them, too.
//
// The clock's resolution also has multiples. But gaps of a period that is no multiple of the
// resolution are the two nearest multiples of it on either side, and those in between are missing
// ([gapTable.hasEvery], [gapTable.exceedsClock]).
func (t gapTable) fraction(single int64) (period float64, of int64) {
	shortest := float64(t.shortest())
	if single <= 0 {
		return 0, 0
	}
	near := t.below((maxExamined + 0.5) * shortest)
	ofShortest := t.below(1.25 * shortest).total
	if near.total < minGroups || 2*near.total < t.total || float64(ofShortest) > mostlySingle*float64(t.total) {
		return 0, 0
	}
	coarse := near.binned(int64(shortest / bins))
	c, _ := coarse.bestNear(float64(single))
	for parts := 1; parts <= maxFraction; parts++ {
		found, period := coarse.bestNear(shortest / float64(parts))
		if period < 1 || !near.explains(found, c) {
			continue
		}
		if !near.hasEvery(period) && !near.exceedsClock(period) {
			return 0, 0
		}
		_, period = near.concentration(period)
		return period, near.total
	}
	return 0, 0
}

// shortest returns the shortest gap, ignoring the few gaps that may be due to delays.
func (t gapTable) shortest() int64 {
	return t.quantile(max(shortestShare, (shortestGaps-0.5)/float64(t.total)))
}

// explains reports whether the gaps are multiples of a period with concentration c, and not of the
// shortest gaps, with concentration ofShortest.
func (t gapTable) explains(c, ofShortest float64) bool {
	if c >= max(multiples, 1-(1-ofShortest)/closer) {
		return true
	}
	return c >= someMultiples && c-ofShortest >= beyondChance/math.Sqrt(float64(t.total))
}

// binned returns the gaps rounded to multiples of a resolution.
func (t gapTable) binned(resolution int64) (out gapTable) {
	if resolution <= 1 {
		return t
	}
	for _, g := range t.gaps {
		us := (g.us + resolution/2) / resolution * resolution
		if n := len(out.gaps); n > 0 && out.gaps[n-1].us == us {
			out.gaps[n-1].times += g.times
			out.total += g.times
			continue
		}
		out.add(us, g.times)
	}
	return out
}

// bestNear returns the highest concentration among the periods that differ from the given one by at
// most an eighth, and the period with that concentration.
func (t gapTable) bestNear(period float64) (c, best float64) {
	const steps = 32
	c = -1
	for i := -steps; i <= steps; i++ {
		p := period * (1 + float64(i)/(8*steps))
		if at, _ := t.concentration(p); at > c {
			c, best = at, p
		}
	}
	return c, best
}

// concentration returns the mean cosine of the gaps' phases in a period: 1 if all gaps are
// multiples of it. mean is the sum of the gaps divided by the number of periods in them.
func (t gapTable) concentration(period float64) (c, mean float64) {
	var length, count float64
	for _, g := range t.gaps {
		in := float64(g.us) / period
		c += float64(g.times) * math.Cos(2*math.Pi*in)
		length += float64(g.times) * float64(g.us)
		count += float64(g.times) * max(1, math.Round(in))
	}
	return c / float64(t.total), length / count
}

// hasEvery reports whether every multiple of the period occurs often, from the shortest gap to
// twice its length or, if that is less, to the length of most gaps.
func (t gapTable) hasEvery(period float64) bool {
	s := steps(t.shortest(), period)
	last := min(2*s-1, steps(t.quantile(everyMultipleOf), period))
	for n := s + 1; n <= last; n++ {
		if !t.inSteps(n, n, period).often(t.total) {
			return false
		}
	}
	return true
}

// often reports whether the share of the gaps among all is too large to be due to delays.
func (t gapTable) often(of int64) bool {
	return t.total > 1 && float64(t.total) >= oftenShare*float64(of)
}

// steps returns the number of periods in a gap, rounded.
func steps(us int64, period float64) int64 { return int64(math.Round(float64(us) / period)) }

// exceedsClock reports whether the multiples of the period that occur cannot be due to a clock with
// the period as its resolution. On such a clock samples are s or s+1 steps apart, the next ones at
// least 2s: no gap has s+2 to 2s−1 steps, and gaps of two samples have twice the mean.
func (t gapTable) exceedsClock(period float64) bool {
	s := steps(t.shortest(), period)
	single, between, double := t.inSteps(s, s+1, period), t.inSteps(s+2, 2*s-1, period), t.inSteps(2*s, 2*s+2, period)
	if s == 1 || between.often(t.total) {
		return true
	}
	one, deviation := single.meanSteps(period)
	two, deviationOfTwo := double.meanSteps(period)
	return s > 2 && double.total >= minSingle && math.Abs(one-two/2) > beyondChance*math.Hypot(deviation, deviationOfTwo/2)
}

// inSteps returns the gaps of a range of periods.
func (t gapTable) inSteps(from, to int64, period float64) (out gapTable) {
	for _, g := range t.gaps {
		if n := steps(g.us, period); n >= from && n <= to {
			out.add(g.us, g.times)
		}
	}
	return out
}

// meanSteps returns the mean number of periods in a gap and its standard error.
func (t gapTable) meanSteps(period float64) (mean, standardError float64) {
	var sum, squares float64
	for _, g := range t.gaps {
		n := float64(steps(g.us, period))
		sum += n * float64(g.times)
		squares += n * n * float64(g.times)
	}
	n := float64(t.total)
	mean = sum / n
	return mean, math.Sqrt(max(0, squares/n-mean*mean) / n)
}

// PeriodAt returns the period of a trace with a known sampling interval. The interval is
// authoritative, because the gaps may be too few for [Groups.Period], or none may be a single
// period. The period exceeds the interval, because sleeps overshoot and samples take time. It is
// the period of the gaps of all threads between one and two intervals, or the interval if there are
// no such gaps.
func (g *Groups) PeriodAt(interval time.Duration) Period {
	from, to := interval.Microseconds(), 2*interval.Microseconds()
	var near gapTable
	for _, table := range g.gaps.tables(g.near()) {
		for _, gap := range table.gaps {
			if gap.us >= from && gap.us < to {
				near.add(gap.us, min(gap.times, maxRepeat))
			}
		}
	}
	if near.total == 0 {
		return Period{Median: interval, Low: interval, Longest: interval, Limit: interval + interval/2}
	}
	near.sort()
	return near.period()
}

// maxRepeat limits the weight of one gap: a thread with more repetitions has a measurable period of
// its own.
const maxRepeat = 1000
