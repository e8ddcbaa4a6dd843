package score

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"artifice/trace"
)

const us = time.Microsecond

// randomTruth generates threads in whole microseconds with calls, open frames at the end and
// unmatched exits.
func randomTruth(rng *rand.Rand, threads, n int) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented}, Symbols: &trace.Symbols{}}
	for range threads {
		rec.Symbols.AddThread(trace.Thread{})
	}
	for i := range 5 {
		rec.Symbols.AddMethod(trace.Method{Class: "C", Name: fmt.Sprint("m", i)})
	}
	var stacks trace.Stacks
	var events []trace.Event
	now := time.Duration(rng.IntN(20)) * us
	for range n {
		id := trace.ThreadID(rng.IntN(threads))
		e := trace.Event{Wall: now, CPU: now, Method: trace.MethodID(rng.IntN(4)), Thread: id}
		open := stacks.Of(id)
		switch {
		case rng.IntN(25) == 0:
			e.Action, e.Method = trace.Exit, 4 // unmatched, or of another method than the innermost
		case len(open) > 4 || len(open) > 0 && rng.IntN(2) == 0:
			e.Action, e.Method = trace.Action(1+rng.IntN(2)), open[len(open)-1]
		}
		stacks.Apply(e)
		events = append(events, e)
		if rng.IntN(3) > 0 {
			now += time.Duration(rng.IntN(9)) * us
		}
	}
	rec.Symbols.SetEnds(events) // as a reader does
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// randomTrial returns a truth, its events, and the times of samples.
func randomTrial(rng *rand.Rand) (rec *trace.Recording, events []trace.Event, phase, gap time.Duration) {
	rec = randomTruth(rng, 1+rng.IntN(3), 30+rng.IntN(90))
	var all trace.Buffer
	trace.Copy(&all, rec.Events)
	rec.Events = trace.NewSliceReader(all.Events)
	gap = time.Duration(1+rng.IntN(40)) * us
	return rec, all.Events, time.Duration(rng.Int64N(int64(gap/us)))*us + us/2, gap
}

// copyOf returns a recording with these events and a copy of the symbols.
func copyOf(rec *trace.Recording, events []trace.Event) *trace.Recording {
	return &trace.Recording{Info: rec.Info, Symbols: &trace.Symbols{Threads: slices.Clone(rec.Symbols.Threads), Methods: slices.Clone(rec.Symbols.Methods)}, Events: trace.NewSliceReader(events)}
}

// newState returns the state of a truth with these events.
func newState(rec *trace.Recording, events []trace.Event) *TrueState {
	return NewTrueState(&trace.Recording{Info: rec.Info, Symbols: rec.Symbols, Events: trace.NewSliceReader(events)})
}
