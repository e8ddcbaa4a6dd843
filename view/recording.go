package view

import (
	"slices"
	"time"

	"artifice/calltree"
	"artifice/estimate"
	"artifice/trace"
)

// Recording is what a page shows of one trace.
type Recording struct {
	Name    string // of the file, or of what made it
	Info    trace.Info
	Symbols *trace.Symbols
	Threads []Thread // those with events
	Events  int64

	// Profile is what the trace tells, and how surely.
	Profile *estimate.Profile

	// Notes are sentences: what is odd in the trace, and what the page shows
	// otherwise than the trace has it.
	Notes []string
}

// Options say how [Read] reads.
type Options struct {
	Until calltree.EndPolicy // where frames end that are open at the end
}

// Read reads a recording to its end and collects its calls. The error is that of
// the recording's Reader.
func Read(rec *trace.Recording, name string, o Options) (*Recording, error) {
	in := intake{
		collector: collector{clock: rec.Info.Clock},
		Estimator: estimate.New(rec, estimate.Config{Until: o.Until}),
	}
	if _, err := trace.Copy(&in, rec.Events); err != nil {
		return nil, err
	}
	in.finish(rec.Info.Elapsed, o.Until)
	r := &Recording{Name: name, Symbols: rec.Symbols, Info: rec.Info, Events: in.stats.Events, Profile: in.Finish(), Notes: in.notes(o.Until)}
	for _, w := range rec.Warnings {
		r.Notes = append(r.Notes, w.String())
	}
	for _, t := range in.threads {
		if t.seen {
			r.Threads = append(r.Threads, t)
		}
	}
	return r, nil
}

// intake hands events to what collects calls and to what estimates times.
type intake struct {
	collector
	*estimate.Estimator
}

// WriteEvents implements [trace.Writer].
func (in *intake) WriteEvents(p []trace.Event) error {
	in.collector.WriteEvents(p)
	return in.Estimator.WriteEvents(p)
}

// technique returns how the recording was made, as far as is known.
func (r *Recording) technique() trace.Technique {
	if r.Profile.Sampled() {
		return trace.Sampled
	}
	if r.Info.Technique == trace.Truth {
		return trace.Truth
	}
	return trace.Instrumented
}

// samples returns the times of the samples that changed something on a thread: the
// trace has no others.
func (t *Thread) samples() []time.Duration {
	times := make([]time.Duration, 0, 2*len(t.Calls))
	for i := range t.Calls {
		times = append(times, t.Calls[i].Start, t.Calls[i].End())
	}
	slices.Sort(times)
	return slices.Compact(times)
}
