package estimate

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestUnshown: a thread waits for a core and samples come when it begins to wait. Each 4 ms it works for 3 ms, of which no sample shows
// anything, and then two samples find it in a wait: its CPU clock goes on by 3 ms each time, which is 300 ms of the 400 in all. A second
// thread works for half of the time and shows it.
func TestUnshown(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{
		Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "worker"}},
		Methods: []trace.Method{{Class: "java.lang.Thread", Name: "sleep", Signature: "(J)V"}, {Class: "java.lang.Object", Name: "wait", Signature: "()V"}, {Class: "a.A", Name: "work", Signature: "()V"}},
	}
	var events []trace.Event
	at := func(thread trace.ThreadID, wall, cpu time.Duration, from, to trace.MethodID, first bool) {
		if !first {
			events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: from, Thread: thread, Action: trace.Exit})
		}
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: to, Thread: thread})
	}
	for i := range 100 {
		now := time.Duration(4*i) * ms
		at(0, now, time.Duration(3*i)*ms, 1, 0, i == 0)
		at(1, now, time.Duration(2*i)*ms, 0, 2, i == 0)
		at(0, now+ms, time.Duration(3*i)*ms, 0, 1, false)
		at(1, now+2*ms, time.Duration(2*i+2)*ms, 2, 0, false)
	}
	rec := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: 400 * ms}, Events: trace.NewSliceReader(events)}
	p, err := Read(rec, Config{Interval: ms})
	if err != nil {
		t.Fatal(err)
	}
	if want := 297 * ms; p.Unshown != want { // up to the last event of main, at 397 ms
		t.Errorf("unshown %s, want %s", p.Unshown, want)
	}
	for m := range p.Methods() {
		switch wall := m.Exclusive.Wall; m.ID {
		case 0: // it waits on both threads: 101 ms of main, and 199 of the worker, of which that one ran for none
			if wall.Low > 0 || wall.High < 297*ms {
				t.Errorf("sleep: %+v", wall)
			}
		case 2: // no sample shows main in it, so it has no room for what main does
			if wall.Value != 200*ms || wall.High >= 200*ms+297*ms {
				t.Errorf("work: %+v", wall)
			}
		}
	}
}

// TestUnshownUnnamed: nothing but the CPU clock tells that a thread waits in idle, where four samples in a row find it every 8 ms, while they show a
// worker at work. A sample is due in each of the next 4 ms, but the sampler has to wait for main, which works for 3 of them, and then
// finds it in Object.wait.
func TestUnshownUnnamed(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{
		Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "worker"}},
		Methods: []trace.Method{{Class: "a.A", Name: "idle", Signature: "()V"}, {Class: "java.lang.Object", Name: "wait", Signature: "()V"}, {Class: "a.A", Name: "odd", Signature: "()V"}, {Class: "a.A", Name: "even", Signature: "()V"}},
	}
	var events []trace.Event
	in := map[trace.ThreadID]trace.MethodID{}
	at := func(thread trace.ThreadID, wall, cpu time.Duration, to trace.MethodID) {
		if from, open := in[thread]; open {
			events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: from, Thread: thread, Action: trace.Exit})
		}
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: to, Thread: thread})
		in[thread] = to
	}
	for i := range 50 {
		now, used := time.Duration(8*i)*ms, time.Duration(3*i)*ms
		for k := range time.Duration(5) {
			switch k {
			case 0:
				at(0, now, used, 0)
			case 4:
				at(0, now+4*ms, used, 1)
			}
			to := trace.MethodID(2 + k%2)
			if k == 4 {
				to = 1
			}
			at(1, now+k*ms, (time.Duration(4*i)+k)*ms, to)
		}
	}
	rec := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: 400 * ms}, Events: trace.NewSliceReader(events)}
	p, err := Read(rec, Config{Interval: ms})
	if err != nil {
		t.Fatal(err)
	}
	if want := 147 * ms; p.Unshown != want { // 49 times 3 ms, up to the last event of main
		t.Errorf("unshown %s, want %s", p.Unshown, want)
	}
}
