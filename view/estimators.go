package view

import (
	"artifice/calltree"
	"artifice/estimate"
	"artifice/report"
	"artifice/trace"
)

// estimators make the profile of all threads of a recording and, if it was sampled, that of the
// threads with which lists begin: intervals of some threads are no part of those of all.
type estimators struct {
	rec    *trace.Recording
	o      Options
	all    *estimate.Estimator
	main   *estimate.Estimator // nil: of no use, or not any more
	chosen *report.Threads
	err    error // of the choice
}

func newEstimators(rec *trace.Recording, o Options) *estimators {
	e := &estimators{rec: rec, o: o}
	cfg := estimate.Config{Until: o.Until, MethodsOnly: !o.Contexts}
	some := cfg
	some.Threads = e.choose
	switch {
	case !o.Running:
		e.all = estimate.New(rec, cfg)
	case o.Contexts || o.alone:
		e.all = estimate.New(rec, some)
	default:
		e.all, e.main = estimate.New(rec, cfg), estimate.New(rec, some)
	}
	return e
}

// choose is an [estimate.Config]'s Threads.
func (e *estimators) choose(t *calltree.Tree) func(trace.ThreadID) bool {
	if e.chosen, e.err = report.ChooseThreads(e.o.Threads, t, e.rec); e.err != nil {
		return func(trace.ThreadID) bool { return true }
	}
	return e.chosen.Keeps
}

// WriteEvents implements [trace.Writer].
func (e *estimators) WriteEvents(p []trace.Event) error {
	if e.main != nil && e.main.Exact() {
		e.main = nil
	}
	if e.main != nil {
		e.main.WriteEvents(p)
	}
	return e.all.WriteEvents(p)
}

// WriteSnapshot implements [trace.SnapshotWriter].
func (e *estimators) WriteSnapshot(s *trace.Snapshot) error {
	if e.main != nil {
		if err := e.main.WriteSnapshot(s); err != nil {
			return err
		}
	}
	return e.all.WriteSnapshot(s)
}

// profile gives a recording its profiles, once all events have been read.
func (e *estimators) profile(r *Recording) error {
	r.Profile = e.all.Finish()
	if !e.o.Running {
		return nil
	}
	if !e.o.Contexts && !e.o.alone {
		e.choose(r.Profile.Tree)
	}
	if r.Lists = e.chosen; e.err != nil {
		return e.err
	}
	switch {
	case (e.o.Contexts || e.o.alone) && r.Profile.Sampled():
		r.main = r.Profile
	case e.main != nil && r.Profile.Sampled() && e.chosen.Part():
		r.main = e.main.Finish()
	}
	return nil
}
