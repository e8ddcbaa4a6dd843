package score_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"artifice/bench/score"

	"artifice/trace"
)

// TestMatchWithoutSignature: C.f is the only one of its name and C.g has two
// overloads. f runs for 6 ms, the overloads of g for 3 and 1. Where either side has no
// signatures, the overloads are one method, and all 10 ms are in methods of the truth.
func TestMatchWithoutSignature(t *testing.T) {
	const ms = time.Millisecond
	run := func(signatures bool) score.Opener {
		rec := &trace.Recording{Symbols: &trace.Symbols{}}
		rec.Symbols.AddThread(trace.Thread{Name: "main", End: 10 * ms})
		methods := []trace.Method{{Name: "f", Signature: "()V"}, {Name: "g", Signature: "(I)V"}, {Name: "g", Signature: "(J)V"}}
		if !signatures {
			methods = []trace.Method{{Name: "f"}, {Name: "g"}}
		}
		for _, m := range methods {
			m.Class = "a.C"
			rec.Symbols.AddMethod(m)
		}
		var events []trace.Event
		at := time.Duration(0)
		for i, d := range []time.Duration{6 * ms, 3 * ms, 1 * ms} {
			m := trace.MethodID(min(i, len(methods)-1))
			events = append(events, trace.Event{Wall: at, Method: m}, trace.Event{Wall: at + d, Method: m, Action: trace.Exit})
			at += d
		}
		return opener(rec, events)
	}
	for _, c := range []struct {
		truth, observed bool // with signatures
		both            int
		only            []string
		time            float64
	}{
		{true, true, 3, nil, 1},
		{true, false, 2, nil, 1},
		{false, true, 2, nil, 1},
		{false, false, 2, nil, 1},
	} {
		s, err := score.Compare(run(c.truth), run(c.observed), score.Config{})
		if err != nil {
			t.Fatal(err)
		}
		m := s.Matching
		if m.Joined != (c.truth && !c.observed) {
			t.Errorf("signatures %t and %t: joined %t", c.truth, c.observed, m.Joined)
		}
		if m.Methods.Both != c.both || !slices.Equal(m.Methods.OnlyObserved, c.only) || math.Abs(m.Time-c.time) > 1e-12 {
			t.Errorf("signatures %t and %t: %+v, %v of the time", c.truth, c.observed, m.Methods, m.Time)
		}
	}
}
