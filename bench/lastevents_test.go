package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/instrument"
	"artifice/trace"
	"artifice/tracer/device"
)

// TestDelayedLastEvents computes the end of a run by hand. One thread of a recorded truth calls a
// method ten times in 10 ms and then has a frame open. main exits its only frame at 100 ms. Each
// event takes 1 ms. main has two events, so it is delayed by 2 ms. The other thread has 21 events,
// so it is delayed by 21 ms. If it waits in the open frame, the wait absorbs the delay. If it runs
// there, it ends 21 ms later; without a CPU clock, the name of the frame determines this. If its
// last event is at 90 ms, that event is at 111 ms, which is the end of the run.
func TestDelayedLastEvents(t *testing.T) {
	const ms = time.Millisecond
	cost := device.Device{Name: "slow", Instrumented: instrument.Cost{Compiled: ms}}
	for _, c := range []struct {
		name  string
		clock trace.Clock
		open  string        // method that is open at the end
		last  time.Duration // time of the thread's last event
		want  time.Duration // delay of the end of the run
	}{
		{"no CPU time goes by", trace.Dual, "run", 10 * ms, 2 * ms},
		{"it waits by name", trace.Wall, "wait", 10 * ms, 2 * ms},
		{"it runs by name", trace.Wall, "run", 10 * ms, 21 * ms},
		{"its last event is the last", trace.Dual, "run", 90 * ms, 11 * ms},
	} {
		s := &trace.Symbols{}
		run := s.AddMethod(trace.Method{Class: "a.A", Name: "run"})
		open := run
		if c.open == "wait" {
			open = s.AddMethod(trace.Method{Class: "java.lang.Object", Name: "wait"})
		}
		for i, name := range []string{"main", "other"} {
			s.AddThread(trace.Thread{Name: name, TID: uint32(i + 1)})
		}
		events := []trace.Event{{Method: run}}
		for i := range time.Duration(10) {
			at := c.last * (i + 1) / 10
			for k, a := range []trace.Action{trace.Enter, trace.Exit} {
				when := at + time.Duration(k-1)*ms/2
				events = append(events, trace.Event{Wall: when, CPU: when, Thread: 1, Method: run, Action: a})
			}
		}
		events = append(events, trace.Event{Wall: c.last, CPU: c.last, Thread: 1, Method: open}, trace.Event{Wall: 100 * ms, CPU: 1, Method: run, Action: trace.Exit})
		s.SetEnds(events)
		rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented, Clock: c.clock}, Symbols: s, Events: trace.NewSliceReader(events)}
		var modes []Mode
		for _, name := range []string{"instrument-wall", "longrun"} {
			m, ok := ModeByName(name)
			if !ok {
				t.Fatal(name)
			}
			modes = append(modes, m)
		}
		r, err := Run(context.Background(), rec, Config{Modes: modes, Devices: []device.Device{cost}, Phases: 1})
		if err != nil {
			t.Fatal(err)
		}
		want := 1 + c.want.Seconds()/0.1
		for _, row := range r.Rows {
			if math.Abs(row.Mean[Slowdown]-want) > 1e-9 {
				t.Errorf("%s, %s: slowdown %v, want %v", c.name, row.Mode, row.Mean[Slowdown], want)
			}
		}
	}
}
