package law

import (
	"io"
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// TestStretch checks bursts computed by hand, with pauses of P = 1 ms after each X = 1.25 ms. A
// thread wakes in a pause in 4 of 9 cases.
func TestStretch(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name                       string
		first, work, native, waits time.Duration
		lost, ran                  time.Duration // per round: time in pauses, CPU time
	}{
		// It wakes outside a pause in 5/9 of the cases; then it has 1/1.25 pauses.
		{"1 ms after a long wait", 0, ms, 0, 100 * ms, 444444, ms},
		// It has 3 pauses if it wakes at the end of a pause, because the fourth begins when the
		// work is done. Otherwise it has 4.
		{"5 ms", 0, 5 * ms, 0, 100 * ms, 4*ms/9*3 + 5*ms/9*4, 5 * ms},
		// P²/(X + P)/2
		{"native code", 0, 0, 5 * ms, 100 * ms, ms / 9 * 2, 5 * ms},
		// Before its first wait, the thread starts with the truth, and samplers start there at
		// every phase.
		{"none after a wait", 5 * ms, 0, 0, 100 * ms, 0, 0},
		// Waits are much shorter than a pause. The slowdown is that of a thread that always runs:
		// 0.1/1.25 pauses a round.
		{"short waits", 0, ms / 10, 0, ms / 10, 80000, ms / 10},
	} {
		truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: &trace.Symbols{}}
		truth.Symbols.AddMethod(trace.Method{Class: "C", Name: "run"})
		truth.Symbols.AddMethod(trace.Method{Class: "C", Name: "wait", Wait: trace.Sleep})
		truth.Symbols.AddMethod(trace.Method{Class: "C", Name: "jni", Flags: trace.Native})
		truth.Symbols.AddThread(trace.Thread{TID: 1})
		events := []trace.Event{{}}
		now := c.first
		call := func(m trace.MethodID, d time.Duration) {
			events = append(events, trace.Event{Wall: now, Method: m}, trace.Event{Wall: now + d, Method: m, Action: trace.Exit})
			now += d
		}
		const rounds = 100
		call(1, c.waits)
		for range rounds {
			now += c.work
			if c.native > 0 {
				call(2, c.native)
			}
			call(1, c.waits)
		}
		truth.Info.Elapsed, truth.Events = now, trace.NewSliceReader(events)
		s := Sampler{Interval: ms, Overshoot: ms / 4, PerTick: ms}
		l := New([]Sampler{s})
		if err := l.Read(truth); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		want := 1 + (float64(rounds*c.lost)+float64(c.first)/1.25)/float64(rounds*c.ran+c.first)
		if got := l.Expected(0).Stretch; math.Abs(got-want) > 1e-4 {
			t.Errorf("%s: slowdown %.6f, want %.6f", c.name, got, want)
		}
	}
}
