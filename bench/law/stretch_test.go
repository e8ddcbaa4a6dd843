package law

import (
	"io"
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// TestStretch: bursts by hand, with P = 1 ms and X = 1.25 ms, so that a thread wakes in a pause in
// 4 of 9 cases.
func TestStretch(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name                       string
		first, work, native, waits time.Duration
		lost, ran                  time.Duration // of a round, and of the part before the first
	}{
		// 5/9 of 1/1.25
		{"1 ms after a long wait", 0, ms, 0, 100 * ms, 444444, ms},
		// 3 from the end of a pause, as the fourth begins when it is done; else 4
		{"5 ms", 0, 5 * ms, 0, 100 * ms, 4*ms/9*3 + 5*ms/9*4, 5 * ms},
		// P²/(X + P)/2
		{"native code", 0, 0, 5 * ms, 100 * ms, ms / 9 * 2, 5 * ms},
		// before its first wait it begins with the truth, at which samplers have all phases
		{"none after a wait", 5 * ms, 0, 0, 100 * ms, 0, 0},
		// much shorter waits than a pause: as if it ran always, 0.1/1.25 pauses
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
			t.Errorf("%s: running takes %.6f times as long, want %.6f", c.name, got, want)
		}
	}
}
