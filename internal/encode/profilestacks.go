package encode

import (
	"fmt"
	"math"
	"time"

	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/calltree"
)

// ProfileStacks is a [trace.Writer] that collects the contents of a profile of a trace: its
// distinct stacks with their counts and times. Package format/pprof writes them. A program that
// makes one profile of many traces also uses this type. Package calltree defines which method the
// time between two events belongs to, and how events that do not nest are handled.
//
// If WriteSnapshot is called, the samples are known. The stacks are then those of the snapshots
// alone. Events are ignored, because they contain the same information in less detail.
//
// Memory is that of the tree of distinct stacks.
type ProfileStacks struct {
	rec    *trace.Recording
	cfg    ProfileConfig
	stacks StackBuilder
	stats  ProfileStats
	tree   *calltree.Tree // from Finish on
}

// ProfileConfig is the configuration of a profile in addition to the trace.
type ProfileConfig struct {
	Interval time.Duration      // nominal sampling period; 0: Info.Interval, and if that is 0 too, an estimate for sampled traces
	Until    calltree.EndPolicy // end of frames that are open at the end
}

// ProfileStats counts the events of a trace and the stacks of its profile. It is complete after
// Finish, except Stacks, MaxDepth and Negative, which are complete after Each.
type ProfileStats struct {
	calltree.Stats
	Samples  int64         // number of samples, if known
	Stacks   int64         // distinct stacks, counted per thread
	MaxDepth int           // stacks were cut to this number of outermost frames; 0: none was cut
	Period   time.Duration // between samples; 0: unknown
	Guessed  bool          // Period is an estimate
	Negative int64         // negative times, each written as 0
}

// StackFrames returns the maximum number of frames of all stacks of a profile together: enough for
// any program (32 for each event, and at least 8 Mi), and a limit for a trace with endless
// recursion.
func StackFrames(events int64) int64 { return max(1<<23, 32*events) }

// NewProfileStacks returns a writer of rec's events. It reads rec's Info and Symbols only from
// Finish on, and never rec.Events.
func NewProfileStacks(rec *trace.Recording, cfg ProfileConfig) (*ProfileStacks, error) {
	if cfg.Interval < 0 {
		return nil, fmt.Errorf("pprof: negative sampling interval %v", cfg.Interval)
	}
	return &ProfileStacks{rec: rec, cfg: cfg, stacks: NewStackBuilder(rec)}, nil
}

// WriteEvents implements [trace.Writer]. It never fails.
func (p *ProfileStacks) WriteEvents(events []trace.Event) error {
	return p.stacks.WriteEvents(events)
}

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (p *ProfileStacks) WriteSnapshot(s *trace.Snapshot) error { return p.stacks.WriteSnapshot(s) }

// Finish ends the trace. It is called once, after the last event.
func (p *ProfileStacks) Finish() {
	p.tree, p.stats = p.stacks.Finish(p.cfg.Until)
	if p.rec.Info.Quantity.Signed { // they are no faults of a clock
		p.stats.StepsBack = 0
	}
	p.setPeriod()
}

// Each calls thread for every thread that has a stack, and after it stack for each of its stacks,
// callers before callees. It skips stacks without a count or a time, and replaces negative times
// by 0, because no viewer supports them, except in a difference. It fails if thread or stack fails,
// for example because the recording lacks a symbol of the events.
func (p *ProfileStacks) Each(thread func(trace.ThreadID) error, stack func(*calltree.Stack) error) error {
	p.stats.Stacks, p.stats.Negative = 0, 0
	count := func(s *calltree.Stack) error {
		p.stats.Stacks++
		for _, t := range []*time.Duration{&s.Self.Wall, &s.Self.CPU} {
			if *t < 0 && !p.rec.Info.Quantity.Signed {
				*t = 0
				p.stats.Negative++
			}
		}
		return stack(s)
	}
	maxDepth, err := EachStack(p.tree, StackFrames(p.stats.Events+p.stats.Samples), thread, count)
	if err != nil {
		return fmt.Errorf("pprof: %w", err)
	}
	p.stats.MaxDepth = maxDepth
	return nil
}

