package plan

import (
	"errors"
	"slices"
	"strings"
	"time"

	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
)

// Trace contains the measurements of a method in one trace. Times include tracing overhead.
type Trace struct {
	Method string        // as in reports
	Name   string        // full name with signature, to compare traces
	Period time.Duration // sampling period on the wall clock; 0: every call was recorded
	Length time.Duration
	Time   time.Duration // self time of the method, over all threads

	Calls, Callees int64   // calls of the method, and by it; in a sampled trace the calls reported
	Samples        int64   // with the method on top of the stack
	Threads        float64 // alive, on average
	Frames         float64 // on all stacks, on average

	Events int64 // of all threads

	Clock trace.Clock
	View  *report.View // of all methods

	parts    parts
	shares   float64 // Σ (time in a thread)²/length, in ns
	sampling float64 // sampling variance of Time, estimated from the trace, in ns²
	steps    stretches
}

// A MethodError reports that a name matches no method of a trace, or several.
type MethodError struct {
	Err   error
	Known []string // method names of the trace, if none matches
}

func (e *MethodError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *MethodError) Unwrap() error { return e.Err }

// Read reads a trace to its end. method is the full or short name of the method, with parameters if
// overloads differ, or a unique part of its name.
func Read(rec *trace.Recording, method string) (*Trace, error) {
	if !rec.Info.Clock.HasWall() {
		return nil, errors.New("the trace has no wall time, which diff compares: record it with both clocks")
	}
	both := reading{estimate.New(rec, estimate.Config{MethodsOnly: true}), newMeter(rec, method), false}
	if _, err := trace.Copy(&both, rec.Events); err != nil {
		return nil, err
	}
	p := both.Finish()
	switch {
	case both.sums || p.NoSamples:
		return nil, errors.New("a profile is a sum over all samples, from which variance cannot be estimated: use a trace")
	case p.Sampled() && p.Period == 0:
		return nil, errors.New("the sampling period is unknown: use a trace with more samples, or a trace of every call")
	}
	view := report.New(p, rec.Symbols, report.Filter{})
	view.Style = report.ShortNames
	id, err := view.Find(method)
	if err != nil {
		return nil, &MethodError{err, unlike(method, view.MethodNames())}
	}
	t := both.meter.trace(rec, id, max(rec.Info.Elapsed, both.meter.length))
	t.View, t.Clock = view, rec.Info.Clock
	t.Method, t.Name = view.MethodName(id), rec.Symbols.Method(id).String()
	if p.Sampled() {
		t.Period = p.Period
		for m := range p.Methods() {
			if m.ID == id {
				wall := m.Exclusive.Wall
				half := float64(wall.Value - wall.Low)
				if wall.Low == 0 { // the lower half is cut at 0
					half = float64(wall.High - wall.Value)
				}
				t.sampling, t.Samples = half*half/(z95*z95), m.Exclusive.Runs.Samples
			}
		}
	}
	return t, nil
}

// unlike returns names, or nil if one of them contains name.
func unlike(name string, names []string) []string {
	if slices.ContainsFunc(names, func(one string) bool { return strings.Contains(one, name) }) {
		return nil
	}
	return names
}

// z95 is the 97.5 % quantile of the normal distribution: the half width of a 95 % interval in
// standard deviations.
const z95 = 1.959963984540054

// reading writes events to both the estimator and the meter.
type reading struct {
	*estimate.Estimator
	meter *meter
	sums  bool
}

// WriteEvents implements [trace.Writer].
func (r *reading) WriteEvents(p []trace.Event) error {
	r.meter.WriteEvents(p)
	return r.Estimator.WriteEvents(p)
}

// WriteSnapshot implements [trace.SnapshotWriter].
func (r *reading) WriteSnapshot(s *trace.Snapshot) error {
	r.sums = r.sums || s.Sum
	return r.Estimator.WriteSnapshot(s)
}

// trace returns the measurements of a method in a trace of the given length.
func (m *meter) trace(rec *trace.Recording, id trace.MethodID, length time.Duration) *Trace {
	t := &Trace{Length: length}
	for i := range m.threads {
		t.Events += m.threads[i].events
	}
	for _, one := range rec.Symbols.Threads {
		end := length
		if one.End > 0 {
			end = min(end, one.End)
		}
		t.Threads += max(0, float64(end-one.Start)) / float64(max(1, length))
	}
	t.Frames = m.frames / float64(max(1, length))
	m.of(id, func(one *measured) {
		t.Time, t.Calls, t.Callees = one.time, one.calls, one.callees
		t.parts, t.steps = one.parts, one.stretches
		for _, in := range one.perThread {
			t.shares += float64(in) * float64(in) / float64(max(1, length))
		}
	})
	return t
}

// An app runs at most maxRuns times, and after [MinTraces] runs only until runEvents events are
// read.
const (
	maxRuns   = 60
	runEvents = 4_000_000
)

// Runs reads traces of several runs of an app. read returns the trace of a seed; seeds begin at 1.
// The traces have no View, to save memory.
func Runs(read func(seed uint64) (*Trace, error)) (traces []*Trace, err error) {
	events := int64(0)
	for seed := uint64(1); seed <= maxRuns && (events < runEvents || len(traces) < MinTraces); seed++ {
		t, err := read(seed)
		if err != nil {
			return nil, err
		}
		t.View = nil
		events += t.Events
		traces = append(traces, t)
	}
	return traces, nil
}
