package tracer

import (
	"testing"
	"time"

	"artifice/trace"
)

// short is a minimal tracing method. It records the truth up to a time. As CONTRIBUTING.md states,
// a tracing method needs one such file and an entry in tracers.
var short = Tracer{
	Name: "short", Description: "the first part of a run", Uses: []string{"threshold"},
	New: func(_ *trace.Info, o *Options) Run {
		return Filter(func(truth *trace.Recording) (*trace.Recording, error) {
			rec := *truth
			rec.Info.Technique = trace.Instrumented
			rec.Events = &upTo{truth.Events, o.Threshold}
			return &rec, nil
		})
	},
}

// upTo returns the events up to a wall time.
type upTo struct {
	trace.Reader
	end time.Duration
}

func (u *upTo) ReadEvents(p []trace.Event) (int, error) {
	n, err := u.Reader.ReadEvents(p)
	kept := 0
	for _, e := range p[:n] {
		if e.Wall <= u.end {
			p[kept] = e
			kept++
		}
	}
	if n > 0 && kept == 0 {
		return u.ReadEvents(p)
	}
	return kept, err
}

// TestAddTracer adds a tracing method, finds it by name and option, and records with it.
func TestAddTracer(t *testing.T) {
	before := tracers
	tracers = append(All(), short)
	t.Cleanup(func() { tracers = before })

	added, err := ByName("short")
	if err != nil {
		t.Fatal(err)
	}
	if using := Using("threshold"); len(using) != 2 || using[1] != "short" {
		t.Errorf("--threshold is used by %v", using)
	}
	truth := &trace.Recording{Symbols: &trace.Symbols{}, Events: trace.NewSliceReader([]trace.Event{
		{Wall: 1}, {Wall: 2, Action: trace.Exit}, {Wall: 7}, {Wall: 9, Action: trace.Exit},
	})}
	rec, err := added.Record(truth, &Options{Threshold: 2})
	if err != nil {
		t.Fatal(err)
	}
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		t.Fatal(err)
	}
	if len(all.Events) != 2 || all.Events[1].Wall != 2 || rec.Info.Technique != trace.Instrumented {
		t.Errorf("recorded %+v", all.Events)
	}
}
