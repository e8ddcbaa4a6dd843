package stats

import (
	"fmt"
	"time"

	"artifice/trace"
)

// Groups determines from the timestamps alone how a trace was recorded.
//
// A group is a run of consecutive events of one thread with equal wall and CPU timestamps. ART's
// sampling mode reads a thread's clocks once per sample, and all exits and enters from the
// comparison of two stacks get this timestamp. Sampled traces therefore have groups of many events,
// exits before enters. The instrumented mode reads the clocks at every event, so nearly all its
// groups have one event. In the traces available, 1 to 1.5 % of the groups of sampled files have
// one event, and all groups of an instrumented one.
//
// Groups is a [trace.Writer]; the zero value is ready to use.
type Groups struct {
	Total  int64 // groups
	Single int64 // groups with one event
	Events int64 // events seen

	// Unwinds, ExitAfterEnter and mismatched exits ([Groups.Nesting]) are evidence of an
	// instrumented trace: no sampler writes them.
	Unwinds int64
	// ExitAfterEnter counts exits after an enter in the same group. It excludes a thread's last
	// group, because a program that closes the open frames at the end of a sampled trace writes
	// exits there. It is 0 without a wall clock, because then all samples of a waiting thread have
	// the same timestamp.
	ExitAfterEnter int64

	close    int64 // groups less than closeGap after the previous one of their thread
	later    int64 // events other than the first of a group
	many     int64 // groups with more than one event
	own      trace.Nesting
	followed *trace.Nesting // counts the mismatched exits in place of own, unless nil
	threads  []groupState
	gaps     gapCounts // histogram of the gaps between groups of a thread
}

// groupState is the state of one thread.
type groupState struct {
	last   Stamp       // timestamp of the group
	near   *nearCounts // short gaps; nil before the first
	events int64
	group  groupHas
	behind int64 // exits after an enter in the group
	later  int64 // events other than the first of a group
	first  Stamp
}

// groupHas is a bit set of properties of a group.
type groupHas uint8

const (
	hasEnter groupHas = 1 << iota
	hasMore           // than one event
)

// groups returns the number of groups of the thread.
func (t *groupState) groups() int64 { return t.events - t.later }

// Stamp is the time of an event on each clock; the time of an absent clock is 0.
type Stamp struct{ Wall, CPU time.Duration }

// Time returns the time on the main axis of clock c, see [trace.Event.Time].
func (s Stamp) Time(c trace.Clock) time.Duration {
	return trace.Event{Wall: s.Wall, CPU: s.CPU}.Time(c)
}

// maxGap is the maximum gap that is counted: no sampler sleeps longer.
const maxGap = time.Second

// closeGap is shorter than the gap between any two samples of a thread, because sleeps overshoot by
// at least that much. An instrumented app has shorter gaps between some of its calls.
const closeGap = 50 * time.Microsecond

// FollowedBy makes g use the mismatched exits of n, which receives the same events, instead of
// tracking stacks itself. It is called before the first event. n must have received all events of g
// before the technique is queried.
func (g *Groups) FollowedBy(n *trace.Nesting) { g.followed = n }

// Nesting returns the counts of mismatched exits.
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
		// The code does not branch on the action of e, as in [trace.DepthAfter].
		enters := 1 - groupHas(min(e.Action, 1))
		wall, cpu := e.Wall-t.last.Wall, e.CPU-t.last.CPU
		if wall|cpu == 0 || t.events == 1 {
			g.addLater(t, e, enters)
			continue
		}
		if t.group >= hasMore {
			g.end(t)
		}
		t.last, t.group = Stamp{e.Wall, e.CPU}, enters
		if max(wall, cpu) < closeGap { // an absent clock has differences of 0
			close++
		}
		if wall > 0 && wall <= maxGap {
			g.gaps.add(e.Thread, &t.near, uint64(wall)/uint64(time.Microsecond))
		}
	}
	g.close += close
	g.Events += int64(len(p))
	g.Total = g.Events - g.later
	g.Single = g.Total - g.many
	return nil
}

