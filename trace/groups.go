package trace

import (
	"fmt"
	"slices"
	"time"
)

// Groups tells how a trace was recorded from its stamps alone.
//
// A group is a run of consecutive events of one thread with equal wall and CPU
// stamps. ART's sampling mode reads a thread's clocks once per sample and gives
// this stamp to every exit and enter that the comparison of two stacks yields,
// so sampled traces have groups of many events, exits before enters; the
// instrumented mode reads the clocks at every event, so nearly all its groups
// have one. In the traces at hand 1 to 1.5 % of the groups of sampled files hold
// one event, and all of those of an instrumented one.
//
// Groups is a Writer; the zero value is ready.
type Groups struct {
	Total  int64 // groups
	Single int64 // groups with one event
	Events int64 // events seen
	Close  int64 // groups less than closeGap behind the one before in their thread

	// What no sampler writes: evidence of an instrumented trace.
	Unwinds    int64
	Orphans    int64 // exits with no frame open
	Mismatches int64 // exits of another method than the innermost

	// ExitAfterEnter counts exits behind an enter in one group. A thread's last
	// group does not count: whoever leaves the frames that are open at the end of
	// a sampled trace puts exits there. Nor does any where there is no wall clock:
	// then all samples of a thread that waits have one stamp.
	ExitAfterEnter int64

	stacks  Stacks
	threads []groupState
}

// groupState is what Groups remembers of a thread.
type groupState struct {
	last   Event
	size   int64
	enters bool            // the group has an enter
	behind int64           // exits behind an enter in the group
	gaps   map[int64]int64 // how often each distance of two groups came, by whole us
	groups int64
}

// maxGap bounds the distances that are counted: no sampler sleeps longer, and
// the tables stay small.
const maxGap = time.Second

// closeGap is less than any sampler leaves between two samples of a thread:
// sleeps overshoot by as much. An instrumented app is never that long without a
// call, all the time on all threads.
const closeGap = 50 * time.Microsecond

// WriteEvents implements [Writer]. It never fails.
func (g *Groups) WriteEvents(p []Event) error {
	for _, e := range p {
		g.add(e)
	}
	return nil
}

func (g *Groups) add(e Event) {
	for int(e.Thread) >= len(g.threads) {
		g.threads = append(g.threads, groupState{})
	}
	t := &g.threads[e.Thread]
	if t.size == 0 || e.Wall != t.last.Wall || e.CPU != t.last.CPU {
		g.begin(t, e)
	}
	t.size++
	switch t.size {
	case 1:
		g.Single++
	case 2:
		g.Single--
	}
	if e.Action == Enter {
		t.enters = true
	} else if t.enters {
		t.behind++
	}
	if e.Action == Unwind {
		g.Unwinds++
	}
	switch g.stacks.Apply(e) {
	case Orphan:
		g.Orphans++
	case Mismatch:
		g.Mismatches++
	}
	t.last = e
	g.Events++
}

// begin starts a new group of thread t with event e.
func (g *Groups) begin(t *groupState, e Event) {
	gap := e.Wall - t.last.Wall
	if t.size > 0 && gap < closeGap {
		g.Close++
	}
	if t.size > 0 && gap > 0 && gap <= maxGap {
		if t.gaps == nil {
			t.gaps = map[int64]int64{}
		}
		t.gaps[gap.Microseconds()]++
	}
	if t.last.Wall != 0 {
		g.ExitAfterEnter += t.behind
	}
	t.size, t.enters, t.behind = 0, false, 0
	t.groups++
	g.Total++
}

// minGroups is how many groups a verdict needs that has nothing but their sizes
// to go by.
const minGroups = 20

// Technique tells how the trace was recorded, and the evidence in a sentence.
// It answers UnknownTechnique when there is too little to go by or the evidence
// disagrees.
func (g *Groups) Technique() (Technique, string) {
	impossible := g.Unwinds + g.Orphans + g.Mismatches + g.ExitAfterEnter
	if g.Total == 0 || g.Total < minGroups && impossible == 0 {
		return UnknownTechnique, fmt.Sprintf("only %d groups of events with equal stamps", g.Total)
	}
	share := float64(g.Single) / float64(g.Total)
	evidence := fmt.Sprintf("%.1f %% of %d groups of equal stamps hold one event, "+
		"%d exits without an entry, %d unwinds, %d exits behind an enter in their group",
		100*share, g.Total, g.Orphans, g.Unwinds, g.ExitAfterEnter)
	switch {
	case share > 0.5 && impossible == 0 && g.Close == 0:
		// A shallow app: only its innermost frame changes between samples.
		return Sampled, evidence + fmt.Sprintf(", but no two groups of a thread are closer than %s", closeGap)
	case share > 0.5:
		return Instrumented, evidence
	case impossible == 0:
		return Sampled, evidence
	}
	return UnknownTechnique, evidence
}

// Period is an estimate of the sampling period of a sampled trace.
type Period struct {
	Thread ThreadID      // the thread it was taken from: the one with the most groups
	Median time.Duration // median of the distances of one period
	Low    time.Duration // 1 % quantile of the same
	Gaps   int64         // how many distances there were
}

// Period estimates the period from the busiest thread. A distance between two
// of its groups is taken as one period, not several, when it is below 1.5 times
// the 5 % quantile of all its distances. It reports false when there are fewer
// than minGroups distances.
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
	if all.total < minGroups {
		return Period{}, false
	}
	single := all.below(1.5 * float64(all.quantile(0.05)))
	return Period{
		Thread: ThreadID(busiest),
		Median: time.Duration(single.quantile(0.5)) * time.Microsecond,
		Low:    time.Duration(single.quantile(0.01)) * time.Microsecond,
		Gaps:   single.total,
	}, true
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
