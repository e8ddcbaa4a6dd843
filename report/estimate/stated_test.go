package estimate

import (
	"testing"
	"time"

	"artifice/trace"
)

// idle returns a trace of three samples, every 2 ms from 100 ms on: main, then a for one sample,
// then main until the stop at 200 ms.
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

// TestStatedInterval checks an idle trace, which does not determine its interval. With a stated
// interval, its times have intervals, and calls are lower bounds.
func TestStatedInterval(t *testing.T) {
	p, err := Read(idle(), Config{})
	if err != nil || p.Sampled() || p.Period != 0 || p.Stated {
		t.Fatalf("%v; sampled %t, period %v", err, p.Sampled(), p.Period)
	}
	p, err = Read(idle(), Config{Interval: 1500 * time.Microsecond})
	if err != nil || !p.Sampled() || !p.Stated || p.Period != 2*time.Millisecond {
		t.Fatalf("%v; sampled %t, stated %t, period %v; want 2ms, the only distance from 1.5 to 3 ms", err, p.Sampled(), p.Stated, p.Period)
	}
	m := p.Method(1)
	own := m.Exclusive.Wall
	// There is one run of one sample: its variance is T², and the upper end of the score interval
	// is T (1 + z²/2 + z √(1 + z²/4)) = 5.66 T for z = 1.96. The period is a usual interval, so no
	// pause is added.
	if own.Value != 2*time.Millisecond || own.Low != 0 || own.High < 11300*time.Microsecond || own.High > 11350*time.Microsecond || !m.Calls.AtLeast {
		t.Errorf("a: %+v, calls %+v", own, m.Calls)
	}
}

// TestSampledWithoutPeriod checks that calls are a lower bound if a trace is known to be sampled,
// but its period is unknown.
func TestSampledWithoutPeriod(t *testing.T) {
	rec := idle()
	rec.Info.Technique = trace.Sampled
	p, err := Read(rec, Config{})
	if err != nil || p.Period != 0 || !p.Method(1).Calls.AtLeast || !p.Context(2).Calls.AtLeast {
		t.Errorf("%v; period %v, calls %+v", err, p.Period, p.Method(1).Calls)
	}
}

// TestPauses checks a thread that runs a and c for 100 ms, and then waits in a for 50 ms. It is
// sampled every 2 ms with pauses of 0.5 ms, in which it uses no CPU time. For 50 consecutive
// samples of running code, 50 pauses are subtracted. P X/2T = 0.1875 ms is added, because the first
// sample may have been that of a wait. So 75.1875 ms are the app's own, and 125.1875 ms with the
// wait. The limits are 75 and 75.5. For code that continues in a pause, and uses the CPU all the
// time, nothing is subtracted.
func TestPauses(t *testing.T) {
	a, wait, c, p := pauses(t, 0.75)
	if running := a.Exclusive.Wall.Value + c.Exclusive.Wall.Value; running != 75187500 {
		t.Errorf("ran for %v, want 75.1875ms", running)
	}
	if wait.Exclusive.Wall.Value != 50*ms || a.Inclusive.Wall.Value != 125187500 {
		t.Errorf("waits for %v, want 50ms; with it %v, want 125.1875ms", wait.Exclusive.Wall.Value, a.Inclusive.Wall.Value)
	}
	if p.Overhead != 24812500 || a.Exclusive.CPU.Value+c.Exclusive.CPU.Value != 75*ms {
		t.Errorf("%v subtracted, want 24.8125ms; CPU time %v, want 75ms", p.Overhead, a.Exclusive.CPU.Value+c.Exclusive.CPU.Value)
	}
	if own := a.Exclusive.Wall; own.Low > own.Value || own.High < own.Value {
		t.Errorf("%+v", own)
	}
	if a, _, c, p := pauses(t, 1); p.Overhead != 0 || a.Exclusive.Wall.Value+c.Exclusive.Wall.Value != 100*ms {
		t.Errorf("%v subtracted from code that continues in pauses, want 0s", p.Overhead)
	}
}

// pauses returns the estimates of a, the wait and c, for a given ratio of CPU time to running time.
func pauses(t *testing.T, cpu float64) (a, wait, c Method, p *Profile) {
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: 150 * ms}, Symbols: &trace.Symbols{
		Methods: []trace.Method{{ID: 4, Class: "A", Name: "a"}, {ID: 8, Class: "java.lang.Object", Name: "wait"}, {ID: 12, Class: "A", Name: "c"}},
		Threads: []trace.Thread{{TID: 1, Name: "main"}},
	}}
	used := func(at time.Duration) time.Duration { return time.Duration(cpu * float64(at)) }
	events := []trace.Event{{Method: 0}}
	for at := 2 * ms; at < 100*ms; at += 2 * ms { // c is in every second sample
		action := trace.Enter
		if at%(4*ms) == 0 {
			action = trace.Exit
		}
		events = append(events, trace.Event{Wall: at, CPU: used(at), Method: 2, Action: action})
	}
	events = append(events, trace.Event{Wall: 100 * ms, CPU: used(100 * ms), Method: 2, Action: trace.Exit}, trace.Event{Wall: 100 * ms, CPU: used(100 * ms), Method: 1})
	events = append(events, trace.Event{Wall: 150 * ms, CPU: used(100 * ms), Method: 1, Action: trace.Exit})
	rec.Events = trace.NewSliceReader(events)
	e := New(rec, Config{})
	if _, err := trace.Copy(e, rec.Events); err != nil {
		t.Fatal(err)
	}
	e.SetPause(500 * time.Microsecond)
	p = e.Finish()
	return p.Method(0), p.Method(1), p.Method(2), p
}
