package law

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestCollections checks the times at which events before, in and after collections count.
// Collections of two threads overlap or are adjacent, and one has no end.
func TestCollections(t *testing.T) {
	symbols := &trace.Symbols{}
	symbols.AddMethod(trace.Method{Name: "app"})
	symbols.AddMethod(trace.Method{Name: "collect", Flags: trace.Collector})
	var c collections
	if c.any() {
		t.Error("any() = true before the first collection")
	}
	for i, step := range []struct {
		at, counts time.Duration
		thread     trace.ThreadID
		method     trace.MethodID
		action     trace.Action
	}{
		{0, 0, 0, 0, trace.Enter},
		{1, 1, 0, 1, trace.Exit}, // exit of a frame that is not open
		{4, 4, 1, 1, trace.Enter},
		{5, 4, 0, 0, trace.Exit},
		{6, 4, 2, 1, trace.Enter},
		{7, 4, 1, 1, trace.Exit},
		{7, 4, 0, 0, trace.Enter},
		{8, 4, 2, 1, trace.Exit},
		{8, 4, 0, 0, trace.Enter}, // a sample at 8 observes the state after all events at 8
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
		if got := c.apply(symbols, &e); got != step.counts {
			t.Errorf("step %d: time %d counts as %d, want %d", i, step.at, got, step.counts)
		}
	}
	for at, want := range []time.Duration{0, 1, 2, 3, 4, 4, 4, 4, 4, 9, 10, 10, 10, 10, 14, 15, 15, 15, 15} {
		if got := c.counts(time.Duration(at)); got != want {
			t.Errorf("counts(%d) = %d, want %d", at, got, want)
		}
	}
	if !c.any() {
		t.Error("any() = false after three collections")
	}
}
