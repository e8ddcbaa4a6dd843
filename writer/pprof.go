package writer

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"artifice/calltree"
	"artifice/trace"
	"artifice/trace/stats"
)

var pprofFormat = Format{
	Name: "pprof", Description: "profile for go tool pprof", Endings: []string{".pb.gz", ".pb", ".pprof"}, Binary: true, Until: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		return NewPprof(w, rec, PprofConfig{Interval: o.Interval, Until: o.Until})
	},
}

// PprofConfig is what the trace does not tell about the profile to be written.
type PprofConfig struct {
	Interval time.Duration      // nominal sampling period; 0 takes Info.Interval, and where that is 0 too a sampled trace's is estimated
	Until    calltree.EndPolicy // how long frames go on that are open at the end; default: to their thread's last event
	Name     string             // what pprof shows as the profiled file; empty shows none
}

// Pprof is a trace.WriteCloser that makes a profile in the format of
// github.com/google/pprof, not compressed. The profile is written by Close.
//
// Its sample types are calls/count (enters of the innermost frame), or
// samples/count where the samples are known, then wall/nanoseconds and
// cpu/nanoseconds as far as the trace has these clocks; wall is the default.
// Each sample has the labels thread and tid. Whose the time between two events
// is, and what becomes of events that do not nest, is told in package calltree.
// Time with no frame open goes to the frame "(toplevel)", so that the total of a
// thread is its last event minus its first.
//
// Samples are known when WriteSnapshot was called: then the profile is made of
// the snapshots alone, and events, which tell the same with less, do not count.
//
// Memory is that of the tree of distinct stacks: Close writes them one by one,
// which is why the profile is not put together with pprof's own library; that
// one reads it back in the tests. The same input gives the same bytes.
type Pprof struct {
	w      io.Writer
	rec    *trace.Recording
	cfg    PprofConfig
	stacks stackBuilder
	groups stats.Groups
	stats  ProfileStats
}

// ProfileStats is what a profile's writer met and made of it; complete after
// Close.
type ProfileStats struct {
	calltree.Stats
	Samples  int64         // samples taken, where they are known
	Stacks   int64         // distinct stacks written, counted per thread
	MaxDepth int           // stacks were cut to that many outermost frames; 0 when all are whole
	Period   time.Duration // what the profile states; 0 when it states none
	Guessed  bool          // Period is an estimate
}

// toplevelName is the frame of time with no frame open; dmtracedump and
// Traceview use the same.
const toplevelName = "(toplevel)"

// groupsWanted is how many events the estimate of the period looks at.
const groupsWanted = 1 << 16

// stackFrames is how many frames all stacks of a profile together may have:
// enough for any program (32 for each event, and at least 8 Mi), and a bound for
// a trace that recurses without end.
func stackFrames(events int64) int64 { return max(1<<23, 32*events) }

// NewPprof returns a writer of rec's events as a profile on w. It reads rec's
// Info and Symbols when it is closed, and rec.Events never.
func NewPprof(w io.Writer, rec *trace.Recording, cfg PprofConfig) (*Pprof, error) {
	if cfg.Interval < 0 {
		return nil, fmt.Errorf("pprof: negative sampling interval %v", cfg.Interval)
	}
	return &Pprof{w: w, rec: rec, cfg: cfg, stacks: newStackBuilder()}, nil
}

// WriteEvents implements [trace.Writer]. It never fails.
func (p *Pprof) WriteEvents(events []trace.Event) error {
	if rest := groupsWanted - p.groups.Events; rest > 0 && p.wantsPeriod() {
		p.groups.WriteEvents(events[:min(int64(len(events)), rest)])
	}
	return p.stacks.events.WriteEvents(events)
}

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (p *Pprof) WriteSnapshot(s *trace.Snapshot) error { return p.stacks.writeSnapshot(s) }

// Stats returns what the writer met. It is complete after Close.
func (p *Pprof) Stats() ProfileStats { return p.stats }

// Close writes the profile. It fails when w does, or when events use symbols
// that rec lacks.
func (p *Pprof) Close() error {
	tree, stats := p.stacks.finish(&p.rec.Info, p.cfg.Until)
	p.stats = stats
	out := newProfileWriter(p.w, p.rec)
	p.describe(out)
	maxDepth, err := out.tree(tree, stackFrames(p.stats.Events+p.stats.Samples))
	if err != nil {
		return fmt.Errorf("pprof: %w", err)
	}
	p.stats.Stacks = out.samples
	p.stats.MaxDepth = maxDepth
	out.tables(p.cfg.Name)
	return out.close(p.comments())
}

