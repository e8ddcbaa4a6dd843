package score

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/bench/measure"
	"artifice/instrument"
	"artifice/internal/recorder"
	"artifice/internal/testdata"
	"artifice/trace"
)

// lineOf returns the timeline of the tracer that record starts.
func lineOf(t *testing.T, rec *trace.Recording, events []trace.Event, record func(*trace.Recording) (*trace.Recording, error)) measure.Timeline {
	t.Helper()
	truth := copyOf(rec, events)
	sums, _, err := Record(NewTrueState(truth), truth, record, false)
	if err != nil {
		t.Fatal(err)
	}
	return sums.Line
}

// TestLongRunningTimeline compares the timeline of long-running-methods tracing with brute force
// over the recording.
func TestLongRunningTimeline(t *testing.T) {
	testdata.Seldom(t, 4)
	rng := rand.New(rand.NewPCG(71, 72))
	calls := &callMaker{rng: rng, methods: 6}
	kept, flushed, wrong := 0, 0, 0
	for trial := range 400 {
		rec, events := calls.truth(20 + rng.IntN(400))
		cfg := instrument.LongRunningConfig{Threshold: time.Duration(10+rng.IntN(60)) * us, CounterHz: 1e9}
		plain, err := instrument.RecordLongRunning(copyOf(rec, events), cfg)
		if err != nil {
			t.Fatal(err)
		}
		var reported trace.Buffer
		trace.Copy(&reported, plain.Events)
		got := lineOf(t, rec, events, func(truth *trace.Recording) (*trace.Recording, error) {
			return instrument.RecordLongRunning(truth, cfg)
		})
		want := bruteLine(rec, events, reported.Events)
		if got != want {
			t.Fatalf("trial %d, threshold %v: %+v, want %+v", trial, cfg.Threshold, got, want)
		}
		if len(reported.Events) > 0 && want.Equal < want.Thread {
			kept++
		}
		if want.Reported != want.Common {
			wrong++
		}
		blocks := map[uint32]int{}
		for _, b := range plain.Source.Blocks {
			if blocks[b.TID]++; blocks[b.TID] == 2 {
				flushed++
			}
		}
	}
	// The traces have partly correct stacks, stacks with an extra frame, and buffers flushed before
	// the end.
	if kept < 300 || wrong < 50 || flushed < 50 {
		t.Errorf("%d partly correct, %d with extra frames, %d flushed of 400 traces; want at least 300, 50, 50", kept, wrong, flushed)
	}
}

// shuffledLoss drops some events of a recording. It interleaves threads differently, but keeps the
// order of each thread's events.
type shuffledLoss struct {
	trace.Reader
	rng     *rand.Rand
	keep    func(e *trace.Event) bool
	pending [][]trace.Event
	end     error
}

func (s *shuffledLoss) ReadEvents(p []trace.Event) (int, error) {
	for {
		for id := range s.pending {
			if n := len(s.pending[id]); n > 0 && (s.end != nil || n > 20+s.rng.IntN(20)) {
				k := copy(p, s.pending[id])
				s.pending[id] = s.pending[id][k:]
				return k, nil
			}
		}
		if s.end != nil {
			return 0, s.end
		}
		batch := make([]trace.Event, 10)
		n, err := s.Reader.ReadEvents(batch)
		if n == 0 {
			s.end = err
		}
		for _, e := range batch[:n] {
			for int(e.Thread) >= len(s.pending) {
				s.pending = append(s.pending, nil)
			}
			if s.keep(&e) {
				s.pending[e.Thread] = append(s.pending[e.Thread], e)
			}
		}
	}
}

// TestMatchedTimeline compares the timeline of the instrumented modes with brute force over the
// remaining events. The tracer has overhead and drops events. Each call has a different method, so
// the match is unique.
func TestMatchedTimeline(t *testing.T) {
	testdata.Seldom(t, 4)
	rng := rand.New(rand.NewPCG(73, 74))
	calls := &callMaker{rng: rng, methods: 10000, unique: true}
	exact := 0
	for trial := range 150 {
		rec, events := calls.truth(10 + rng.IntN(200))
		loss := rng.IntN(3) * rng.IntN(20) // %
		lost := map[trace.MethodID]bool{}
		for _, e := range events {
			if rng.IntN(100) < loss {
				lost[e.Method<<1|trace.MethodID(min(e.Action, 1))] = true
			}
		}
		recorded := map[trace.MethodID]bool{}
		got := lineOf(t, rec, events, func(truth *trace.Recording) (*trace.Recording, error) {
			made, err := instrument.Record(truth, instrument.Config{
				Streaming: true, KeepSymbols: true, Unmerged: rng.IntN(2) == 0, Seed: uint64(trial),
				Cost: instrument.Cost{CPURead: time.Duration(rng.IntN(4)) * us, Hook: time.Duration(rng.IntN(3)) * us},
			})
			if err != nil {
				t.Fatal(err)
			}
			made.Events = &shuffledLoss{Reader: made.Events, rng: rng, keep: func(e *trace.Event) bool {
				key := e.Method<<1 | trace.MethodID(min(e.Action, 1))
				recorded[key] = !lost[key]
				return !lost[key]
			}}
			return made, nil
		})
		var reported []trace.Event
		for _, e := range events {
			if recorded[e.Method<<1|trace.MethodID(min(e.Action, 1))] {
				reported = append(reported, e)
			}
		}
		want := bruteLine(rec, events, reported)
		if got != want {
			t.Fatalf("trial %d, %d %% lost: %+v, want %+v", trial, loss, got, want)
		}
		if want.Equal == want.Thread {
			exact++
		}
	}
	if exact < 25 || exact > 125 {
		t.Errorf("%d of 150 traces are exact, want 25 to 125", exact)
	}
}

// TestSpuriousEvents checks recorded events without a true event. They apply at the current time of
// their thread, and reduce the accuracy of the timeline.
func TestSpuriousEvents(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{End: 10 * us})
	rec.Symbols.AddMethod(trace.Method{Name: "A"})
	rec.Symbols.AddMethod(trace.Method{Name: "B"})
	a := []trace.Event{{}, {Wall: 10 * us, Action: trace.Exit}}
	c := NewTrueState(copyOf(rec, a))
	line := newRecordedTimeline(c)
	trace.Copy(line, trace.NewSliceReader([]trace.Event{{Method: 1}})) // before the first true event
	trace.Copy(&trace.Buffer{}, recorder.Tap(trace.NewSliceReader(a), line))
	c.finish(10 * us)
	line.WriteEvents([]trace.Event{a[0], a[1]})
	want := measure.Timeline{Thread: 10 * us, True: 10 * us, Reported: 20 * us} // truth A, reported B/A
	if got := line.finish(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
