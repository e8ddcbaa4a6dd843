package pprof

import (
	"fmt"
	"io"
	"time"

	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/internal/profileproto"
	"artifice/trace"
)

// Options are the options of a profile to write. The zero value is valid.
type Options struct {
	Name     string        // the profiled file shown by pprof; empty: none
	Interval time.Duration // nominal sampling period; 0: that of the recording, or an estimate

	// Intervals adds the limits of 95 % intervals as sample types wall-low, wall-high, cpu-low and
	// cpu-high, and comments. A stack has its share of the interval of its innermost method, so
	// that flat times sum to the method's, unless its time is 0. The limits of cumulative times are
	// sums, which are wider than the interval of the sum. Close returns an error if the trace is
	// not sampled. nil means no intervals.
	Intervals Intervals
}

// Writer is a trace.WriteCloser that writes an uncompressed profile in the format of
// github.com/google/pprof. Close writes the profile, which has the stacks of
// [encode.ProfileStacks].
//
// Its sample types are calls/count (enters of the innermost frame), or samples/count if the samples
// are known, then wall/nanoseconds and cpu/nanoseconds if the trace has these clocks; wall is the
// default. Samples of CPU time without waits have cpu/nanoseconds only. Sums of times whose samples
// are unknown have no count. Each sample has the labels thread and tid. Time with no open frame is
// attributed to the frame "(toplevel)", so that the total of a thread is its last event minus its
// first. If the recording is of a quantity ([trace.Quantity]), the quantity is the only sample
// type.
//
// Its memory is that of the tree of distinct stacks. Close writes them one by one and therefore
// does not use pprof's own library; the tests read the profile back with that library. The same
// input gives the same bytes.
type Writer struct {
	encode.ProfileStacks
	w         io.Writer
	rec       *trace.Recording
	name      string
	intervals Intervals // nil: none
}

// NewWriter returns a writer of rec's events as a profile to w. It reads rec's Info and Symbols
// when it is closed, and never rec.Events. options are [Options] and those of package format.
func NewWriter(w io.Writer, rec *trace.Recording, options ...any) (*Writer, error) {
	common, o := kind.Option[kind.WriteOptions](options), kind.Option[Options](options)
	stacks, err := encode.NewProfileStacks(rec, encode.ProfileConfig{Interval: o.Interval, Until: common.Until})
	if err != nil {
		return nil, err
	}
	return &Writer{ProfileStacks: *stacks, w: w, rec: rec, name: o.Name, intervals: o.Intervals}, nil
}

// WriteEvents implements [trace.Writer]. It never fails without Options.Intervals.
func (p *Writer) WriteEvents(events []trace.Event) error {
	if p.intervals != nil {
		if err := p.intervals.WriteEvents(events); err != nil {
			return err
		}
	}
	return p.ProfileStacks.WriteEvents(events)
}

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails without Options.Intervals.
func (p *Writer) WriteSnapshot(s *trace.Snapshot) error {
	if p.intervals != nil {
		if err := p.intervals.WriteSnapshot(s); err != nil {
			return err
		}
	}
	return p.ProfileStacks.WriteSnapshot(s)
}

// Close writes the profile. It returns an error if w does, or if events use symbols that rec lacks.
func (p *Writer) Close() error {
	p.Finish()
	out := newProfile(p.w, p.rec, p.Clock(), p.Counts())
	if p.intervals != nil {
		if err := p.finishIntervals(); err != nil {
			return fmt.Errorf("pprof: %w", err)
		}
		out.intervals = p.intervals
	}
	p.describe(out)
	if err := p.Each(out.thread, out.stack); err != nil {
		return err
	}
	out.tables(p.name)
	comments := p.Comments()
	if p.intervals != nil {
		comments = append(comments, p.intervals.Comments()...)
	}
	return out.close(comments)
}

// describe writes everything except the stacks, locations, functions and strings.
func (p *Writer) describe(out *profileFile) {
	if out.writeQuantity() {
		return
	}
	const ns = "nanoseconds"
	if out.counts != "" {
		out.w.ValueType(profileproto.SampleType, out.counts, "count")
	}
	if out.clock.HasWall() {
		out.w.ValueType(profileproto.SampleType, "wall", ns)
	}
	if out.clock.HasCPU() {
		out.w.ValueType(profileproto.SampleType, "cpu", ns)
	}
	if out.intervals != nil {
		out.intervalTypes()
	}
	out.w.Number(profileproto.DefaultSampleType, out.w.Text(mainClock(p.rec.Info.Main())))
	out.w.Number(profileproto.DurationNanos, int64(p.Duration()))
	if p.rec.Info.VM == "dalvik" { // ART's start time is not a date
		out.w.Number(profileproto.TimeNanos, int64(p.rec.Info.Start))
	}
	// The type of the period is also written without a period, because pprof compares only profiles
	// of the same type.
	out.w.ValueType(profileproto.PeriodType, mainClock(p.rec.Info.Main()), ns)
	if period := p.Stats().Period; period > 0 {
		out.w.Number(profileproto.Period, int64(period))
	}
}

func mainClock(clock trace.Clock) string {
	if clock.HasWall() {
		return "wall"
	}
	return "cpu"
}
