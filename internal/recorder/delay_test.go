package recorder

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestDelay checks delays computed by hand. A thread draws a frame of 10 ms in 6 ms with three
// recorded events of 1 ms, sleeps for 3 ms and draws the next frame.
func TestDelay(t *testing.T) {
	const ms = time.Millisecond
	truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: &trace.Symbols{
		Threads: make([]trace.Thread, 1),
		Methods: []trace.Method{{Name: "draw"}, {Name: "vsync", Wait: trace.IO, Period: 10 * ms}, {Name: "sleep", Wait: trace.Sleep}, {Name: "upload", Flags: trace.Native}},
	}}
	for _, c := range []struct {
		name string
		hold time.Duration // suspended from 0 on, with the frames open on the stack
		open []trace.MethodID
		cost time.Duration
		want []time.Duration // delays at each event, and at the end of the truth at 31 ms
	}{
		{"3 ms fit into the frame, and 2 more after the tick", 0, nil, ms, []time.Duration{0, ms, 2 * ms, 0, ms, 2 * ms, 3 * ms, 4 * ms, 5 * ms}},
		{"6 ms do not", 0, nil, 2 * ms, []time.Duration{0, 2 * ms, 4 * ms, 10 * ms, 12 * ms, 14 * ms, 16 * ms, 18 * ms, 20 * ms}},
		{"suspended while running", 2 * ms, []trace.MethodID{0}, 0, []time.Duration{2 * ms, 2 * ms, 2 * ms, 0, 0, 0, 0, 0, 0}},
		{"suspended while waiting for less than that", 2 * ms, []trace.MethodID{2}, 0, []time.Duration{ms, ms, ms, 0, 0, 0, 0, 0, 0}},
		{"suspended in native code", 2 * ms, []trace.MethodID{3}, 0, []time.Duration{ms, ms, ms, 0, 0, 0, 0, 0, 0}},
		{"suspended while running in no method", 2 * ms, nil, 0, []time.Duration{2 * ms, 2 * ms, 2 * ms, 0, 0, 0, 0, 0, 0}},
	} {
		var d Delay
		for _, m := range c.open {
			d.SetState(truth, &trace.Event{Method: m}, 0)
		}
		d.Hold(c.hold)
		for i, e := range []trace.Event{
			{Wall: ms, Method: 0}, {Wall: 6 * ms, Method: 0, Action: trace.Exit}, {Wall: 6 * ms, Method: 1}, {Wall: 10 * ms, Method: 1, Action: trace.Exit},
			{Wall: 10 * ms, Method: 2}, {Wall: 13 * ms, Method: 2, Action: trace.Exit},
			{Wall: 15 * ms, Method: 0}, {Wall: 16 * ms, Method: 0, Action: trace.Exit},
		} {
			d.Arrive(e.Wall)
			if d.Late != c.want[i] {
				t.Errorf("%s: late by %v at event %d, want %v", c.name, d.Late, i, c.want[i])
			}
			d.Take(c.cost)
			d.SetState(truth, &e, e.Wall)
		}
		if late := d.End(31*ms) - 31*ms; late != c.want[8] {
			t.Errorf("%s: ends late by %v, want %v", c.name, late, c.want[8])
		}
		if d.Taken != 8*c.cost {
			t.Errorf("%s: %v taken, want %v", c.name, d.Taken, 8*c.cost)
		}
	}
}

// TestDelayEndsWaiting checks a thread that waits for a tick at the end of the truth. It waits no
// longer than that, unless its wait begins later.
func TestDelayEndsWaiting(t *testing.T) {
	const ms = time.Millisecond
	truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: &trace.Symbols{Methods: []trace.Method{{Wait: trace.IO, Period: 10 * ms}}}}
	for late, want := range map[time.Duration]time.Duration{0: 8 * ms, 3 * ms: 8 * ms, 6 * ms: 9 * ms} {
		var d Delay
		d.Arrive(3 * ms)
		d.Take(late)
		d.SetState(truth, &trace.Event{}, 3*ms)
		if got := d.End(8 * ms); got != want {
			t.Errorf("late by %v, it ends at %v, want %v", late, got, want)
		}
	}
}
