package view

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// Recording is one trace in a page.
type Recording struct {
	Name    string // name of the file or of its generator
	info    trace.Info
	sums    bool // it consists of sums of samples
	Symbols *trace.Symbols
	threads []*thread // threads with events
	events  int64

	// Short is the duration below which calls are merged because there are more than [maxCalls]; 0:
	// no calls are merged. Profile includes all calls.
	Short time.Duration

	// Profile contains the times of methods with their intervals. They are those of all threads.
	// For a difference, for a recording compared with a truth, and with Options.Listed, they are
	// those of the threads in Lists.
	Profile *estimate.Profile

	// Lists are the threads in the initial lists, which show their running time; nil: all threads
	// with all time. main is the profile of these threads if the recording is sampled.
	Lists *report.Threads
	main  *estimate.Profile

	// notes are sentences about irregularities of the trace, and about differences between the page
	// and the trace.
	notes []string

	// comparison is set for a recording that is compared with the truth.
	comparison *comparison

	ticks []time.Duration // times of all samples, if known
}

// Options configure [Read].
type Options struct {
	Until calltree.EndPolicy // end of the frames that are open at the end

	// Contexts also sums times by calling context, as required for a [Difference].
	Contexts bool

	// Running makes lists show the running time of Threads at first ([report.Running]), without
	// waiting. [report.ThreadChoice] chooses the threads; without names it is the main thread.
	Running bool
	Threads []string

	// Listed omits the estimates for all threads of a sampled trace if the initial lists show only
	// some threads. The page requests them when needed, like those of a part ([PartSource],
	// [PageProgram]). A page cannot request them for a recording with [Recording.Short], which must
	// be read without Listed.
	Listed bool

	most int // maximum number of calls; 0: maxCalls
}

// Read reads a recording to its end and collects its calls. The error is that of
// the recording's Reader.
func Read(rec *trace.Recording, name string, o Options) (*Recording, error) {
	if q := rec.Info.Quantity; q.Signed {
		return nil, fmt.Errorf("a profile of %s with negative values has no timeline; use artifice report or artifice diff", q.Describe())
	}
	return NewIntake(rec, o).read(name)
}

// Intake builds a [Recording] from the events and snapshots that are written to it. It serves
// programs that also read the trace for another purpose. It is a [trace.Writer] and a
// [trace.SnapshotWriter].
type Intake struct {
	rec      *trace.Recording
	until    calltree.EndPolicy
	detector stats.Detector
	collector
	*estimators
}

// NewIntake returns the intake of rec. No event of rec may have been read.
func NewIntake(rec *trace.Recording, o Options) *Intake {
	return &Intake{rec: rec, until: o.Until, collector: collector{clock: rec.Info.Clock, most: cmp.Or(o.most, maxCalls)}, estimators: newEstimators(rec, o)}
}

func (in *Intake) read(name string) (*Recording, error) {
	if _, err := trace.Copy(in, in.rec.Events); err != nil {
		return nil, err
	}
	return in.Recording(name)
}

// WriteEvents implements [trace.Writer].
func (in *Intake) WriteEvents(p []trace.Event) error {
	in.detector.Observe(&in.rec.Info, p)
	in.collector.WriteEvents(p)
	return in.estimators.WriteEvents(p)
}

// shut closes the open frames at the ends of their threads, and describes these ends.
func (in *Intake) shut() (until string) {
	info := &in.rec.Info
	if info.Main() != trace.Wall {
		in.finish(func(t *thread) time.Duration { return t.last.Main })
		return calltree.UntilLastEvent.At(info)
	}
	lives := trace.NewLifetimes(in.rec, in.detector.Technique(info), in.stats.Last)
	in.finish(func(t *thread) time.Duration {
		end, _ := in.until.End(lives, t.id, t.last.Main)
		return end
	})
	return in.until.At(info)
}

// Recording returns the recording, once all events have been written. It returns an error if no
// thread has a name selected in [Options].
func (in *Intake) Recording(name string) (*Recording, error) {
	rec := in.rec
	until := in.shut()
	if in.short > 0 {
		in.foldAll()
	}
	r := &Recording{Name: name, Symbols: rec.Symbols, info: rec.Info, events: in.stats.Events, notes: in.notes(until)}
	if err := in.profile(r); err != nil {
		return nil, err
	}
	for _, w := range rec.Warnings {
		r.notes = append(r.notes, w.String())
	}
	r.threads = in.threads.seen()
	if in.short > 0 {
		r.Short = in.short
		r.nameShort()
		r.notes = append(r.notes, fmt.Sprintf("there are more than %d calls: those shorter than %s are merged, and tables cover the whole trace only; view a part to see all calls (artifice convert --from --to)", in.most, r.Short))
	}
	r.late(rec.DisplayFrames) // after nameShort, which assigns the methods of merged calls
	return r, nil
}

// errTooLong is the reason why a trace is not compared.
var errTooLong = errors.New("the trace has too many calls to be compared one by one: compare a part of the trace (artifice convert --from --to)")

// technique returns how the recording was made, as far as known.
func (r *Recording) technique() trace.Technique {
	switch {
	case r.Profile.Quantity.IsSet():
		return trace.UnknownTechnique
	case r.Profile.Sampled():
		return trace.Sampled
	}
	if r.info.Technique == trace.Truth {
		return trace.Truth
	}
	return trace.Instrumented
}

// samples returns the times of the samples with a change on a thread. The trace contains no other
// samples.
func (t *thread) samples() []time.Duration {
	var times []time.Duration
	for c := t.steps.all(); c.next(); {
		if n := len(times); n == 0 || times[n-1] < c.Main {
			times = append(times, c.Main)
		}
	}
	return times
}
