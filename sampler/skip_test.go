package sampler

import (
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// TestSkipEqualsReplay compares a sampler that skips most of a time of 40 s without events with one
// that replays its 40,000 ticks: a thread runs, another one sleeps, and both make calls before and
// after it. Each thread has its own delay.
func TestSkipEqualsReplay(t *testing.T) {
	const ms = time.Millisecond
	var events []trace.Event
	call := func(id trace.ThreadID, m trace.MethodID, from, to time.Duration) {
		events = append(events, trace.Event{Wall: from, Thread: id, Method: m, Action: trace.Enter}, trace.Event{Wall: to, Thread: id, Method: m, Action: trace.Exit})
	}
	for i := range time.Duration(50) {
		call(0, trace.MethodID(i%2), i*2*ms, i*2*ms+1500*time.Microsecond)
		call(1, 1, i*2*ms, i*2*ms+ms)
	}
	call(0, 0, 101*ms, 40_100*ms)
	call(1, 2, 101*ms, 40_100*ms)
	for i := range time.Duration(50) {
		call(0, trace.MethodID(i%2), 40_100*ms+i*2*ms, 40_100*ms+i*2*ms+1500*time.Microsecond)
		call(1, 1, 40_100*ms+i*2*ms, 40_100*ms+i*2*ms+ms)
	}
	slices.SortStableFunc(events, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	record := func(change func(*Sampler)) []trace.Event {
		truth := &trace.Recording{
			Info: trace.Info{Technique: trace.Truth, Elapsed: 40_200 * ms},
			Symbols: &trace.Symbols{
				Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "other"}},
				Methods: []trace.Method{{Class: "a.A", Name: "work"}, {Class: "a.A", Name: "more"}, {Class: "a.A", Name: "sleep", Wait: trace.Sleep}},
			},
			Events: trace.NewSliceReader(events),
		}
		var out trace.Buffer
		s, err := New(truth, Config{Interval: ms, Cost: Cost{PerTick: 130 * time.Microsecond}, Waits: WaitsAbsorb, Seed: 1}, &out)
		if err != nil {
			t.Fatal(err)
		}
		change(s)
		if err := Run(truth, s); err != nil {
			t.Fatal(err)
		}
		return out.Events
	}
	skipped := 0
	fast := record(func(s *Sampler) {
		if s.minSkip < 40*time.Second {
			skipped++
		}
	})
	slow := record(func(s *Sampler) { s.minSkip = never })
	if skipped == 0 || len(fast) < 100 {
		t.Fatalf("%d samplers skip, %d events", skipped, len(fast))
	}
	for i := range min(len(fast), len(slow)) {
		if fast[i] != slow[i] {
			t.Fatalf("event %d is %+v, without skipping %+v", i, fast[i], slow[i])
		}
	}
	if len(fast) != len(slow) {
		t.Errorf("%d events, without skipping %d", len(fast), len(slow))
	}
}
