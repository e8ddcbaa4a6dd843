package sampler

import (
	"testing"

	"artifice/trace"
)

// TestLivesOn: a recorded thread enters two frames at 5.2 ms, its last events, and main goes on to 20 ms. Samples of each
// millisecond find the two frames from 6 ms on: ART's sampler sees a thread that sleeps at every tick. One that
// has left all its frames by its last event is gone.
func TestLivesOn(t *testing.T) {
	events := []trace.Event{
		{Method: 0}, {Wall: 5200 * us, Thread: 1, Method: 1}, {Wall: 5200 * us, Thread: 1, Method: 2},
		{Wall: 5300 * us, Thread: 2, Method: 1}, {Wall: 5400 * us, Thread: 2, Method: 1, Action: trace.Exit}, {Wall: 20 * ms, Action: trace.Exit},
	}
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented, Clock: trace.Wall}, Symbols: &trace.Symbols{}}
	for _, name := range []string{"main", "sleeps", "ends"} {
		rec.Symbols.AddThread(trace.Thread{Name: name, TID: uint32(len(rec.Symbols.Threads) + 1)})
		rec.Symbols.AddMethod(trace.Method{Class: "a.A", Name: name})
	}
	rec.Symbols.SetEnds(events) // as a reader does
	rec.Events = trace.NewSliceReader(events)
	sampled, err := Record(rec, Config{KeepSymbols: true, Clock: trace.Wall})
	if err != nil {
		t.Fatal(err)
	}
	var got trace.Buffer
	if _, err := trace.Copy(&got, sampled.Events); err != nil {
		t.Fatal(err)
	}
	var of [3]int
	for _, e := range got.Events {
		of[e.Thread]++
		if e.Thread == 1 && e.Wall != 6*ms {
			t.Errorf("%+v, want it at 6 ms", e)
		}
	}
	if of[1] != 2 || of[2] != 0 {
		t.Errorf("%d and %d events of the threads, want 2 and 0", of[1], of[2])
	}
}
