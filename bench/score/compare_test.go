package score_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/bench"
	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/internal/testdata"
	"artifice/trace"
)

const us = time.Microsecond

// opener returns an opener of an in-memory recording with these events.
func opener(rec *trace.Recording, events []trace.Event) score.Opener {
	return func() (*trace.Recording, error) { return score.CopyOf(rec, events), nil }
}

// TestScoreOfItself checks that a truth scored against itself has no errors, even if the tables
// have another order and the clock is twice as fast.
func TestScoreOfItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	rec := score.RandomTruth(rng, 3, 800)
	var events trace.Buffer
	trace.Copy(&events, rec.Events)
	// If two methods have one name, the order of the tables matches them.
	rec.Symbols.Methods[2].Name = rec.Symbols.Methods[1].Name

	shuffled := score.CopyOf(rec, nil)
	threads, methods := []int{2, 0, 1}, []int{1, 4, 0, 2, 3} // old index of each new entry
	for i, old := range threads {
		shuffled.Symbols.Threads[i] = rec.Symbols.Threads[old]
		shuffled.Symbols.Threads[i].TID, shuffled.Symbols.Threads[i].Name = uint32(i), string(rune('a'+old))
		rec.Symbols.Threads[old].Name = string(rune('a' + old))
	}
	for i, old := range methods {
		shuffled.Symbols.Methods[i] = rec.Symbols.Methods[old]
		shuffled.Symbols.Methods[i].ID = uint64(i) * 4
	}
	moved := slices.Clone(events.Events)
	for i := range moved {
		moved[i].Wall = 2 * moved[i].Wall
		moved[i].Thread = trace.ThreadID(slices.Index(threads, int(moved[i].Thread)))
		moved[i].Method = trace.MethodID(slices.Index(methods, int(moved[i].Method)))
	}

	s, err := score.Compare(opener(rec, events.Events), opener(shuffled, moved), score.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range map[bench.Measure]float64{
		bench.MethodRecall: 1, bench.CallRatio: 1, bench.Overlap: 1, bench.OverlapEdges: 1, bench.OverlapPaths: 1, bench.ExclusiveError: 0, bench.InclusiveError: 0,
		bench.ExclusiveWorst: 0, bench.ExclusiveCPUError: 0, bench.InclusiveCPUError: 0, bench.InclusiveCPUBias: 0,
		bench.Top10: 1, bench.KendallTau: 1, bench.Timeline: 1, bench.TimelineDepth: 1, bench.Slowdown: 2, bench.CPUTimeRatio: 1,
	} {
		if math.Abs(bench.ScoresOf(s.Comparison)[m]-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", m.Key(), bench.ScoresOf(s.Comparison)[m], want)
		}
	}
	for _, m := range []bench.Measure{bench.Samples, bench.CallRecall, bench.Floor} {
		if !math.IsNaN(bench.ScoresOf(s.Comparison)[m]) {
			t.Errorf("%s is %v, want NaN: events do not determine it", m.Key(), bench.ScoresOf(s.Comparison)[m])
		}
	}
	if p := s.Matching.Methods; p.Both != 5 || len(p.OnlyTruth)+len(p.OnlyObserved) > 0 {
		t.Errorf("methods: %v, want all 5 matched", p)
	}
	if p := s.Matching.Threads; p.Both != 3 || len(p.OnlyTruth)+len(p.OnlyObserved) > 0 {
		t.Errorf("threads: %v, want all 3 matched", p)
	}
}

