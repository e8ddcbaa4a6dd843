package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/bench/theory"
	"artifice/trace"
)

// TestCollections: when events count that happen before, in and after
// collections, those of two threads that overlap or touch, and one without end.
func TestCollections(t *testing.T) {
	symbols := &trace.Symbols{}
	symbols.AddMethod(trace.Method{Name: "app"})
	symbols.AddMethod(trace.Method{Name: "collect", Flags: trace.Collector})
	var c collections
	if c.any() {
		t.Error("a collection before there was one")
	}
	for i, step := range []struct {
		at, counts time.Duration
		thread     trace.ThreadID
		method     trace.MethodID
		action     trace.Action
	}{
		{0, 0, 0, 0, trace.Enter},
		{1, 1, 0, 1, trace.Exit}, // of a frame that is not open
		{4, 4, 1, 1, trace.Enter},
		{5, 4, 0, 0, trace.Exit},
		{6, 4, 2, 1, trace.Enter},
		{7, 4, 1, 1, trace.Exit},
		{7, 4, 0, 0, trace.Enter},
		{8, 4, 2, 1, trace.Exit},
		{8, 4, 0, 0, trace.Enter}, // a sample at 8 sees what is so after all events then
		{9, 9, 0, 0, trace.Exit},
		{10, 10, 1, 1, trace.Enter},
		{12, 10, 1, 1, trace.Exit},
		{12, 10, 2, 1, trace.Enter}, // no sample between the two
		{13, 10, 2, 1, trace.Exit},
		{14, 14, 0, 0, trace.Exit},
		{15, 15, 1, 1, trace.Enter},
		{17, 15, 0, 0, trace.Enter},
	} {
		e := trace.Event{Wall: step.at, Thread: step.thread, Method: step.method, Action: step.action}
		if got := c.play(symbols, &e); got != step.counts {
			t.Errorf("step %d: %d counts as %d, want %d", i, step.at, got, step.counts)
		}
	}
	for at, want := range []time.Duration{0, 1, 2, 3, 4, 4, 4, 4, 4, 9, 10, 10, 10, 10, 14, 15, 15, 15, 15} {
		if got := c.counts(time.Duration(at)); got != want {
			t.Errorf("an end at %d counts as %d, want %d", at, got, want)
		}
	}
	if !c.any() {
		t.Error("no collection after three")
	}
}

// TestPoissonLawsOfACollector: the laws of Poisson samplers hold beside a
// collector that runs a third of the time. Were events to count when they come,
// the laws would be 7 to 246 standard errors off.
func TestPoissonLawsOfACollector(t *testing.T) {
	for _, interval := range []time.Duration{300 * us, 2000 * us, 20000 * us} {
		r, err := Run(context.Background(), truthOf(t, "gc-storm", 2*time.Second), Config{Modes: []Mode{PoissonSampling}, Intervals: []time.Duration{interval}, Phases: 48})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Rows[0]
		for _, m := range []Measure{CallRecall, CallRatio, MergeFactor} {
			z, ok := row.Z(m)
			if !ok || math.Abs(z) > theory.MaxZ {
				t.Errorf("interval %v, %s: %v, law %v, z %.1f", interval, m.Key(), row.Mean[m], row.Law[m], z)
			}
		}
		if !math.IsNaN(row.Law[Samples]) {
			t.Errorf("interval %v: a law of samples: %v, measured %v", interval, row.Law[Samples], row.Mean[Samples])
		}
	}
}
