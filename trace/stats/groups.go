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
	later    int64 // events that began no group
	many     int64 // groups with more than one event
	own      trace.Nesting
	followed *trace.Nesting // instead of own; nil: own
	threads  []groupState
	gaps     gapCounts // how often each distance of two groups of a thread came
}

// groupState is what Groups remembers of a thread.
type groupState struct {
	last   Stamp       // of the group
	near   *nearCounts // of gaps; nil: the thread has had no event
	events int64
	group  groupHas
	behind int64 // exits after an enter in the group
	later  int64 // events that began no group
	first  Stamp
}

// groupHas is what a group has, in bits.
type groupHas uint8

const (
	hasEnter groupHas = 1 << iota
	hasMore           // than one event
)

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
	threads, close := g.threads, int64(0)
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(threads) {
			g.threads = append(g.threads, make([]groupState, int(e.Thread)+1-len(g.threads))...)
			threads = g.threads
		}
		t := &threads[e.Thread]
		t.events++
		if e.Action == trace.Unwind {
			g.Unwinds++
		}
		// No branch depends on whether e enters or leaves, as in [trace.DepthAfter].
		enters := 1 - groupHas(min(e.Action, 1))
		wall, cpu := e.Wall-t.last.Wall, e.CPU-t.last.CPU
		if wall|cpu == 0 || t.near == nil {
			g.addLater(t, e, enters)
			continue
		}
		if t.group >= hasMore {
			g.end(t)
		}
		t.last, t.group = Stamp{e.Wall, e.CPU}, enters
		if max(wall, cpu) < closeGap { // there may be one clock only
			close++
		}
		if wall > 0 && wall <= maxGap {
			g.gaps.add(e.Thread, t.near, uint64(wall)/uint64(time.Microsecond))
		}
	}
	g.close += close
	g.Events += int64(len(p))
	g.Total = g.Events - g.later
	g.Single = g.Total - g.many
	return nil
}

// addLater takes in an event that begins no group, or is its thread's first.
func (g *Groups) addLater(t *groupState, e *trace.Event, enters groupHas) {
	if t.near == nil {
		t.near = new(nearCounts)
		t.first = Stamp{e.Wall, e.CPU}
		t.last, t.group = t.first, enters
		return
	}
	g.later++
	t.later++
	if t.group < hasMore {
		t.group |= hasMore
		g.many++
	}
	t.behind += int64(t.group & hasEnter &^ enters)
	t.group |= enters
}

// end ends the group of thread t, which has more than one event.
func (g *Groups) end(t *groupState) {
	if t.last.Wall != 0 {
		g.ExitAfterEnter += t.behind
	}
	t.behind = 0
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

// fewGroups is how many groups are enough where they are as no instrumented trace has them: half
// of them with several events, which a tracer that reads clocks at every event cannot write in
// one step of them but by chance, and none close to the one before.
const fewGroups = 4

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
	few := g.Total < minGroups && impossible == 0
	if g.Total == 0 || few && (g.Total < fewGroups || g.close > 0 || 2*g.Single > g.Total) {
		return trace.UnknownTechnique, fmt.Sprintf("only %d groups of events with equal stamps", g.Total)
	}
	share, evidence := g.evidence()
	if few {
		return trace.Sampled, evidence + fmt.Sprintf(", and no two groups of a thread are closer than %s", closeGap)
	}
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

// closeShare is the share of groups close to the one before in their thread
// above which a trace of CPU times alone is instrumented. A thread that is
// sampled while it wakes and waits again has a few microseconds between two
// samples: of built-in apps that ART's samplers would have recorded, 16 % of the
// groups at most are that close (network-client at 1 ms).
const closeShare = 0.2

// techniqueOfCPU is [Groups.Technique] for a trace of CPU times alone. Groups
// say less there: a call that takes less than a microsecond of CPU time shares
// its stamp with the next, so that an instrumented trace has groups of many
// events, and while a thread waits all its samples have one stamp. What tells is
// how close groups are: samples of a running thread are an interval apart.
func (g *Groups) techniqueOfCPU() (trace.Technique, string) {
	never := g.Unwinds + g.Nesting().Orphans + g.Nesting().Mismatches // what no sampler writes
	if g.Total == 0 || g.Total < minGroups && never == 0 {
		return g.Technique()
	}
	single, evidence := g.evidence()
	near := float64(g.close) / float64(g.Total)
	evidence += fmt.Sprintf(", %.1f %% of the groups are less than %s of CPU time behind the last of their thread", 100*near, closeGap)
	switch {
	case near > closeShare, float64(never) >= damage*float64(g.Total) && never > 0:
		return trace.Instrumented, evidence
	case never > 0:
		return trace.UnknownTechnique, evidence
	case single <= 0.5 || near == 0:
		return trace.Sampled, evidence
	case single > 0.9 && near > damage:
		// A sampled trace whose groups have one event is of a shallow app that
		// never waits between two samples, so no group is near.
		return trace.Instrumented, evidence
	}
	return trace.UnknownTechnique, evidence
}