// tree writes the stacks of all threads, of so many frames together, and returns how
// deep they are cut for that; 0 where all are whole.
func (p *profileWriter) tree(tree *calltree.Tree, frames int64) (maxDepth int, err error) {
	maxDepth = tree.DepthWithin(frames)
	for id := range tree.Threads() {
		if tree.Root(trace.ThreadID(id)) == calltree.NoNode {
			continue
		}
		if err := p.thread(trace.ThreadID(id)); err != nil {
			return 0, err
		}
		if err := tree.Stacks(trace.ThreadID(id), maxDepth, p.stack); err != nil {
			return 0, err
		}
	}
	if maxDepth == math.MaxInt {
		maxDepth = 0
	}
	return maxDepth, nil
}

// wantsPeriod reports whether the period is to be estimated if it can be.
func (p *Pprof) wantsPeriod() bool {
	t := p.rec.Info.Technique
	return p.cfg.Interval == 0 && p.rec.Info.Interval == 0 && (t == trace.UnknownTechnique || t == trace.Sampled)
}

// describe writes all that is not a stack, nor of one.
func (p *Pprof) describe(out *profileWriter) {
	const ns = "nanoseconds"
	clock := p.rec.Info.Clock
	if p.stacks.snapshots != nil {
		out.valueType(profileSampleType, "samples", "count")
	} else {
		out.valueType(profileSampleType, "calls", "count")
	}
	if clock.HasWall() {
		out.valueType(profileSampleType, "wall", ns)
	}
	if clock.HasCPU() {
		out.valueType(profileSampleType, "cpu", ns)
	}
	out.number(profileDefaultSample, out.text(mainClock(clock)))
	out.number(profileDuration, int64(max(p.rec.Info.Elapsed, p.stats.Last)))
	if p.rec.Info.VM == "dalvik" { // ART's start time is not a date
		out.number(profileTime, int64(p.rec.Info.Start))
	}
	// The type of the period stands in profiles without a period, too: pprof
	// compares only profiles of one type.
	p.setPeriod()
	out.valueType(profilePeriodType, mainClock(clock), ns)
	if p.stats.Period > 0 {
		out.number(profilePeriod, int64(p.stats.Period))
	}
}

func (p *Pprof) setPeriod() {
	switch {
	case p.cfg.Interval > 0:
		p.stats.Period = p.cfg.Interval
	case p.rec.Info.Interval > 0:
		p.stats.Period = p.rec.Info.Interval
	case p.wantsPeriod():
		technique, _ := p.groups.Technique()
		if estimate, ok := p.groups.Period(); ok && technique == trace.Sampled {
			p.stats.Period, p.stats.Guessed = estimate.Median, true
		}
	}
}

// comments says in the profile what its numbers do not.
func (p *Pprof) comments() []string {
	var c []string
	if p.stats.Guessed {
		c = append(c, fmt.Sprintf("period %v is an estimate: a method trace does not state it", p.stats.Period))
	}
	return append(c, p.Notes()...)
}

// Notes returns, after Close, what the profile leaves out or had to assume, a
// sentence each; nothing for most traces.
func (p *Pprof) Notes() []string { return p.stats.notes() }

func (s *ProfileStats) notes() []string {
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if s.LeftOut > 0 {
		note("%d frames are open at the end; %v from their threads' last events to the stop are left out", s.OpenFrames, s.LeftOut)
	}
	if s.Orphans > 0 {
		note("%d exits have no entry: their calls began before the trace and enclose what their threads did until then", s.Orphans)
	}
	if s.Mismatches > 0 {
		note("%d exits name another method than the innermost; each closes the innermost frame", s.Mismatches)
	}
	if s.StepsBack > 0 {
		note("%d events are earlier than the one before on their thread; some times are negative", s.StepsBack)
	}
	if s.MaxDepth > 0 {
		note("stacks of more than %d frames are cut to the outermost %d", s.MaxDepth, s.MaxDepth)
	}
	return notes
}

func mainClock(clock trace.Clock) string {
	if clock.HasWall() {
		return "wall"
	}
	return "cpu"
}

// utf8 returns s fit for a protocol buffer's string, which is valid UTF-8.
func utf8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
