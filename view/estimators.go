package view

import (
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
)

// estimators make the profile of all threads of a recording and, if it was sampled, that of the
// threads with which lists begin: intervals of some threads are no part of those of all.
type estimators struct {
	o      Options
	all    *estimate.Estimator
	main   *estimate.Estimator // nil: of no use, or not any more
	choice report.ThreadChoice
}

func newEstimators(rec *trace.Recording, o Options) *estimators {
	e := &estimators{o: o, choice: report.ThreadChoice{Names: o.Threads, Recording: rec}}
	cfg := estimate.Config{Until: o.Until, MethodsOnly: !o.Contexts}
	some := cfg
	some.Threads = e.choice.Choose
	switch {
	case !o.Running:
		e.all = estimate.New(rec, cfg)
	case o.Contexts || o.Listed:
		e.all = estimate.New(rec, some)
	default:
		e.all, e.main = estimate.New(rec, cfg), estimate.New(rec, some)
	}
	return e
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
	if !e.o.Contexts && !e.o.Listed {
		e.choice.Choose(r.Profile.Tree)
	}
	if r.Lists = e.choice.Chosen; e.choice.Err != nil {
		return e.choice.Err
	}
	switch {
	case (e.o.Contexts || e.o.Listed) && r.Profile.Sampled() && e.choice.Chosen.Part():
		r.main = r.Profile
	case e.main != nil && r.Profile.Sampled() && e.choice.Chosen.Part():
		r.main = e.main.Finish()
	}
	return nil
}
