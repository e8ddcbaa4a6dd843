package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
)

// sleepers returns events of threads that call the same methods from time 0 on, on a clock of
// microseconds. Each thread except main then waits, deep in its calls, until the end at 1 s, where
// main exits its last frame.
func sleepers() (*trace.Symbols, []trace.Event) {
	rng := rand.New(rand.NewPCG(31, 5))
	s := &trace.Symbols{}
	for i := range 6 {
		s.AddMethod(trace.Method{Class: "a.A", Name: fmt.Sprint("m", i)})
	}
	waits := s.AddMethod(trace.Method{Class: "java.lang.Object", Name: "wait", Wait: trace.Lock})
	const threads = 5
	for id := range threads {
		s.AddThread(trace.Thread{TID: uint32(id + 1), Name: fmt.Sprint("t", id)})
	}
	var events []trace.Event
	var stacks trace.Stacks
	put := func(at time.Duration, id int, m trace.MethodID, a trace.Action) {
		e := trace.Event{Wall: at, CPU: at, Thread: trace.ThreadID(id), Method: m, Action: a}
		stacks.Apply(e)
		events = append(events, e)
	}
	for id := range threads {
		put(0, id, 0, trace.Enter)
	}
	at := time.Duration(0)
	for range 3000 {
		at += time.Duration(1+rng.IntN(100)) * time.Microsecond
		id := rng.IntN(threads)
		if open := stacks.Of(trace.ThreadID(id)); len(open) > 1 && rng.IntN(2) == 0 {
			put(at, id, open[len(open)-1], trace.Exit)
			continue
		}
		put(at, id, trace.MethodID(1+rng.IntN(5)), trace.Enter)
	}
	for id := 1; id < threads; id++ {
		put(at, id, waits, trace.Enter)
	}
	for open := stacks.Of(0); len(open) > 0; open = stacks.Of(0) {
		put(time.Second, 0, open[len(open)-1], trace.Exit)
	}
	return s, events
}

// TestOpenFramesLastToTheStop: threads of a recorded trace with open frames after their last events
// last to the stop. All tracers therefore have the same measures as on a synthetic truth with the
// same events and threads without an end. All threads wait according to the names of their methods,
// so they lose no time. research/internal/verify compares the measures of a synthetic truth with
// the reference implementation.
func TestOpenFramesLastToTheStop(t *testing.T) {
	of := map[trace.Technique]*Result{}
	for _, technique := range []trace.Technique{trace.Truth, trace.Instrumented} {
		symbols, events := sleepers()
		if technique != trace.Truth {
			symbols.SetEnds(events) // as a reader does
			if got := []time.Duration{symbols.Threads[0].End, symbols.Threads[1].End}; got[0] != time.Second || got[1] != 0 {
				t.Fatalf("threads end at %v, want 1s and 0", got)
			}
		}
		rec := &trace.Recording{Info: trace.Info{Technique: technique, Clock: trace.Dual, Elapsed: time.Second}, Symbols: symbols, Events: trace.NewSliceReader(events)}
		r, err := Run(context.Background(), rec, Config{Modes: Modes(), Intervals: []time.Duration{time.Millisecond, 20 * time.Millisecond}, Phases: 3})
		if err != nil {
			t.Fatal(err)
		}
		of[technique] = r
	}
	want, got := of[trace.Truth], of[trace.Instrumented]
	if want.Truth.Time != got.Truth.Time || want.Truth.Time < 4*time.Second {
		t.Errorf("%v in methods, want %v, above 4 s", got.Truth.Time, want.Truth.Time)
	}
	for i, row := range want.Rows {
		for m, v := range row.Mean {
			if g := got.Rows[i].Mean[m]; math.Abs(g-v) > 1e-12 || math.IsNaN(g) != math.IsNaN(v) {
				t.Errorf("%s at %v: %s is %v, and %v on the synthetic truth", row.Mode, row.Interval, Measure(m).Key(), g, v)
			}
		}
	}
}
