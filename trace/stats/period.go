package stats

import (
	"slices"
	"time"

	"artifice/trace"
)

// Period is an estimate of the sampling period of a sampled trace.
type Period struct {
	Thread trace.ThreadID // the measured thread: the one with the most groups
	Median time.Duration  // median of the gaps of one period
	Low    time.Duration  // 1 % quantile of these gaps
	Gaps   int64          // number of these gaps
	Limit  time.Duration  // gaps of at least this length span several periods
}

// Period estimates the period from the thread with the most groups. A gap between two of its groups
// counts as one period if it is below 1.5 times the 5 % quantile of all gaps of the thread; a
// longer gap spans several periods, because a tick with an unchanged stack leaves no group. Period
// returns false if there are fewer than minGroups gaps, or if most are below a microsecond, the
// unit of the counts, which no sampler reaches.
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
	limit := 1.5 * float64(all.quantile(0.05))
	single := all.below(limit)
	return Period{
		Thread: trace.ThreadID(busiest),
		Median: time.Duration(single.quantile(0.5)) * time.Microsecond,
		Low:    time.Duration(single.quantile(0.01)) * time.Microsecond,
		Gaps:   single.total,
		Limit:  time.Duration(limit * float64(time.Microsecond)),
	}, all.total >= minGroups && single.quantile(0.5) > 0
}

// PeriodAt returns the period of a trace that was sampled every interval and has too few gaps for
// [Groups.Period]. The period exceeds the interval, because sleeps overshoot and samples take time.
// It is the median of the gaps of all threads from one interval to two, or interval if there are
// none.
func (g *Groups) PeriodAt(interval time.Duration) time.Duration {
	from, to := interval.Microseconds(), 2*interval.Microseconds()
	var times []int64
	for id := range g.threads {
		if g.threads[id].near == nil {
			continue
		}
		for _, gap := range g.gaps.of(trace.ThreadID(id), g.threads[id].near).gaps {
			if gap.us >= from && gap.us < to {
				times = append(times, slices.Repeat([]int64{gap.us}, int(min(gap.times, maxRepeat)))...)
			}
		}
	}
	if len(times) == 0 {
		return interval
	}
	slices.Sort(times)
	return time.Duration(times[len(times)/2]) * time.Microsecond
}

// maxRepeat limits the weight of one gap: a thread with more repetitions has a measurable period of
// its own.
const maxRepeat = 1000
