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
	Gaps    int64          // number of these gaps; of all gaps that are multiples of the period, if none is one period
	Limit   time.Duration  // gaps of at least this length span several periods
}

// Period estimates the period from the thread with the most groups. A gap between two of its groups
// counts as one period if it is below 1.5 times the 5 % quantile of all gaps of the thread; a
// longer gap spans several periods, because a tick with an unchanged stack leaves no group. If the
// gaps are multiples of a fraction of that ([gapTable.fraction]), no gap is a single period, and the
// period is the fraction. Period returns false if there are fewer than minGroups gaps, or if most are
// below a microsecond, the unit of the counts, which no sampler reaches.
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
	all := g.gaps.of(trace.ThreadID(busiest), g.threads[busiest].near)
	p := all.period()
	p.Thread = trace.ThreadID(busiest)
	if all.total < minGroups {
		return p, false
	}
	if fraction, of := all.fraction(p.Median.Microseconds()); fraction > 0 {
		each := time.Duration(fraction * float64(time.Microsecond)).Round(time.Microsecond)
		p.Median, p.Low, p.Longest, p.Gaps, p.Limit = each, each, each, of, each+each/2
	}
	return p, p.Median > 0
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

// Limits of [gapTable.fraction]. Jitter of 7 % of a period, as the standard deviation of a gap, yields
// a concentration of exp(−2π² 0.07²) = 0.9; random gaps yield 0 ± 1/√(2n).
const (
	maxFraction     = 6    // shortest gap in periods
	maxExamined     = 6    // longest gap that is examined, in shortest gaps: jitter adds up
	multiples       = 0.9  // minimum concentration of gaps that are multiples of a period
	mostlySingle    = 0.75 // share of the shortest gaps from which on they are single periods, and others are delayed
	closer          = 4    // minimum ratio of deviations: delayed samples are near multiples of a fraction, too
	everyMultipleOf = 0.9  // share of the gaps, the shortest ones, among which no multiple may be missing
)

// fraction returns the period in microseconds, and the number of examined gaps, if most gaps are multiples of it
// although they are no multiples of the shortest ones: a thread whose stack never changes in consecutive samples has
// gaps of two periods and three, but none of one. single is the period according to the shortest gaps. It returns 0
// if there is no such fraction.
//
// The clock's resolution has multiples, too. But gaps of a period that is no multiple of the resolution are the two
// nearest multiples of it on either side, and those in between are missing.
func (t gapTable) fraction(single int64) (period float64, of int64) {
	shortest := float64(t.quantile(0.01))
	if single <= 0 {
		return 0, 0
	}
	near := t.below((maxExamined + 0.5) * shortest)
	ofShortest := t.below(1.25 * shortest).total
	if near.total < minGroups || 2*near.total < t.total || float64(ofShortest) > mostlySingle*float64(t.total) {
		return 0, 0
	}
	c, _ := near.concentration(float64(single))
	needed := max(multiples, 1-(1-c)/closer)
	for parts := 1; parts <= maxFraction; parts++ {
		period := shortest / float64(parts)
		for range 3 { // the shortest gaps are few, so all gaps correct the period
			_, period = near.concentration(period)
		}
		if c, _ := near.concentration(period); period >= 1 && c >= needed && t.hasEvery(period) {
			return period, near.total
		}
	}
	return 0, 0
}

// concentration returns how closely gaps are multiples of a period: the mean cosine of their phases, 1 if they all
// are. mean is the period with which they are on average.
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

// hasEvery reports whether all multiples of the period occur between the shortest gap and most others.
func (t gapTable) hasEvery(period float64) bool {
	next := 0.0
	for _, g := range t.below(float64(t.quantile(everyMultipleOf)) + 1).gaps {
		at := math.Round(float64(g.us) / period)
		if next > 0 && at > next {
			return false
		}
		next = at + 1
	}
	return true
}

// PeriodAt returns the period of a trace that was sampled every interval, which is authoritative: the gaps may be too
// few for [Groups.Period], or none may be a single period. The period exceeds the interval, because sleeps overshoot
// and samples take time: it is that of the gaps of all threads from one interval to two, or interval if there are none.
func (g *Groups) PeriodAt(interval time.Duration) Period {
	from, to := interval.Microseconds(), 2*interval.Microseconds()
	var near gapTable
	for id := range g.threads {
		if g.threads[id].near == nil {
			continue
		}
		for _, gap := range g.gaps.of(trace.ThreadID(id), g.threads[id].near).gaps {
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