// EachStack calls thread for every thread that has a stack, and after it stack for its stacks,
// until they have the given number of frames together. It returns the depth to which stacks were
// cut for that limit, or 0 if none was cut.
func EachStack(tree *calltree.Tree, frames int64, thread func(trace.ThreadID) error, stack func(*calltree.Stack) error) (maxDepth int, err error) {
	maxDepth = tree.DepthWithin(frames)
	for id := range tree.Threads() {
		if tree.Root(trace.ThreadID(id)) == calltree.NoNode {
			continue
		}
		if err := thread(trace.ThreadID(id)); err != nil {
			return 0, err
		}
		if err := tree.Stacks(trace.ThreadID(id), maxDepth, stack); err != nil {
			return 0, err
		}
	}
	if maxDepth == math.MaxInt {
		maxDepth = 0
	}
	return maxDepth, nil
}

// Sampled reports whether the events so far, or the recording's Info, show that it is sampled.
func (p *ProfileStacks) Sampled() bool {
	return p.stacks.detector.Technique(&p.rec.Info) == trace.Sampled
}

// Counts returns what the count of a stack is a number of: "samples", "calls", or "" if the source
// contains sums of times whose samples are unknown.
func (p *ProfileStacks) Counts() string {
	switch {
	case !p.stacks.HasSamples():
		return "calls"
	case p.stacks.sums && p.rec.Info.Technique == trace.UnknownTechnique:
		return ""
	}
	return "samples"
}

// Clock returns the clocks of the profile's times, which are those of the trace. It is known after
// Finish.
func (p *ProfileStacks) Clock() trace.Clock { return p.rec.Info.Clocks() }

// Stats returns the statistics of the trace and its profile.
func (p *ProfileStacks) Stats() ProfileStats { return p.stats }

// Duration returns the time from the start to the stop, or to the last event if that is later. It
// is known after Finish.
func (p *ProfileStacks) Duration() time.Duration { return max(p.rec.Info.Elapsed, p.stats.Last) }

func (p *ProfileStacks) setPeriod() {
	switch {
	case p.cfg.Interval > 0:
		p.stats.Period = p.cfg.Interval
	case p.Counts() == "": // Info.Interval is the unit of the sums
	case p.rec.Info.Interval > 0:
		p.stats.Period = p.rec.Info.Interval
	case p.Sampled():
		if estimate, ok := p.stacks.detector.Period(); ok {
			p.stats.Period, p.stats.Guessed = estimate.Median, true
		}
	}
}

// Comments returns explanations of the profile's numbers, to be stored in the profile.
func (p *ProfileStacks) Comments() []string {
	var c []string
	if p.stats.Guessed {
		c = append(c, fmt.Sprintf("period %v is an estimate: its source does not state it", p.stats.Period))
	}
	return append(c, p.Notes()...)
}

// Notes returns, after Each, what the profile omits or assumes, one sentence each; none for most
// traces.
func (p *ProfileStacks) Notes() []string { return p.stats.Notes() }

// Notes returns what the profile omits or assumes, one sentence each.
func (s *ProfileStats) Notes() []string {
	as := calltree.Handling{Orphans: "encloses all earlier events of its thread", StepsBack: "may make a time too short"}
	if s.LeftOut > 0 {
		as.OpenFrames = fmt.Sprintf("ends with its thread, or at the thread's last event if the end of the thread is unknown; the time from the last events to the stop of tracing is not counted (%v over all threads)", s.LeftOut)
	}
	notes := s.Stats.Notes(as)
	if s.Negative > 0 {
		notes = append(notes, words.Count(s.Negative, "stack")+" would have a time below 0, because a clock went back; it is 0")
	}
	if s.MaxDepth > 0 {
		notes = append(notes, CutStacks(s.MaxDepth))
	}
	return notes
}

// CutStacks returns the note of a profile with stacks cut to depth frames.
func CutStacks(depth int) string {
	return fmt.Sprintf("stacks of more than %d frames are cut to the outermost %d", depth, depth)
}
