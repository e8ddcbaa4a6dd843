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
// minGroups distances, too few to rely on.
func (g *Groups) Period() (Period, bool) {
	var busiest int
	for i := range g.threads {
		if g.threads[i].groups > g.threads[busiest].groups {
			busiest = i
		}
	}
	if len(g.threads) == 0 {
		return Period{}, false
	}
	all := sortGaps(g.threads[busiest].gaps)
	limit := 1.5 * float64(all.quantile(0.05))
	single := all.below(limit)
	return Period{
		Thread: trace.ThreadID(busiest),
		Median: time.Duration(single.quantile(0.5)) * time.Microsecond,
		Low:    time.Duration(single.quantile(0.01)) * time.Microsecond,
		Gaps:   single.total,
		Limit:  time.Duration(limit * float64(time.Microsecond)),
	}, all.total >= minGroups
}

// gapTable is a multiset of distances in ascending order.
type gapTable struct {
	us     []int64
	counts map[int64]int64
	total  int64
}

func sortGaps(counts map[int64]int64) gapTable {
	t := gapTable{counts: counts}
	for us, n := range counts {
		t.us = append(t.us, us)
		t.total += n
	}
	slices.Sort(t.us)
	return t
}

// quantile returns the smallest distance that at least share q of them do not
// exceed.
func (t gapTable) quantile(q float64) int64 {
	var seen int64
	for _, us := range t.us {
		if seen += t.counts[us]; float64(seen) >= q*float64(t.total) {
			return us
		}
	}
	return 0
}

// below returns the distances under limit.
func (t gapTable) below(limit float64) gapTable {
	out := gapTable{counts: t.counts}
	for _, us := range t.us {
		if float64(us) < limit {
			out.us = append(out.us, us)
			out.total += t.counts[us]
		}
	}
	return out
}
