package sampler

import (
	"testing"

	"artifice/trace"
)

// TestOpenFramesAreSampledToTheStop checks a recorded thread that enters two frames at 5.2 ms, its
// last events, while main continues to 20 ms. Samples at each millisecond contain the two frames
// from 6 ms on, because ART's sampler records a sleeping thread at every tick. A thread without
// open frames after its last event has ended ([trace.Symbols.SetEnds]).
func TestOpenFramesAreSampledToTheStop(t *testing.T) {
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

// TestFinalWaitAbsorbsDelay checks delays at the end. One thread runs for 10 ms, then waits until
// the end, at 100 ms; a second thread waits all the time. Samples of 1 ms, 1 ms apart, delay the
// first thread by 10 ms, minus at most one sample. Its last wait absorbs the delay, because no
// thread depends on the end of the wait. So the app does not end later.
func TestFinalWaitAbsorbsDelay(t *testing.T) {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented, Clock: trace.Dual}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddMethod(trace.Method{Class: "a.A", Name: "run"})
	for i, name := range []string{"waits", "runs"} {
		rec.Symbols.AddThread(trace.Thread{Name: name, TID: uint32(i + 1)})
	}
	events := []trace.Event{{}, {Thread: 1}, {Wall: 10 * ms, CPU: 10 * ms, Thread: 1}, {Wall: 100 * ms, Action: trace.Exit}}
	rec.Symbols.SetEnds(events)
	rec.Events = trace.NewSliceReader(events)
	s, err := New(rec, Config{Interval: ms, Cost: Cost{PerTick: ms}}, trace.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(rec, s); err != nil {
		t.Fatal(err)
	}
	stats := s.Stats()
	if stats.Overhead.Lost < 9*ms || stats.Overhead.Lost > 10*ms || stats.Delay > ms || stats.AppTime != 100*ms {
		t.Errorf("the thread loses %v, want 9 or 10 ms; the app ends %v later than after %v, want at most the rest of a sample, after 100 ms", stats.Overhead.Lost, stats.Delay, stats.AppTime)
	}
}
