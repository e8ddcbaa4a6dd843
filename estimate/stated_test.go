package estimate

import (
	"testing"
	"time"

	"artifice/trace"
)

// idle is a trace of three samples, every 2 ms from 100 ms on: main, then a for one sample, then main
// until the stop at 200 ms.
func idle() *trace.Recording {
	const ms = time.Millisecond
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Dual, Elapsed: 200 * ms}, Symbols: &trace.Symbols{
		Methods: []trace.Method{{ID: 4, Class: "M", Name: "main"}, {ID: 8, Class: "M", Name: "a"}},
		Threads: []trace.Thread{{TID: 1, Name: "main"}},
	}}
	event := func(at time.Duration, m trace.MethodID, a trace.Action) trace.Event {
		return trace.Event{Wall: at, CPU: at / 10, Method: m, Action: a}
	}
	rec.Events = trace.NewSliceReader([]trace.Event{event(1*ms, 0, trace.Enter), event(100*ms, 1, trace.Enter), event(102*ms, 1, trace.Exit)})
	return rec
}

// TestStated: an idle trace does not tell how often it was sampled. With the interval its times have
// intervals, and calls are lower bounds.
func TestStated(t *testing.T) {
	p, err := Read(idle(), Config{})
	if err != nil || p.Sampled() || p.Period != 0 || p.Stated {
		t.Fatalf("%v; sampled %t, period %v", err, p.Sampled(), p.Period)
	}
	p, err = Read(idle(), Config{Interval: 1500 * time.Microsecond})
	if err != nil || !p.Sampled() || !p.Stated || p.Period != 2*time.Millisecond {
		t.Fatalf("%v; sampled %t, stated %t, period %v; want 2ms, the one distance from 1.5 to 3 ms", err, p.Sampled(), p.Stated, p.Period)
	}
	m := p.Method(1)
	own := m.Exclusive.Wall
	// One run of one sample: variance T², upper end of the score interval T (1 + z²/2 + z √(1 + z²/4)) = 5.66 T for z = 1.96.
	if own.Value != 2*time.Millisecond || own.Low != 0 || own.High < 11*time.Millisecond || own.High > 12*time.Millisecond || !m.Calls.AtLeast {
		t.Errorf("a: %+v, calls %+v", own, m.Calls)
	}
}

// TestSampledWithoutPeriod: where it is known that a trace was sampled, and not how often, calls are a lower bound all the
// same.
func TestSampledWithoutPeriod(t *testing.T) {
	rec := idle()
	rec.Info.Technique = trace.Sampled
	p, err := Read(rec, Config{})
	if err != nil || p.Period != 0 || !p.Method(1).Calls.AtLeast || !p.Context(2).Calls.AtLeast {
		t.Errorf("%v; period %v, calls %+v", err, p.Period, p.Method(1).Calls)
	}
}

// TestPauses: a thread runs a and c for 100 ms, and then waits in a for another 50, sampled every 2 ms with pauses of 0.5
// ms. One row of 50 samples
// meets what runs, with 49 pauses between: 75.5 ms of 100 are the app's own, and 125.5 with the wait.
func TestPauses(t *testing.T) {
	const ms = time.Millisecond
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: 150 * ms}, Symbols: &trace.Symbols{
		Methods: []trace.Method{{ID: 4, Class: "A", Name: "a"}, {ID: 8, Class: "java.lang.Object", Name: "wait"}, {ID: 12, Class: "A", Name: "c"}},
		Threads: []trace.Thread{{TID: 1, Name: "main"}},
	}}
	events := []trace.Event{{Method: 0}}
	for at := 2 * ms; at < 100*ms; at += 2 * ms { // c comes and goes, from sample to sample
		action := trace.Enter
		if at%(4*ms) == 0 {
			action = trace.Exit
		}
		events = append(events, trace.Event{Wall: at, CPU: at, Method: 2, Action: action})
	}
	events = append(events, trace.Event{Wall: 100 * ms, CPU: 100 * ms, Method: 2, Action: trace.Exit}, trace.Event{Wall: 100 * ms, CPU: 100 * ms, Method: 1})
	events = append(events, trace.Event{Wall: 150 * ms, CPU: 100 * ms, Method: 1, Action: trace.Exit})
	rec.Events = trace.NewSliceReader(events)
	e := New(rec, Config{})
	if _, err := trace.Copy(e, rec.Events); err != nil {
		t.Fatal(err)
	}
	e.SetPause(500 * time.Microsecond)
	p := e.Finish()
	a, wait, c := p.Method(0), p.Method(1), p.Method(2)
	if running := a.Exclusive.Wall.Value + c.Exclusive.Wall.Value; running != 75500*time.Microsecond {
		t.Errorf("ran for %v, want 75.5ms", running)
	}
	if wait.Exclusive.Wall.Value != 50*ms || a.Inclusive.Wall.Value != 125500*time.Microsecond {
		t.Errorf("waits for %v, want 50ms; with it %v, want 125.5ms", wait.Exclusive.Wall.Value, a.Inclusive.Wall.Value)
	}
	if p.Overhead != 24500*time.Microsecond || a.Exclusive.CPU.Value+c.Exclusive.CPU.Value != 100*ms {
		t.Errorf("%v subtracted, want 24.5ms; CPU time %v, want 100ms", p.Overhead, a.Exclusive.CPU.Value+c.Exclusive.CPU.Value)
	}
	if own := a.Exclusive.Wall; own.Low > own.Value || own.High < own.Value {
		t.Errorf("%+v", own)
	}
}