// TestScoreByHand checks the example of measure.Timeline. Thread main is in A/B for 6 of 10 ms,
// then in A. The observed trace has A/B for 8 ms, then no method. Another thread has a method that
// is not in the truth.
func TestScoreByHand(t *testing.T) {
	ms := time.Millisecond
	symbols := func(threads, methods []string) *trace.Symbols {
		s := &trace.Symbols{}
		for _, name := range threads {
			s.AddThread(trace.Thread{Name: name})
		}
		for _, name := range methods {
			s.AddMethod(trace.Method{Class: "x/C", Name: name})
		}
		return s
	}
	event := func(thread trace.ThreadID, m trace.MethodID, a trace.Action, at time.Duration) trace.Event {
		return trace.Event{Wall: at, CPU: at, Thread: thread, Method: m, Action: a}
	}
	truth := &trace.Recording{Symbols: symbols([]string{"main", "idle"}, []string{"A", "B"})}
	known := []trace.Event{
		event(0, 0, trace.Enter, 0), event(0, 1, trace.Enter, 0), event(1, 0, trace.Enter, 1*ms), event(1, 0, trace.Exit, 1*ms),
		event(0, 1, trace.Exit, 6*ms), event(0, 0, trace.Exit, 10*ms),
	}
	truth.Symbols.Threads[0].End, truth.Symbols.Threads[1].End = 10*ms, 1*ms
	seen := symbols([]string{"other", "main"}, []string{"B", "A", "New"})
	for i := range seen.Methods {
		seen.Methods[i].Class = "x.C"
	}
	observed := []trace.Event{
		event(1, 1, trace.Enter, 0), event(1, 0, trace.Enter, 0), event(1, 0, trace.Exit, 8*ms), event(1, 1, trace.Exit, 8*ms),
		event(0, 2, trace.Enter, 9*ms), event(0, 2, trace.Exit, 10*ms),
	}
	s, err := score.Compare(opener(truth, known), opener(&trace.Recording{Symbols: seen}, observed), score.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range map[bench.Measure]float64{
		bench.Timeline: 0.6, bench.TimelineDepth: 14. / 18, bench.MethodRecall: 1,
		bench.CallRatio: 3. / 3, // observed: A and B on main, New on the other thread; truth: A, B, A
		bench.Overlap:   0.6,    // truth: A 4, B 6 of 10; observed: A 0, B 8, New 1 of 9; min(0.6, 8/9)
	} {
		if math.Abs(bench.ScoresOf(s.Comparison)[m]-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", m.Key(), bench.ScoresOf(s.Comparison)[m], want)
		}
	}
	if p := s.Matching.Threads; p.Both != 1 || !slices.Equal(p.OnlyTruth, []string{"idle"}) || !slices.Equal(p.OnlyObserved, []string{"other"}) {
		t.Errorf("threads: %+v, want main matched, idle and other unmatched", p)
	}
	if p := s.Matching.Methods; p.Both != 2 || !slices.Equal(p.OnlyObserved, []string{"x.C.New"}) {
		t.Errorf("methods: %+v, want 2 matched, x.C.New unmatched", p)
	}
}

// TestScoreIgnoresTimeAfterTheEnd checks that time after the end of the truth is ignored. The truth
// is in A from 0 to its end at 100 us. The observed trace has A from 60 to 160 us and from 170 us
// on, so 40 of 100 us are correct.
func TestScoreIgnoresTimeAfterTheEnd(t *testing.T) {
	truth := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{Technique: trace.Truth, Elapsed: 100 * us}}
	truth.Symbols.AddThread(trace.Thread{Name: "main"})
	truth.Symbols.AddMethod(trace.Method{Name: "A"})
	observed := &trace.Recording{Symbols: truth.Symbols}
	s, err := score.Compare(opener(truth, []trace.Event{{}}), opener(observed, []trace.Event{
		{}, {Wall: 100 * us, Action: trace.Exit}, {Wall: 110 * us},
	}), score.Config{By: score.ByOffset, Offset: -60 * us, Dumps: func() int64 { return 3 }})
	if err != nil {
		t.Fatal(err)
	}
	want := measure.Timeline{Thread: 100 * us, Equal: 40 * us, True: 100 * us, Reported: 40 * us, Common: 40 * us}
	if s.Line != want {
		t.Errorf("%+v, want %+v", s.Line, want)
	}
}

// TestScoreOfARuntimeFrame checks that a runtime frame counts as its caller in the timeline. This
// holds even if an observed trace contains the frame and the truth never has the stack without it.
func TestScoreOfARuntimeFrame(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{Name: "main"})
	for i, flags := range []trace.MethodFlags{0, trace.RuntimeInternal, 0} {
		rec.Symbols.AddMethod(trace.Method{Name: string(rune('A' + i)), Flags: flags})
	}
	call := func(methods ...trace.MethodID) (events []trace.Event) { // 1 us self time in each activation
		for i, m := range methods {
			events = append(events, trace.Event{Wall: time.Duration(i) * us, Method: m})
		}
		for i, m := range slices.Backward(methods) {
			events = append(events, trace.Event{Wall: time.Duration(2*len(methods)-1-i) * us, Method: m, Action: trace.Exit})
		}
		return events
	}
	truth, observed := call(0, 1, 0), call(0, 1, 2)
	s, err := score.Compare(opener(rec, truth), opener(rec, observed), score.Config{})
	if err != nil {
		t.Fatal(err)
	}
	// The five microseconds are: A; A/R, which counts as A; A/R/A, which counts as A/A and is
	// reported as A/C; A; A.
	if got := bench.ScoresOf(s.Comparison)[bench.Timeline]; math.Abs(got-0.8) > 1e-12 {
		t.Errorf("timeline %v, want 0.8", got)
	}
}

