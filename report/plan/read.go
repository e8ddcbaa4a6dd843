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

// Trace is what one trace tells of a method. Its times are the trace's own, with what the tracer took in them.
type Trace struct {
	Method string        // as reports call it
	Name   string        // full name with its signature, by which traces are compared
	Period time.Duration // between two samples, on the wall clock; 0: every call was recorded
	Length time.Duration
	Time   time.Duration // of the method without what it calls, over all threads

	Calls, Callees int64   // of the method, and made by it; of a sampled trace those that it reports
	Samples        int64   // that showed the method
	Threads        float64 // that live, on average
	Frames         float64 // on all stacks together, on average

	Events  int64 // in all
	Busiest int64 // in the thread that has most

	Clock trace.Clock
	View  *report.View // of all methods

	parts    parts
	shares   float64 // Σ (time in a thread)²/length, in ns
	sampling float64 // variance of Time by sampling as the trace itself tells, in ns²
	steps    stretches
}

// A MethodError reports that no method, or no single one, of a trace is meant by a name.
type MethodError struct {
	Err   error
	Known []string // names of the trace's methods, where none has what was given
}

func (e *MethodError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *MethodError) Unwrap() error { return e.Err }

// Read reads a trace to its end. The method is called by its full name or its short one, with parameters
// where overloads differ, or by a part of its name that no other method has.
func Read(rec *trace.Recording, method string) (*Trace, error) {
	if !rec.Info.Clock.HasWall() {
		return nil, errors.New("it has CPU time alone, and wall time is what diff compares: record it with both clocks")
	}
	both := reading{estimate.New(rec, estimate.Config{MethodsOnly: true}), newMeter(rec, method), false}
	if _, err := trace.Copy(&both, rec.Events); err != nil {
		return nil, err
	}
	p := both.Finish()
	switch {
	case both.sums || p.NoSamples:
		return nil, errors.New("it is a sum over all of its samples, which does not tell how the time of a method varies: give a trace")
	case p.Sampled() && p.Period == 0:
		return nil, errors.New("how often it was sampled is not known: give a trace of more samples, or one of every call")
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
				if wall.Low == 0 { // it cannot be below
					half = float64(wall.High - wall.Value)
				}
				t.sampling, t.Samples = half*half/(z95*z95), m.Exclusive.Runs.Samples
			}
		}
	}
	return t, nil
}

// unlike returns the names, or none where one of them has name.
func unlike(name string, names []string) []string {
	if slices.ContainsFunc(names, func(one string) bool { return strings.Contains(one, name) }) {
		return nil
	}
	return names
}

// z95 is the 97.5 % quantile of the normal distribution, by which an interval of 95 % is
// wider than a standard deviation.
const z95 = 1.959963984540054

// reading is both readers of a trace.
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

// trace returns what was measured of a method in a trace so long.
func (m *meter) trace(rec *trace.Recording, id trace.MethodID, length time.Duration) *Trace {
	t := &Trace{Length: length}
	for i := range m.threads {
		t.Events += m.threads[i].events
		t.Busiest = max(t.Busiest, m.threads[i].events)
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

// An app is run so often, or until so many events were read, but [EnoughTraces] times at least.
const (
	mostRuns  = 60
	runEvents = 4_000_000
)

// Runs reads traces of an app that can be run again and again: read returns the one of a seed,
// from 1 on. They have no View, as those of all runs would take memory.
func Runs(read func(seed uint64) (*Trace, error)) (traces []*Trace, err error) {
	events := int64(0)
	for seed := uint64(1); seed <= mostRuns && (events < runEvents || len(traces) < EnoughTraces); seed++ {
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
