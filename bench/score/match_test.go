package score_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"artifice/bench/score"
	"artifice/trace"
)

// TestMatchWithoutSignature checks matching without signatures. C.f has no overloads, and C.g has
// two. Method f runs for 6 ms, the overloads of g for 3 and 1 ms. If a side has no signatures, the
// overloads are one method, and all 10 ms are in methods of the truth.
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
			t.Errorf("signatures %t and %t: joined %t, want %t", c.truth, c.observed, m.Joined, !m.Joined)
		}
		if m.Methods.Both != c.both || !slices.Equal(m.Methods.OnlyObserved, c.only) || math.Abs(m.Time-c.time) > 1e-12 {
			t.Errorf("signatures %t and %t: %+v, %v of the time; want %d matched, %v of the time", c.truth, c.observed, m.Methods, m.Time, c.both, c.time)
		}
	}
}

// TestMatchThreads checks that threads are matched by name or kernel name. Several threads of one
// name are matched by number, otherwise in order. A "-" may be written as "_". A thread without a
// name is matched by number.
func TestMatchThreads(t *testing.T) {
	numbered := func(from, step int, names ...string) *trace.Symbols {
		s := &trace.Symbols{}
		for i, name := range names {
			s.AddThread(trace.Thread{TID: uint32(from + i*step), Name: name})
		}
		return s
	}
	threads := func(names ...string) *trace.Symbols { return numbered(101, 1, names...) }
	truth := numbered(1, 1, "main", "OkHttp api.example.com", "OkHttp Dispatcher", "OkHttp Dispatcher", "pool-1-thread-1", "FinalizerDaemon")
	for name, c := range map[string]struct {
		observed *trace.Symbols
		want     []trace.ThreadID // 6 and above: not in the truth
	}{
		"by name":       {threads("OkHttp Dispatcher", "main", "OkHttp Dispatcher"), []trace.ThreadID{2, 0, 3}},
		"by the kernel": {threads("OkHttp Dispatch", "api.example.com", "OkHttp Dispatch", "pool_1_thread_1"), []trace.ThreadID{2, 1, 3, 4}},
		"other names":   {threads("OkHttp Dispatchers", "OkHttp", "FinalizerDaemon", "OkHttp Dispatch", "OkHttp Dispatch", "OkHttp Dispatch"), []trace.ThreadID{6, 7, 5, 2, 3, 8}},
		"by number":     {numbered(5, -1, "other", "OkHttp Dispatch", "OkHttp Dispatcher", "OkHttp Dispatcher"), []trace.ThreadID{6, 3, 2, 7}},
		"one more":      {numbered(9, -3, "OkHttp Dispatcher", "other", "OkHttp Dispatcher"), []trace.ThreadID{3, 6, 2}},
		"no names":      {numbered(5, -2, "", "", ""), []trace.ThreadID{4, 2, 0}},
	} {
		got, _, _, err := score.Match(truth, c.observed)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}
