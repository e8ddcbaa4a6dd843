package coverage

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/trace"
	"artifice/tracer/device"
)

// rounds is the number of calls of a and b by run in wholeSteps.
const rounds = 20

// wholeSteps returns a truth with stretches of whole milliseconds: a sampler at 1 ms measures the
// exact length of each, at any phase. It has 20 repetitions of
//
//	run  2 ms, and in it blink for 20 µs, where none of 24 phases has a sample
//	a    1 ms, f 3 ms, 1 ms
//	b    1 ms, f 1 ms, f at once again 1 ms, 1 ms
//
// blink has the first number in the truth, so sampled methods have other numbers in the truth than
// in the record.
func wholeSteps() *trace.Recording {
	symbols := &trace.Symbols{Threads: []trace.Thread{{Name: "main"}}}
	id := map[string]trace.MethodID{}
	for _, name := range []string{"run", "blink", "a", "b", "f", "last"} {
		id[name] = symbols.AddMethod(trace.Method{Class: "C", Name: name})
	}
	const us = time.Microsecond
	now := 10 * time.Millisecond
	var events []trace.Event
	do := func(action trace.Action, name string, then time.Duration) {
		events = append(events, trace.Event{Wall: now, CPU: now, Action: action, Method: id[name]})
		now += then
	}
	do(trace.Enter, "run", 0)
	for range rounds {
		now += 1025 * us // phases are 21, 62, ... µs: none from 25 to 45
		do(trace.Enter, "blink", 20*us)
		do(trace.Exit, "blink", 955*us)
		do(trace.Enter, "a", 1000*us)
		do(trace.Enter, "f", 3000*us)
		do(trace.Exit, "f", 1000*us)
		do(trace.Exit, "a", 0)
		do(trace.Enter, "b", 1000*us)
		do(trace.Enter, "f", 1000*us)
		do(trace.Exit, "f", 0)
		do(trace.Enter, "f", 1000*us)
		do(trace.Exit, "f", 1000*us)
		do(trace.Exit, "b", 0)
	}
	do(trace.Exit, "run", 0)
	do(trace.Enter, "last", 3000*us) // too short for a claim; with it the samples contain the end of run
	do(trace.Exit, "last", 0)
	return &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events), Info: trace.Info{Technique: trace.Instrumented, Elapsed: now}}
}

// TestContexts checks that every interval for wholeSteps contains the truth. f's times below a, 60
// ms, and below b, 40 ms, are compared with those of the same context. The intervals of the plain
// rule are ± 1.96 √(20/6) = 3.6 ms. Of the 102 sampled calls 82 are reported, since a sampler
// merges two consecutive calls of f.
func TestContexts(t *testing.T) {
	ideal, err := device.Open("ideal")
	if err != nil {
		t.Fatal(err)
	}
	for contexts, subjects := range map[bool]int{
		false: 4, // run, a, b, f
		true:  5, // run, a, a/f, b, b/f
	} {
		rows, err := Measure(context.Background(), func() (*trace.Recording, error) { return wholeSteps(), nil },
			Config{Intervals: []time.Duration{time.Millisecond}, Devices: []device.Device{ideal}, Phases: 24, Contexts: contexts, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, r := range rows {
			if r.Rule == Thinned {
				continue // it needs 200 runs
			}
			seen++
			want := subjects
			if r.Rule == AtLeast {
				want++ // last
			}
			if r.Methods != want || r.Claims != 24*want || r.Coverage != 1 {
				t.Errorf("contexts %v, %v, %v: %d subjects, coverage %.3f of %d intervals; want %d, and 1 of %d", contexts, r.Time, r.Rule, r.Methods, r.Coverage, r.Claims, want, 24*want)
			}
			if r.Rule == AtLeast && math.Abs(r.Width[1]-82./102) > 1e-9 {
				t.Errorf("contexts %v: %v of the calls are reported, want 82/102", contexts, r.Width[1])
			}
		}
		if seen != 4*3+1 {
			t.Errorf("%d rows, want three rules for each of four times, and the calls", seen)
		}
	}
}
