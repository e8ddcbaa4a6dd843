package writer

import (
	"fmt"
	"io"
	"strings"
	"time"

	"artifice/calltree"
	"artifice/estimate"
	"artifice/internal/foldfile"
	"artifice/internal/profileproto"
	"artifice/trace"
)

// PprofConfig is what a profile needs beside the trace.
type PprofConfig struct {
	Interval time.Duration      // nominal sampling period; 0 takes Info.Interval, and where that is 0 too a sampled trace's is estimated
	Until    calltree.EndPolicy // how long frames go on that are open at the end; default: to their thread's last event
	Name     string             // what pprof shows as the profiled file; empty shows none

	// WithErrors adds the ends of 95 % intervals (package estimate) as sample types
	// wall-low, wall-high, cpu-low and cpu-high. A stack has its share of the interval
	// of its innermost method, so that flat times add up to the method's, unless that
	// has no time at all; the ends of cumulative times are sums, which is wider than
	// the interval of the sum. Close fails when the trace is not sampled.
	WithErrors bool
}

// Pprof is a trace.WriteCloser that makes a profile in the format of
// github.com/google/pprof, not compressed. The profile is written by Close, and
// has the stacks of [ProfileStacks].
//
// Its sample types are calls/count (enters of the innermost frame), or
// samples/count where the samples are known, then wall/nanoseconds and
// cpu/nanoseconds as far as the trace has these clocks; wall is the default.
// Each sample has the labels thread and tid. Time with no frame open goes to the
// frame "(toplevel)", so that the total of a thread is its last event minus its
// first.
//
// Profiles of sampled traces have the intervals of the longest times as comments.
//
// Memory is that of the tree of distinct stacks: Close writes them one by one,
// which is why the profile is not put together with pprof's own library; that
// one reads it back in the tests. The same input gives the same bytes.
type Pprof struct {
	w io.Writer
	ProfileStacks
	doubted bool                // it is not known yet whether the trace is sampled
	head    []trace.Event       // of a doubted trace: its events so far
	errors  *estimate.Estimator // of a sampled trace
}

// Toplevel is the frame of time with no frame open; dmtracedump and Traceview use
// the same.
const Toplevel = foldfile.Toplevel

// NewPprof returns a writer of rec's events as a profile on w. It reads rec's
// Info and Symbols when it is closed, and rec.Events never.
func NewPprof(w io.Writer, rec *trace.Recording, cfg PprofConfig) (*Pprof, error) {
	stacks, err := NewProfileStacks(rec, cfg)
	if err != nil {
		return nil, err
	}
	return &Pprof{w: w, ProfileStacks: *stacks, doubted: maybeSampled(rec.Info.Technique)}, nil
}

// WriteEvents implements [trace.Writer]. It never fails.
func (p *Pprof) WriteEvents(events []trace.Event) error {
	p.ProfileStacks.WriteEvents(events)
	p.estimateEvents(events)
	return nil
}

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (p *Pprof) WriteSnapshot(s *trace.Snapshot) error {
	p.estimateSnapshot(s)
	return p.ProfileStacks.WriteSnapshot(s)
}

// Close writes the profile. It fails when w does, or when events use symbols
// that rec lacks.
func (p *Pprof) Close() error {
	p.Finish()
	known := p.estimated()
	out := newProfileWriter(p.w, p.rec)
	if p.cfg.WithErrors {
		if known == nil {
			return fmt.Errorf("pprof: %w", errNotSampled)
		}
		out.spreads = spreadsOf(known, len(p.rec.Symbols.Methods))
	}
	p.describe(out)
	if err := p.Each(out.thread, out.stack); err != nil {
		return err
	}
	out.tables(p.cfg.Name)
	return out.close(append(p.comments(), errorComments(known, p.rec.Symbols)...))
}

// describe writes all that is not a stack, nor of one.
func (p *Pprof) describe(out *profileWriter) {
	const ns = "nanoseconds"
	clock := p.rec.Info.Clock
	if p.KnowsSamples() {
		out.w.ValueType(profileproto.SampleType, "samples", "count")
	} else {
		out.w.ValueType(profileproto.SampleType, "calls", "count")
	}
	if clock.HasWall() {
		out.w.ValueType(profileproto.SampleType, "wall", ns)
	}
	if clock.HasCPU() {
		out.w.ValueType(profileproto.SampleType, "cpu", ns)
	}
	if out.spreads != nil {
		out.errorTypes()
	}
	out.w.Number(profileproto.DefaultSampleType, out.w.Text(mainClock(p.rec.Info.Main())))
	out.w.Number(profileproto.DurationNanos, int64(p.Duration()))
	if p.rec.Info.VM == "dalvik" { // ART's start time is not a date
		out.w.Number(profileproto.TimeNanos, int64(p.rec.Info.Start))
	}
	// The type of the period stands in profiles without a period, too: pprof
	// compares only profiles of one type.
	out.w.ValueType(profileproto.PeriodType, mainClock(p.rec.Info.Main()), ns)
	if p.stats.Period > 0 {
		out.w.Number(profileproto.Period, int64(p.stats.Period))
	}
}

func mainClock(clock trace.Clock) string {
	if clock.HasWall() {
		return "wall"
	}
	return "cpu"
}

// ValidUTF8 returns s fit for a protocol buffer's string, which is valid UTF-8.
func ValidUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
