package stats

import (
	"fmt"
	"time"

	"artifice/trace"
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
// Groups is a [trace.Writer]; the zero value is ready.
type Groups struct {
	Total  int64 // groups
	Single int64 // groups with one event
	Events int64 // events seen

	// What no sampler writes is evidence of an instrumented trace: these, and exits that do
	// not fit ([Groups.Nesting]).
	Unwinds int64
	// ExitAfterEnter counts exits after an enter in one group. A thread's last
	// group does not count: a program that closes the frames still open at
	// the end of a sampled trace puts exits there. Nor does any where there is no wall clock:
	// then all samples of a thread that waits have one stamp.
	ExitAfterEnter int64

	close    int64 // groups less than closeGap after the one before in their thread
	own      trace.Nesting
	followed *trace.Nesting // instead of own; nil: own
	threads  []groupState
	gaps     gapCounts // how often each distance of two groups of a thread came
}

// groupState is what Groups remembers of a thread.
type groupState struct {
	last    Stamp // of the group
	events  int64
	later   int64 // of these, events that began no group
	behind  int64 // exits after an enter in the group
	entered uint8 // 1: the group has an enter
	more    bool  // the group has more than one event
	first   Stamp
}

// groups returns how many groups the thread has.
func (t *groupState) groups() int64 { return t.events - t.later }

// Stamp is what a thread's clocks showed at an event; one that the trace has not is 0.
type Stamp struct{ Wall, CPU time.Duration }

// Time returns the stamp on clock c's main axis, as [trace.Event.Time] does.
func (s Stamp) Time(c trace.Clock) time.Duration {
	return trace.Event{Wall: s.Wall, CPU: s.CPU}.Time(c)
}

// maxGap bounds the distances that are counted: no sampler sleeps longer.
const maxGap = time.Second

// closeGap is less than any sampler leaves between two samples of a thread:
// sleeps overshoot by as much. An instrumented app is never that long without a
// call, all the time on all threads.
const closeGap = 50 * time.Microsecond

// FollowedBy makes n, which follows the stacks of the same events anyway, tell which exits do
// not fit. It is called before the first event, and the technique is asked for when n has seen
// all that g has.
func (g *Groups) FollowedBy(n *trace.Nesting) { g.followed = n }

// Nesting returns what is known of exits that do not fit.
func (g *Groups) Nesting() *trace.Nesting {
	if g.followed != nil {
		return g.followed
	}
	return &g.own
}

// WriteEvents implements [trace.Writer]. It never fails.
func (g *Groups) WriteEvents(p []trace.Event) error {
	if g.followed == nil {
		g.own.Add(p)
	}
	g.Events += int64(len(p))
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(g.threads) {
			g.threads = append(g.threads, make([]groupState, int(e.Thread)+1-len(g.threads))...)
		}
		t := &g.threads[e.Thread]
		leaves := min(uint8(e.Action), 1) // and no branch depends on it, as in [trace.DepthAfter]
		if e.Action == trace.Unwind {
			g.Unwinds++
		}
		if gap := e.Wall - t.last.Wall; gap != 0 || e.CPU != t.last.CPU || t.events == 0 {
			g.begin(t, e, gap)
			t.entered, t.more = 1-leaves, false
		} else {
			t.later++
			if !t.more {
				t.more = true
				g.Single--
			}
			t.behind += int64(t.entered & leaves)
			t.entered |= 1 - leaves
		}
		t.events++
	}
	return nil
}

// begin begins a group of thread t with event e, so long after the event before.
func (g *Groups) begin(t *groupState, e *trace.Event, gap time.Duration) {
	if t.events == 0 {
		t.first = Stamp{e.Wall, e.CPU}
	} else {
		if max(gap, e.CPU-t.last.CPU) < closeGap { // there may be one clock only
			g.close++
		}
		if gap > 0 && gap <= maxGap {
			g.gaps.add(e.Thread, uint64(gap)/uint64(time.Microsecond))
		}
	}
	if t.behind > 0 {
		if t.last.Wall != 0 {
			g.ExitAfterEnter += t.behind
		}
		t.behind = 0
	}
	t.last = Stamp{e.Wall, e.CPU}
	g.Total++
	g.Single++
}

// Add takes in one event and reports whether it begins a group.
func (g *Groups) Add(e trace.Event) (begins bool) {
	before := g.Total
	g.WriteEvents([]trace.Event{e})
	return g.Total > before
}

// minGroups is how many groups a verdict needs that has nothing but their sizes
// to go by.
const minGroups = 20

// damage is the share of groups up to which what no sampler writes may be a
// fault of the file.
const damage = 0.01

// TechniqueOf tells how the trace that info is of was recorded: as the source
// says itself, or by the stamps ([Groups.Technique]).
func (g *Groups) TechniqueOf(info *trace.Info) (t trace.Technique, evidence string) {
	if info.Technique != trace.UnknownTechnique {
		return info.Technique, "the source says so"
	}
	if info.Clock.HasCPU() && !info.Clock.HasWall() {
		return g.techniqueOfCPU()
	}
	return g.Technique()
}

// Technique tells how the trace was recorded, and the evidence in a sentence.
// It answers UnknownTechnique when there is too little to go by or the evidence
// disagrees.
func (g *Groups) Technique() (trace.Technique, string) {
	n := g.Nesting()
	impossible := g.Unwinds + n.Orphans + n.Mismatches + g.ExitAfterEnter
	if g.Total == 0 || g.Total < minGroups && impossible == 0 {
		return trace.UnknownTechnique, fmt.Sprintf("only %d groups of events with equal stamps", g.Total)
	}
	share, evidence := g.evidence()
	unlikeSamples := float64(g.Unwinds+g.ExitAfterEnter) >= damage*float64(g.Total) && g.Unwinds+g.ExitAfterEnter > 0
	switch {
	case share > 0.5 && impossible == 0 && g.close == 0:
		// A shallow app: only its innermost frame changes between samples.
		return trace.Sampled, evidence + fmt.Sprintf(", but no two groups of a thread are closer than %s", closeGap)
	case share > 0.5:
		return trace.Instrumented, evidence
	case unlikeSamples:
		return trace.Instrumented, evidence + ": the clock steps so far that many events have equal stamps"
	case impossible == 0:
		return trace.Sampled, evidence
	}
	return trace.UnknownTechnique, evidence
}

// evidence returns the share of groups with one event, and in words what the
// verdicts rest on.
func (g *Groups) evidence() (single float64, words string) {
	single = float64(g.Single) / float64(g.Total)
	return single, fmt.Sprintf("%.1f %% of %d groups of equal stamps hold one event, "+
		"%d exits without an entry, %d unwinds, %d exits behind an enter in their group",
		100*single, g.Total, g.Nesting().Orphans, g.Unwinds, g.ExitAfterEnter)
}
