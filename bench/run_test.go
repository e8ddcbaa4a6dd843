package bench

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"artifice/bench/score"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// scoresOf runs a sweep and returns its cells by name.
func scoresOf(t *testing.T, cfg Config) map[string]Scores {
	t.Helper()
	r, err := Run(context.Background(), tracetest.Workload(t, "cold-start", 300*time.Millisecond), cfg)
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]Scores{}
	for _, c := range r.Cells {
		cells[strings.Join([]string{c.Mode, c.Device, c.Interval.String(), strconv.Itoa(c.Index)}, " ")] = c.Scores
	}
	return cells
}

// equal reports whether scores are equal. NaN equals NaN.
func equal(a, b Scores) bool {
	for m := range a {
		if a[m] != b[m] && (a[m] == a[m] || b[m] == b[m]) {
			return false
		}
	}
	return true
}

// TestRerun: the scores of a cell do not depend on the run, the number of cores, and the other
// cells of the sweep.
func TestRerun(t *testing.T) {
	testdata.Seldom(t, 4)
	cfg := Config{
		Intervals: []time.Duration{300 * us, 2000 * us}, Devices: devices(t, "ideal", "A"), Phases: 5, Cores: 1,
		Modes: []Mode{ARTSampling, PoissonSampling, endMidSampling, InstrumentedDual},
	}
	first := scoresOf(t, cfg)
	if len(first) != 3*2*2*5+2 {
		t.Fatalf("%d cells", len(first))
	}
	for _, change := range []func(*Config){
		func(c *Config) {},
		func(c *Config) { c.Cores = 2 },
		func(c *Config) { c.Cores = 7 },
		func(c *Config) { c.Intervals = c.Intervals[1:] },
		func(c *Config) { c.Devices = c.Devices[1:]; c.Cores = 3 },
		func(c *Config) { c.Modes = []Mode{InstrumentedDual, PoissonSampling} },
		func(c *Config) { c.LadderAt = time.Millisecond },
	} {
		other := cfg
		change(&other)
		same := 0
		for name, s := range scoresOf(t, other) {
			if before, ok := first[name]; ok {
				same++
				if !equal(s, before) {
					t.Errorf("%s: %v, want %v as in the first run", name, s, before)
				}
			}
		}
		if same < 11 {
			t.Errorf("only %d cells to compare", same)
		}
	}
}

// slow cancels a context after some reads, like Ctrl-C.
type slow struct {
	trace.Reader
	left   int
	cancel func()
}

func (s *slow) ReadEvents(p []trace.Event) (int, error) {
	if s.left--; s.left == 0 {
		s.cancel()
	}
	return s.Reader.ReadEvents(p)
}

// TestExceeded: an error of Exceeded ends a run at any event. On a recorded truth, it also ends the
// jobs that compute the range of slowdowns.
func TestExceeded(t *testing.T) {
	full := errors.New("no memory is left")
	for _, technique := range []trace.Technique{trace.Truth, trace.Instrumented} {
		for _, calls := range []int64{0, 5, 100} {
			var requested atomic.Int64
			truth := tracetest.Workload(t, "cold-start", 300*time.Millisecond)
			truth.Info.Technique = technique
			r, err := Run(context.Background(), truth, Config{
				Intervals: []time.Duration{300 * us}, Devices: devices(t, "A"), Phases: 2, Modes: []Mode{ARTSampling},
				Exceeded: func() error {
					if requested.Add(1) > calls {
						return full
					}
					return nil
				},
			})
			if !errors.Is(err, full) || r != nil || requested.Load() <= calls {
				t.Errorf("technique %v, %d calls: error %v after %d calls", technique, calls, err, requested.Load())
			}
		}
	}
}