// addLater processes an event that does not begin a group, or is its thread's first.
func (g *Groups) addLater(t *groupState, e *trace.Event, enters groupHas) {
	if t.events == 1 {
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

// end ends the group of thread t. The group has more than one event.
func (g *Groups) end(t *groupState) {
	if t.last.Wall != 0 {
		g.ExitAfterEnter += t.behind
	}
	t.behind = 0
}

// Add processes one event and reports whether it begins a group.
func (g *Groups) Add(e trace.Event) (begins bool) {
	before := g.Total
	g.WriteEvents([]trace.Event{e})
	return g.Total > before
}

// minGroups is the minimum number of groups for a verdict based on their sizes only.
const minGroups = 20

// fewGroups is the number of groups sufficient for a verdict if half of them have several events
// and none is close to the previous one. In an instrumented trace that occurs only by chance,
// because the tracer reads the clocks at every event and two reads rarely return equal times.
const fewGroups = 4

// damage limits the share of groups that contain events no sampler writes. Up to this share they
// may be due to a damaged file.
const damage = 0.01

// TechniqueOf determines how the trace described by info was recorded: as stated by the source,
// otherwise by the timestamps ([Groups.Technique]). Marks are recorded when sections begin and end,
// so regular marks do not imply sampling; only groups of many events do, in a sampled trace that
// was converted to marks.
func (g *Groups) TechniqueOf(info *trace.Info) (t trace.Technique, evidence string) {
	if info.Technique != trace.UnknownTechnique {
		return info.Technique, "stated in the source"
	}
	if info.Quantity.IsSet() {
		return trace.UnknownTechnique, "a profile of " + info.Quantity.Describe()
	}
	if info.Marked && 2*g.Single > g.Total {
		return trace.Instrumented, "sections of code, recorded at their begins and ends"
	}
	if info.Clock.HasCPU() && !info.Clock.HasWall() {
		return g.techniqueOfCPU()
	}
	return g.Technique()
}

// Technique determines how the trace was recorded, and returns the evidence in a sentence. It
// returns UnknownTechnique if the evidence is insufficient or contradictory.
func (g *Groups) Technique() (trace.Technique, string) {
	n := g.Nesting()
	impossible := g.Unwinds + n.Orphans + n.Mismatches + g.ExitAfterEnter
	few := g.Total < minGroups && impossible == 0
	if g.Total == 0 || few && (g.Total < fewGroups || g.close > 0 || 2*g.Single > g.Total) {
		return trace.UnknownTechnique, fmt.Sprintf("only %d timestamps, too few to decide", g.Total)
	}
	share, evidence := g.evidence()
	if few {
		return trace.Sampled, evidence + fmt.Sprintf("; no two timestamps of a thread are closer than %s, as in sampled traces", closeGap)
	}
	unlikeSamples := float64(g.Unwinds+g.ExitAfterEnter) >= damage*float64(g.Total) && g.Unwinds+g.ExitAfterEnter > 0
	switch {
	case share > 0.5 && impossible == 0 && g.close == 0:
		// A shallow app: only its innermost frame changes between samples.
		return trace.Sampled, evidence + fmt.Sprintf("; but no two timestamps of a thread are closer than %s, as in sampled traces", closeGap)
	case share > 0.5:
		return trace.Instrumented, evidence
	case unlikeSamples:
		return trace.Instrumented, evidence + "; the clock resolution is so coarse that many events have equal timestamps"
	case impossible == 0:
		return trace.Sampled, evidence
	}
	return trace.UnknownTechnique, evidence
}

// evidence returns the share of groups with one event, and a description of the evidence.
func (g *Groups) evidence() (single float64, words string) {
	single = float64(g.Single) / float64(g.Total)
	return single, fmt.Sprintf("%.1f %% of %d timestamps have a single event (a low share suggests sampling, a high one instrumentation); "+
		"signs of instrumentation: %d exits without entry, %d unwinds, %d exits after an entry at the same timestamp",
		100*single, g.Total, g.Nesting().Orphans, g.Unwinds, g.ExitAfterEnter)
}

// closeShare is the share of groups close to the previous one of their thread above which a trace
// with CPU times only is instrumented. Samples of a thread that wakes and waits in between are a
// few microseconds apart: in emulated recordings of the built-in apps by ART's samplers, at most 16
// % of the groups are that close (network-client at 1 ms).
const closeShare = 0.2

// techniqueOfCPU is [Groups.Technique] for a trace with CPU times only. Groups are weaker evidence
// there. A call shorter than a microsecond of CPU time has the same timestamp as the next, so an
// instrumented trace has groups of many events; and all samples of a waiting thread have the same
// timestamp. The evidence is the distance of groups: samples of a running thread are an interval
// apart.
func (g *Groups) techniqueOfCPU() (trace.Technique, string) {
	never := g.Unwinds + g.Nesting().Orphans + g.Nesting().Mismatches // events that no sampler writes
	if g.Total == 0 || g.Total < minGroups && never == 0 {
		return g.Technique()
	}
	single, evidence := g.evidence()
	near := float64(g.close) / float64(g.Total)
	evidence += fmt.Sprintf("; %.1f %% of the timestamps are less than %s of CPU time after the previous one of their thread (a low share suggests sampling)", 100*near, closeGap)
	switch {
	case near > closeShare, float64(never) >= damage*float64(g.Total) && never > 0:
		return trace.Instrumented, evidence
	case never > 0:
		return trace.UnknownTechnique, evidence
	case single <= 0.5 || near == 0:
		return trace.Sampled, evidence
	case single > 0.9 && near > damage:
		// A sampled trace with one event per group is of a shallow app that never waits between two
		// samples, so no group is close to the previous one.
		return trace.Instrumented, evidence
	}
	return trace.UnknownTechnique, evidence
}
