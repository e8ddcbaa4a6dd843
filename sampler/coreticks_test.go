package sampler

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
)

// coreTruth returns a truth with the given threads, and with methods that run, sleep and wait for
// the display.
func coreTruth(events []trace.Event, threads int, length time.Duration) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Clock: trace.Wall, Elapsed: length}, Symbols: &trace.Symbols{}, Events: trace.NewSliceReader(events)}
	for i, wait := range []trace.Wait{trace.Running, trace.Sleep, trace.IO} {
		rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * i), Class: "a.A", Name: []string{"run", "sleep", "poll"}[i], Wait: wait})
	}
	rec.Symbols.Methods[2].Period = 16 * ms
	for i := range threads {
		rec.Symbols.AddThread(trace.Thread{TID: uint32(i + 1)})
	}
	return rec
}

// sampledCores samples a truth and returns the result.
func sampledCores(t *testing.T, rec *trace.Recording, cfg Config) (*Stats, []trace.Event) {
	t.Helper()
	var out trace.Buffer
	cfg.Interval, cfg.KeepSymbols, cfg.Clock = ms, true, trace.Wall
	s, err := New(rec, cfg, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(rec, s); err != nil {
		t.Fatal(err)
	}
	return s.Stats(), out.Events
}

// TestNoFreeCore checks a sampler without a free core, by hand. Whenever a sleep of 1 ms ends, no
// core is free for at most 3 ms. A thread runs until 1.4 ms, sleeps until 2, runs until 10, sleeps
// until 13, and runs until the end at 13.2 ms. The sample due at 1 ms is taken at 1.4 ms, when the
// thread begins to sleep. Those due at 2.4 and 6.4 ms are taken after 3 ms, at 5.4 and 9.4 ms.
// Those due at 10.4, 11.4 and 12.4 ms are immediate, because nothing runs. There is none at 13.4
// ms.
func TestNoFreeCore(t *testing.T) {
	at := func(wall time.Duration, m trace.MethodID, action trace.Action) trace.Event {
		return trace.Event{Wall: wall, Method: m, Action: action}
	}
	events := []trace.Event{
		at(0, 0, trace.Enter), at(1400*us, 1, trace.Enter), at(2*ms, 1, trace.Exit), at(10*ms, 1, trace.Enter), at(13*ms, 1, trace.Exit),
	}
	for _, oneClock := range []bool{false, true} {
		cost := Cost{NoCore: 1, NoCoreMax: 3 * ms}
		stats, got := sampledCores(t, coreTruth(events, 1, 13200*us), Config{Cost: cost, OneClock: oneClock})
		if stats.Ticks != 6 || stats.Late != 6400*us || stats.MeanPeriod() != 2200*us {
			t.Errorf("%d samples with a total delay of %v, %v apart; want 6, 0.4+3+3 ms, (12.4-1.4)/5 ms", stats.Ticks, stats.Late, stats.MeanPeriod())
		}
		want := []trace.Event{
			{Wall: 1400 * us}, {Wall: 1400 * us, Method: 1}, {Wall: 5400 * us, Method: 1, Action: trace.Exit}, {Wall: 10400 * us, Method: 1},
		}
		if len(got) != len(want) {
			t.Fatalf("%v, want %v", got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("event %d: %v, want %v", i, got[i], want[i])
			}
		}
	}
}

// TestNoFreeCoreForDelayedThreads checks delayed threads, by hand. Samples take 1 ms, and no core
// is free when a sleep of 1 ms ends, for at most 2 ms. One thread runs until the end, at 6 ms.
// Another thread sleeps, runs from 5 to 5.5 ms, and sleeps again. The first sample, due at 1 ms, is
// taken at 3 ms and delays the first thread by 1 ms. The second sample, due at 5 ms, is taken at
// 5.5 ms, when the other thread, which has no delay, begins to sleep. By then the first thread has
// reached 4.5 ms of the truth. The third sample, due at 7.5 ms, waits for the first thread's end,
// at 8 ms of wall time.
func TestNoFreeCoreForDelayedThreads(t *testing.T) {
	events := []trace.Event{
		{}, {Thread: 1, Method: 1}, {Wall: 5 * ms, Thread: 1, Method: 1, Action: trace.Exit}, {Wall: 5 * ms, Thread: 1}, {Wall: 5500 * us, Thread: 1, Method: 1},
	}
	cost := Cost{PerTick: ms, NoCore: 1, NoCoreMax: 2 * ms}
	stats, _ := sampledCores(t, coreTruth(events, 2, 6*ms), Config{Cost: cost})
	if stats.Ticks != 2 || stats.Late != 2500*us || stats.MeanPeriod() != 2500*us || stats.Delay != 2*ms {
		t.Errorf("%d samples with a total delay of %v, %v apart; the app ends %v later; want 2, 2.5 ms each, 2 ms", stats.Ticks, stats.Late, stats.MeanPeriod(), stats.Delay)
	}
}

// countingReader counts the events that are read.
type countingReader struct {
	src  trace.Reader
	read int
}

func (r *countingReader) ReadEvents(p []trace.Event) (n int, err error) {
	n, err = r.src.ReadEvents(p)
	r.read += n
	return n, err
}

// firstWrite keeps the number of events that the reader has read at the first write.
type firstWrite struct {
	from *countingReader
	read int
}

func (w *firstWrite) WriteEvents([]trace.Event) error {
	if w.read == 0 {
		w.read = w.from.read
	}
	return nil
}

// TestNoFreeCoreLookahead checks that the lookahead is a few windows at the start of a truth, for
// many threads, too.
func TestNoFreeCoreLookahead(t *testing.T) {
	var events []trace.Event
	for at := 7 * us; len(events) < 30*windowSize; at += 10 * us {
		events = append(events, trace.Event{Wall: at}, trace.Event{Wall: at + 8*us, Action: trace.Exit})
	}
	rec := coreTruth(events, 30, events[len(events)-1].Wall)
	from := &countingReader{src: rec.Events}
	rec.Events = from
	out := &firstWrite{from: from}
	s, err := New(rec, Config{Interval: ms, KeepSymbols: true, Clock: trace.Wall, Cost: Cost{Overshoot: 3 * us, NoCore: 0.5, NoCoreMax: 3 * ms}}, out)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(rec, s); err != nil {
		t.Fatal(err)
	}
	if from.read != len(events) || out.read == 0 || out.read > 6*windowSize {
		t.Errorf("%d of %d events are read before the first one is written, want at most %d", out.read, from.read, 6*windowSize)
	}
}

// TestNoFreeCoreBias checks the bias of a sampler without a free core. A thread alternately
// computes for 3 ms and naps for 1 ms, for 2 s. A sampler that always finds a free core has three
// quarters of its samples in the computation. A sampler that never finds one before the nap has
// none. In between, the computation lacks at least the quarter of samples without a free core,
// because each of them delays the next one to the end of the nap and beyond.
func TestNoFreeCoreBias(t *testing.T) {
	var events []trace.Event
	for at := time.Duration(0); at < 2*time.Second; at += 4 * ms {
		events = append(events, trace.Event{Wall: at}, trace.Event{Wall: at + 3*ms, Action: trace.Exit}, trace.Event{Wall: at + 3*ms, Method: 1}, trace.Event{Wall: at + 4*ms, Method: 1, Action: trace.Exit})
	}
	share := func(noCore float64) float64 {
		cost := Cost{Overshoot: 100 * us, OvershootSpread: 50 * us, PerTick: 17 * us}
		if noCore > 0 {
			cost.NoCore, cost.NoCoreMax = noCore, 4*ms
		}
		rec := coreTruth(events, 1, 2*time.Second)
		seen := &countLeaf{}
		s, err := New(rec, Config{Interval: ms, Cost: cost, Seed: 1}, seen)
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(rec, s); err != nil {
			t.Fatal(err)
		}
		return float64(seen.of[0]) / float64(seen.of[0]+seen.of[1])
	}
	if free := share(0); free < 0.7 || free > 0.8 {
		t.Errorf("share %.3f of samples in the computation, want 0.75", free)
	}
	if never := share(1); never > 0.01 {
		t.Errorf("share %.3f of samples in the computation, want none", never)
	}
	if quarter := share(0.25); quarter < 0.4 || quarter > 0.65 {
		t.Errorf("share %.3f of samples in the computation, want much less than 0.75", quarter)
	}
}

// countLeaf counts samples by their innermost methods.
type countLeaf struct {
	trace.Buffer
	of [2]int64
}

func (c *countLeaf) WriteSnapshot(s *trace.Snapshot) error {
	if n := len(s.Stack); n > 0 {
		c.of[s.Stack[n-1]] += s.Count
	}
	return nil
}

// TestSampleAfterTheEnd checks a wait at the end of a truth, by hand. Samples every 1 ms take 0.5
// ms, at 1 and 2.5 ms. A thread that runs for 2.5 ms is then delayed by 1 ms, and begins to wait
// for the display at 3.5 ms. The truth ends at 3 ms, so a sample at 4 ms records nothing.
func TestSampleAfterTheEnd(t *testing.T) {
	events := []trace.Event{{}, {Wall: 2500 * us, Method: 2}}
	stats, got := sampledCores(t, coreTruth(events, 1, 3*ms), Config{Cost: Cost{PerTick: 500 * us}})
	if stats.Ticks != 2 || len(got) != 1 || got[0].Wall != 1500*us {
		t.Errorf("%d samples, %v; want 2, and the enter of run at 1.5 ms", stats.Ticks, got)
	}
}

// TestFinalDelaysAgree checks that coreTicks and the pass compute equal delays at the end of random
// truths. The truths have threads that start and end, frames that no walk reports, and collections;
// some are recorded.
func TestFinalDelaysAgree(t *testing.T) {
	compared := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 30))
		technique := []trace.Technique{trace.Truth, trace.Instrumented}[seed%2]
		sym, truth, info := randomTruth(rng, technique, 40+rng.IntN(200))
		rec := &trace.Recording{Info: info, Symbols: sym, Events: trace.NewSliceReader(truth)}
		cfg := randomConfig(rng)
		cfg.OneClock, cfg.Schedule, cfg.Phase, cfg.Cost.PerTick = false, SleepLoop, 0, 5*us
		cfg.Cost.NoCore, cfg.Cost.NoCoreMax = 0.5, 200*us
		s, err := New(rec, cfg, trace.Discard)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newPass(rec, []*Sampler{s})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.run(); err != nil {
			t.Fatal(err)
		}
		for id := range p.threads {
			th := &p.threads[id]
			if th.delays == nil || !th.living {
				continue
			}
			compared++
			if got, want := s.cores.threads[id].late, th.delays.of[0].late; got != want {
				t.Errorf("seed %d: thread %d has delay %v, want %v as in the pass", seed, id, got, want)
			}
		}
	}
	if compared < 200 {
		t.Errorf("only %d threads were compared", compared)
	}
}
