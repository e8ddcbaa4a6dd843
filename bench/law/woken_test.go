package law

import (
	"io"
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// TestWoken: calls by hand of a thread that waits long before each, with P = 1 ms and X = 1.25 ms.
// It wakes in a pause in 4 of 9 cases, and the next sample comes 1.25 ms after that; in the others
// it comes anywhere in the next 1.25 ms.
func TestWoken(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name         string
		before, call time.Duration // work, and the call after it
		seen         float64       // of the calls
	}{
		{"a short one at once: d/(X + P)", 0, ms / 2, 0.5 / 2.25},
		{"not over before the first sample: d/(X + P)", 0, ms, 1 / 2.25},
		{"the sample after the pause comes in it", ms, ms / 2, 4./9 + 5./9*0.4},
		{"it comes after it, and the next before it", 2 * ms, ms / 4, 5. / 9 * 0.2},
		{"longer than a gap", 0, 2 * ms, 1},
	} {
		truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: &trace.Symbols{}}
		truth.Symbols.AddMethod(trace.Method{Class: "C", Name: "call"})
		truth.Symbols.AddMethod(trace.Method{Class: "C", Name: "wait", Wait: trace.Sleep})
		truth.Symbols.AddMethod(trace.Method{Class: "C", Name: "run"})
		truth.Symbols.AddThread(trace.Thread{TID: 1})
		var events []trace.Event
		now := time.Duration(0)
		call := func(m trace.MethodID, d time.Duration) {
			events = append(events, trace.Event{Wall: now, Method: m}, trace.Event{Wall: now + d, Method: m, Action: trace.Exit})
			now += d
		}
		const rounds = 100
		events = append(events, trace.Event{Method: 2})
		for range rounds {
			call(1, 100*ms)
			now += c.before
			call(0, c.call)
		}
		truth.Info.Elapsed, truth.Events = now, trace.NewSliceReader(events)
		l := New([]Sampler{{Interval: ms, Overshoot: ms / 4, PerTick: ms}})
		if err := l.Read(truth); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		// each wait is seen, and so is the code around the waits
		want := (rounds*(c.seen+1) + 1) / (2*rounds + 1)
		if got := l.Expected(0).CallRecall; math.Abs(got-want) > 2e-3 {
			t.Errorf("%s: %.5f of the calls are seen, want %.5f", c.name, got, want)
		}
	}
}

// TestAfterWait: pauses of 1 ms follow each 1.25 ms; the mean place of a gap at which a thread
// continues that began to wait anywhere in one. A wait of 0.5 ms ends in a pause with 0.5/1.25,
// place 0, and else between places 0.5 and 1.25. One of 1.2 ms ends in a pause with 1/1.25; a
// thread that began in the first 0.05 ms continues after 1.2 at the end of the gap, one that began
// in the last 0.2 at the start of the next.
func TestAfterWait(t *testing.T) {
	const ms = float64(time.Millisecond)
	gaps := newGapLaw(1250*time.Microsecond, gapAtom{1250 * time.Microsecond, 1, 0})
	linear := func(place float64) float64 { return place / ms } // from a whole gap: its mean over places is 0.625
	for _, c := range []struct{ wait, want float64 }{
		{0, 0.625},
		{ms / 2, 0.6 * (0.5 + 1.25) / 2}, // never at the first 0.5 ms of a gap
		{1.2 * ms, 0.05/1.25*(1.2+1.25)/2 + 0.2/1.25*(0+0.2)/2},
		{100 * ms, 5. / 9 * 0.625},
	} {
		if got := gaps.afterWait(c.wait, ms, 0.625, linear); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("after a wait of %v ms: %v, want %v", c.wait/ms, got, c.want)
		}
	}
}
