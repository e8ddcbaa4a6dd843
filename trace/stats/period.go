package stats

import (
	"slices"
	"time"

	"artifice/trace"
)

// Period is an estimate of the sampling period of a sampled trace.
type Period struct {
	Thread trace.ThreadID // the thread it was taken from: the one with the most groups
	Median time.Duration  // median of the distances of one period
	Low    time.Duration  // 1 % quantile of the same
	Gaps   int64          // how many distances there were
	Limit  time.Duration  // distances from this one up are of several periods
}

// Period estimates the period from the busiest thread. A distance between two
// of its groups is taken as one period, not several, when it is below 1.5 times
// the 5 % quantile of all its distances: a thread whose stack did not change at
// a tick leaves no group there. It reports false when there are fewer than
// minGroups distances, too few to rely on, and when most are shorter than the
// microsecond that they are counted in, which no sampler reaches.
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

// PeriodAt returns the period of a trace that was sampled every interval, and has too few distances
// for [Groups.Period]: a sleep takes longer than asked, and the samples take time besides. It is the
// median of the distances, of all threads, from one interval to two; the interval itself where there is none.
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

// maxRepeat bounds what a distance counts: where a thread has more, the trace tells its period itself.
const maxRepeat = 1000
