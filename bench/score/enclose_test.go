package score_test

import (
	"math"
	"testing"
	"time"

	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/trace"
)

// TestEnclosed scores sums against a truth of 10 ms. The truth ends with an unmatched exit of a,
// and b has 4 ms. Sums with the other 6 ms in a are correct. So are sums with b only, which a
// sampler reports that missed a.
func TestEnclosed(t *testing.T) {
	at := func(ms time.Duration, m trace.MethodID, a trace.Action) trace.Event {
		return trace.Event{Wall: ms * time.Millisecond, Method: m, Action: a}
	}
	symbols := &trace.Symbols{}
	symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	symbols.AddMethod(trace.Method{Name: "a"})
	symbols.AddMethod(trace.Method{Name: "b"})
	trace1 := func(events ...trace.Event) score.Opener {
		return func() (*trace.Recording, error) {
			return &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: symbols, Events: trace.NewSliceReader(events)}, nil
		}
	}
	truth := trace1(at(0, 1, trace.Enter), at(4, 1, trace.Exit), at(10, 0, trace.Exit))
	for name, observed := range map[string]score.Opener{
		"with a":    trace1(at(0, 0, trace.Enter), at(6, 1, trace.Enter), at(10, 1, trace.Exit), at(10, 0, trace.Exit)),
		"without a": trace1(at(0, 1, trace.Enter), at(4, 1, trace.Exit)),
	} {
		s, err := score.Compare(truth, observed, score.Config{By: score.ByNothing})
		if err != nil {
			t.Fatal(err)
		}
		if v := measure.Overlap(s.True.Contexts, s.Seen.Contexts); math.Abs(v-1) > 1e-12 || s.Truth.Events != 3 {
			t.Errorf("%s: overlap %v of %d events, want 1 of 3", name, v, s.Truth.Events)
		}
	}
}

// TestEnclosedInOneThread checks sums without threads, as in folded stacks. They match no context
// of a truth with threads, but all methods are correct.
func TestEnclosedInOneThread(t *testing.T) {
	made := func(thread string, events ...trace.Event) score.Opener {
		symbols := &trace.Symbols{}
		symbols.AddThread(trace.Thread{TID: 1, Name: thread})
		symbols.AddMethod(trace.Method{Name: "a"})
		symbols.AddMethod(trace.Method{Name: "b"})
		return func() (*trace.Recording, error) {
			return &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: symbols, Events: trace.NewSliceReader(events)}, nil
		}
	}
	const ms = time.Millisecond
	truth := made("worker", trace.Event{Method: 1}, trace.Event{Wall: 4 * ms, Method: 1, Action: trace.Exit}, trace.Event{Wall: 10 * ms, Action: trace.Exit})
	sums := made("main", trace.Event{}, trace.Event{Wall: 6 * ms, Method: 1}, trace.Event{Wall: 10 * ms, Method: 1, Action: trace.Exit}, trace.Event{Wall: 10 * ms, Action: trace.Exit})
	s, err := score.Compare(truth, sums, score.Config{By: score.ByNothing})
	if err != nil {
		t.Fatal(err)
	}
	if v := measure.Overlap(s.True.Exclusive, s.Seen.Exclusive); math.Abs(v-1) > 1e-12 {
		t.Errorf("overlap of exclusive times is %v, want 1", v)
	}
}