// TestScoreRefuses checks the errors for traces that cannot be compared.
func TestScoreRefuses(t *testing.T) {
	rec := score.RandomTruth(rand.New(rand.NewPCG(1, 1)), 1, 20)
	var buffer trace.Buffer
	trace.Copy(&buffer, rec.Events)
	events := buffer.Events
	good := opener(rec, events)
	cpuOnly := score.CopyOf(rec, nil)
	cpuOnly.Info.Clock = trace.ThreadCPU
	calls := 0
	changing := func() (*trace.Recording, error) {
		calls++
		return score.CopyOf(rec, events[calls:]), nil
	}
	for _, c := range []struct {
		what            string
		truth, observed score.Opener
		want            string
	}{
		{"no wall clock", good, opener(cpuOnly, events), "wall clock"},
		{"no events", good, opener(rec, nil), "without events"},
		{"an unknown method", good, opener(rec, []trace.Event{{Method: 99}}), "the observed trace: event at 0s of thread 0 and method 99"},
		{"a truth that changes", changing, good, "reading the truth again: the trace has changed: 18 events instead of 19"},
		{"an observed trace that cannot be read", good, broken(rec, events, 1), "the observed trace: broken"},
		{"an observed trace that cannot be read again", good, broken(rec, events, 2), "reading the observed trace again: broken"},
		{"a truth that cannot be read again", broken(rec, events, 2), good, "reading the truth again: broken"},
	} {
		if _, err := score.Compare(c.truth, c.observed, score.Config{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.what, err, c.want)
		}
	}
}

// broken opens a trace whose n-th reading fails.
func broken(rec *trace.Recording, events []trace.Event, n int) score.Opener {
	return func() (*trace.Recording, error) {
		copied := score.CopyOf(rec, events)
		if n--; n == 0 {
			copied.Events = failing{}
		}
		return copied, nil
	}
}

// TestScoreIsAStream checks that 50 times the events need no more memory. The test counts all
// allocations, which do not depend on garbage collections.
func TestScoreIsAStream(t *testing.T) {
	allocated := func(n int) uint64 {
		open := func() (*trace.Recording, error) {
			rec := &trace.Recording{Symbols: &trace.Symbols{}, Events: &testdata.Loop{N: n}}
			rec.Symbols.AddThread(trace.Thread{Name: "main"})
			rec.Symbols.AddMethod(trace.Method{Name: "A"})
			rec.Symbols.AddMethod(trace.Method{Name: "B"})
			return rec, nil
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := score.Compare(open, open, score.Config{})
		runtime.ReadMemStats(&after)
		if err != nil || s.Truth.Events != int64(n) || bench.ScoresOf(s.Comparison)[bench.Timeline] != 1 {
			t.Fatalf("%+v, error %v", s, err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	const short, long = 40_000, 50 * 40_000
	few, many := allocated(short), allocated(long)
	if perEvent := (float64(many) - float64(few)) / (long - short); perEvent > 0.1 {
		t.Errorf("%d bytes for %d events and %d for %d: %.2f bytes per event, want at most 0.1", few, short, many, long, perEvent)
	}
}

// failing returns an error from every read.
type failing struct{}

func (failing) ReadEvents([]trace.Event) (int, error) { return 0, errors.New("broken") }

// TestScoresOfTheTruth checks that a tracer that reports the truth has no errors.
func TestScoresOfTheTruth(t *testing.T) {
	s := bench.ScoresOf(score.Perfect(score.RandomTruth(rand.New(rand.NewPCG(25, 26)), 3, 2000)))
	for m, want := range map[bench.Measure]float64{
		bench.MethodRecall: 1, bench.CallRecall: 1, bench.CallRatio: 1, bench.MergeFactor: 1, bench.Overlap: 1, bench.OverlapEdges: 1, bench.OverlapPaths: 1,
		bench.HotCoverage: 1, bench.HotPrecision: 1, bench.ExclusiveError: 0, bench.InclusiveError: 0, bench.InclusiveBias: 0,
		bench.Top10: 1, bench.KendallTau: 1, bench.DurationKS: 0, bench.Timeline: 1, bench.TimelineDepth: 1,
	} {
		if math.Abs(s[m]-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", m.Key(), s[m], want)
		}
	}
}
