package law

import (
	"io"
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// TestWakeupsInPauses checks calls computed by hand, with pauses of P = 1 ms after each X = 1.25
// ms. The thread waits long before each call, and wakes in a pause in 4 of 9 cases. Then the next
// sample comes after 1.25 ms; otherwise it comes at a random time in the next 1.25 ms.
func TestWakeupsInPauses(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name         string
		before, call time.Duration // work, and the call after it
		seen         float64       // share of the calls that are sampled
	}{
		{"a short call at once: d/(X + P)", 0, ms / 2, 0.5 / 2.25},
		{"a call that ends after the first sample: d/(X + P)", 0, ms, 1 / 2.25},
		{"the sample after the pause is in the call", ms, ms / 2, 4./9 + 5./9*0.4},
		{"that sample is after the call, the next one before it", 2 * ms, ms / 4, 5. / 9 * 0.2},
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
		// Every sampler samples each wait and the code around the waits.
		want := (rounds*(c.seen+1) + 1) / (2*rounds + 1)
		if got := l.Expected(0).CallRecall; math.Abs(got-want) > 2e-3 {
			t.Errorf("%s: %.5f of the calls are sampled, want %.5f", c.name, got, want)
		}
	}
}

// TestAfterWait checks the mean place in a gap at which a thread continues, if it started to wait
// at a random place of a gap. Pauses of 1 ms follow each gap of 1.25 ms. A wait of 0.5 ms ends in a
// pause with probability 0.5/1.25, at place 0, otherwise between places 0.5 and 1.25. A wait of 1.2
// ms ends in a pause with probability 1/1.25. If it started in the first 0.05 ms, it ends at the
// end of the gap, after place 1.2; if in the last 0.2 ms, at the start of the next gap.
func TestAfterWait(t *testing.T) {
	const ms = float64(time.Millisecond)
	gaps := newGapLaw(1250*time.Microsecond, gapAtom{1250 * time.Microsecond, 1, 0})
	linear := func(place float64) float64 { return place / ms } // over a whole gap, its mean is 0.625
	for _, c := range []struct{ wait, want float64 }{
		{0, 0.625},
		{ms / 2, 0.6 * (0.5 + 1.25) / 2}, // never in the first 0.5 ms of a gap
		{1.2 * ms, 0.05/1.25*(1.2+1.25)/2 + 0.2/1.25*(0+0.2)/2},
		{100 * ms, 5. / 9 * 0.625},
	} {
		if got := gaps.afterWait(c.wait, ms, 0.625, linear); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("after a wait of %v ms: %v, want %v", c.wait/ms, got, c.want)
		}
	}
}