// TestCut: an interrupted sweep returns the result for the part of the truth that was read.
func TestCut(t *testing.T) {
	whole, err := Run(context.Background(), tracetest.Workload(t, "w6-random-tree", time.Second), Config{Intervals: []time.Duration{time.Millisecond}, Phases: 3})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	truth := tracetest.Workload(t, "w6-random-tree", time.Second)
	truth.Events = &slow{truth.Events, 4, cancel}
	part, err := Run(ctx, truth, Config{Intervals: []time.Duration{time.Millisecond}, Phases: 3, patience: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if whole.Cut || !part.Cut {
		t.Errorf("Cut is %v for the whole run and %v for the interrupted one", whole.Cut, part.Cut)
	}
	if part.Truth.Calls == 0 || part.Truth.Calls >= whole.Truth.Calls || part.Rows[0].Mean[Samples] >= whole.Rows[0].Mean[Samples] {
		t.Errorf("%d calls in all and %d in the part; %v and %v samples", whole.Truth.Calls, part.Truth.Calls, whole.Rows[0].Mean[Samples], part.Rows[0].Mean[Samples])
	}
}

// TestStopped: in an interrupted sweep, samplers that take too long to process the events read so
// far stop, and the result is for the truth up to their position. This truth is read completely
// before it is sampled, and the sweep is interrupted after 6 of its 10 s.
func TestStopped(t *testing.T) {
	var events []trace.Event
	for i := range 1000 {
		at := time.Duration(i) * 10 * time.Millisecond
		events = append(events, trace.Event{Wall: at}, trace.Event{Wall: at + 5*time.Millisecond, Action: trace.Exit})
	}
	symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1}}, Methods: []trace.Method{{ID: 4, Name: "f"}}}
	truth := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented}, Symbols: symbols, Events: trace.NewSliceReader(events)}
	ctx, cancel := context.WithCancel(context.Background())
	waits := 10
	stop := func(reached time.Duration) {
		if reached >= 6*time.Second {
			cancel()
			if waits > 0 { // until the deadline of 1 ns has passed, or else at a later event
				waits--
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
	r, err := Run(ctx, truth, Config{Intervals: []time.Duration{time.Millisecond}, Phases: 4, Cores: 2, Progress: stop, patience: 1})
	if err != nil {
		t.Fatal(err)
	}
	samples := r.Rows[0].Mean[Samples]
	if length := r.Truth.Length; !r.Cut || length < 6*time.Second || length >= 10*time.Second || samples < 3000 || samples >= 5000 {
		t.Errorf("interrupted %v at %v with %v samples, want from 6 to 10 s, and samples for half of the ticks: 3000 to 5000", r.Cut, length, samples)
	}
	r.Advise() // also for an interrupted sweep
	if seen := r.Rows[0].Mean[MethodRecall]; seen != 1 {
		t.Errorf("method recall %v, want 1", seen)
	}
}

// failing is a reader that returns an error.
type failing struct{ err error }

func (f failing) ReadEvents([]trace.Event) (int, error) { return 0, f.err }

// TestSourceFails: the sweep returns the error of its source, once.
func TestSourceFails(t *testing.T) {
	broken := errors.New("x.trace: offset 17: broken")
	truth := tracetest.Workload(t, "w1-single-call", time.Second)
	truth.Events = failing{broken}
	_, err := Run(context.Background(), truth, Config{})
	if !errors.Is(err, broken) || strings.Count(err.Error(), "broken") != 1 {
		t.Errorf("error %v", err)
	}
}

// TestConfigRefused: invalid configurations are rejected before the truth is read.
func TestConfigRefused(t *testing.T) {
	for what, cfg := range map[string]Config{
		"phases":   {Phases: -1},
		"interval": {Intervals: []time.Duration{-1}},
		"too many": {Phases: maxCells, Intervals: []time.Duration{1, 2}},
	} {
		if _, err := Run(context.Background(), tracetest.Workload(t, "w1-single-call", time.Millisecond), cfg); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	cpu := tracetest.Workload(t, "w1-single-call", time.Millisecond)
	cpu.Info.Clock = trace.ThreadCPU
	if _, err := Run(context.Background(), cpu, Config{}); err == nil {
		t.Error("no wall clock: no error")
	}
	wall := tracetest.Workload(t, "w1-single-call", time.Millisecond)
	wall.Info.Clock = trace.Wall
	if _, err := Run(context.Background(), wall, Config{CPU: true}); err == nil {
		t.Error("CPU errors requested without a CPU clock: no error")
	}
}

// growing adds a thread and a method at each read, like a stream.
type growing struct {
	symbols *trace.Symbols
	rounds  int
}

func (g *growing) ReadEvents(p []trace.Event) (int, error) {
	if g.rounds == 0 {
		return 0, io.EOF
	}
	g.rounds--
	at := time.Duration(100-g.rounds) * time.Millisecond
	thread, _ := g.symbols.AddThread(trace.Thread{TID: uint32(len(g.symbols.Threads))})
	method := g.symbols.AddMethod(trace.Method{ID: uint64(len(g.symbols.Methods)), Name: "m"})
	g.symbols.Threads[0].End = at
	return copy(p, []trace.Event{{Wall: at, Thread: thread, Method: method}, {Wall: at + 900*us, Thread: thread, Method: method, Action: trace.Exit}}), nil
}

// TestFanout: every worker receives all events, and its own tables with the symbols as they are
// added.
func TestFanout(t *testing.T) {
	symbols := &trace.Symbols{}
	src := &trace.Recording{Symbols: symbols, Events: &growing{symbols, 50}}
	source := newFanout(src, 3)
	got := make([]trace.Buffer, 3)
	readers := make([]job, 3)
	for i := range readers {
		readers[i] = jobFunc(func(rec *trace.Recording) error {
			if i == 1 {
				return nil // reads nothing and delays no other tracer
			}
			for e, err := range trace.All(rec.Events) {
				if err != nil {
					return err
				}
				if int(e.Thread) >= len(rec.Symbols.Threads) || int(e.Method) >= len(rec.Symbols.Methods) {
					t.Errorf("event %v precedes its symbols", e)
				}
				got[i].Events = append(got[i].Events, e)
			}
			if !reflect.DeepEqual(rec.Symbols, symbols) || rec.Symbols == symbols {
				t.Error("the symbols differ from those of the source")
			}
			return nil
		})
	}
	if err := runAll(context.Background(), source, readers); err != nil {
		t.Fatal(err)
	}
	if len(got[0].Events) != 100 || !slices.Equal(got[0].Events, got[2].Events) {
		t.Errorf("%d and %d events", len(got[0].Events), len(got[2].Events))
	}
}

// jobFunc implements job with a function.
type jobFunc func(*trace.Recording) error

func (f jobFunc) run(rec *trace.Recording) error { return f(rec) }

// TestRecordingIsAStream: the memory of recording and comparing does not grow with ten times the
// number of events, once the tracer's thread buffers have their final size, regardless of the delay
// of the tracer.
func TestRecordingIsAStream(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, mode := range []Mode{InstrumentedDual, longRunning} {
		most := func(n int) uint64 {
			return maxHeap(func() {
				rec := &trace.Recording{Symbols: &trace.Symbols{}, Events: &testdata.Loop{N: n}}
				rec.Symbols.AddThread(trace.Thread{Name: "main"})
				rec.Symbols.AddMethod(trace.Method{Name: "A"})
				rec.Symbols.AddMethod(trace.Method{Name: "B"})
				r, err := Run(context.Background(), rec, Config{Modes: []Mode{mode}, Devices: devices(t, "A"), Cores: 1})
				if err != nil || r.Truth.Events != int64(n) || mode.Name == InstrumentedDual.Name && r.Rows[0].Mean[Timeline] != 1 {
					t.Errorf("%+v, error %v", r, err)
				}
			})
		}
		const short, long = 200_000, 2_000_000
		few, many := most(short), most(long)
		if perEvent := (float64(many) - float64(few)) / (long - short); perEvent > 0.5 {
			t.Errorf("%s: %d bytes for %d events and %d for %d: %.2f an event", mode.Name, few, short, many, long, perEvent)
		}
	}
}

// crashing is a job that panics.
type crashing struct{}

func (crashing) run(*trace.Recording) error { panic("index out of range") }

// TestPanicOfJob: a panic in a worker is raised in the caller, which can recover. The other workers
// read to the end.
func TestPanicOfJob(t *testing.T) {
	truth := tracetest.Workload(t, "cold-start", 100*time.Millisecond)
	other := &referenceJob{}
	defer func() {
		text, _ := recover().(string)
		if !strings.HasPrefix(text, "index out of range\n") || !strings.Contains(text, "run_test.go") {
			t.Errorf("recovered %q", text)
		}
		if other.reference == nil {
			t.Error("the other job did not finish")
		}
	}()
	runAll(context.Background(), newFanout(truth, 2), []job{crashing{}, other})
}

// TestFirstStopped: of the sampling jobs that stopped, the one at the earliest app time has the
// truth of all results.
func TestFirstStopped(t *testing.T) {
	at := func(length time.Duration) *samplingJob {
		s := score.NewTrueState(tracetest.Workload(t, "w1-single-call", length))
		if _, err := trace.Copy(trace.Discard, s); err != nil {
			t.Fatal(err)
		}
		if err := s.FinishAt(length); err != nil {
			t.Fatal(err)
		}
		return &samplingJob{stopped: score.NewReference(s)}
	}
	early, late := at(100*time.Millisecond), at(300*time.Millisecond)
	if early.stopped.Truth().Length >= late.stopped.Truth().Length {
		t.Fatalf("the truths end at %v and %v", early.stopped.Truth().Length, late.stopped.Truth().Length)
	}
	for _, jobs := range [][]job{{early, late}, {late, early}, {&samplingJob{}, late, &lawJob{}, early}} {
		if got := firstStopped(jobs); got != early.stopped {
			t.Errorf("%v: not the earliest", jobs)
		}
	}
	if got := firstStopped([]job{&samplingJob{}, &lawJob{}}); got != nil {
		t.Error("no job stopped, but there is a truth")
	}
}
