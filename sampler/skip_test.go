package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// idleTruth is a random truth of one to three threads with four times of 20 to 40 s without events,
// in which threads run and wait. Threads other than the first can end.
type idleTruth struct {
	rng    *rand.Rand
	now    time.Duration
	events []trace.Event
	stacks [][]trace.MethodID
	ends   []time.Duration
}

// idleMethods are the methods of an idleTruth; the last two wait.
var idleMethods = []trace.Method{{Class: "a.A", Name: "work"}, {Class: "a.A", Name: "more"}, {Class: "a.A", Name: "sleep", Wait: trace.Sleep}, {Class: "a.A", Name: "lock", Wait: trace.Lock}}

func newIdleTruth(rng *rand.Rand) *idleTruth {
	threads := 1 + rng.IntN(3)
	t := &idleTruth{rng: rng, stacks: make([][]trace.MethodID, threads), ends: make([]time.Duration, threads)}
	for range 4 {
		for range 60 {
			t.step(time.Duration(rng.Int64N(int64(2 * ms))))
		}
		t.step(20*time.Second + time.Duration(rng.Int64N(int64(20*time.Second))))
	}
	return t
}

// step adds an enter, an exit or the end of a random thread.
func (t *idleTruth) step(gap time.Duration) {
	t.now += gap
	id := t.rng.IntN(len(t.stacks))
	s := t.stacks[id]
	switch {
	case t.ends[id] > 0:
	case id > 0 && len(s) == 0 && t.now > 20*time.Second && t.rng.IntN(4) == 0:
		t.ends[id] = t.now
	case len(s) > 0 && (len(s) > 4 || s[len(s)-1] >= 2 || t.rng.IntN(2) == 0):
		t.events = append(t.events, trace.Event{Wall: t.now, Thread: trace.ThreadID(id), Method: s[len(s)-1], Action: trace.Exit})
		t.stacks[id] = s[:len(s)-1]
	default:
		m := trace.MethodID(t.rng.IntN(2))
		if len(s) > 0 {
			m = trace.MethodID(t.rng.IntN(4))
		}
		t.events = append(t.events, trace.Event{Wall: t.now, Thread: trace.ThreadID(id), Method: m, Action: trace.Enter})
		t.stacks[id] = append(s, m)
	}
}

// record samples the truth. Change changes the sampler before it runs.
func (t *idleTruth) record(cfg Config, change func(*Sampler)) ([]trace.Event, Stats, error) {
	truth := &trace.Recording{
		Info:    trace.Info{Technique: trace.Truth, Elapsed: t.now + 10*ms},
		Symbols: &trace.Symbols{Methods: slices.Clone(idleMethods)},
		Events:  trace.NewSliceReader(t.events),
	}
	for i, end := range t.ends {
		truth.Symbols.AddThread(trace.Thread{TID: uint32(i + 1), Name: string(rune('a' + i)), End: end})
	}
	var out trace.Buffer
	s, err := New(truth, cfg, &out)
	if err != nil {
		return nil, Stats{}, err
	}
	change(s)
	err = Run(truth, s)
	return out.Events, *s.Stats(), err
}

// TestSkipEqualsReplay compares a sampler that skips most ticks of a time without events with one
// that replays each tick. Each thread has its own delay, so that one thread can meet ticks that
// another one met seconds before.
func TestSkipEqualsReplay(t *testing.T) {
	for seed := range uint64(testdata.Times(60, 1000)) {
		rng := rand.New(rand.NewPCG(seed, 0))
		truth := newIdleTruth(rng)
		cfg := Config{Interval: ms, Waits: WaitsAbsorb, Seed: 1, Cost: Cost{
			PerTick: time.Duration(rng.Int64N(int64(300 * us))), PerThread: time.Duration(rng.Int64N(3)) * us, PerFrame: time.Duration(rng.Int64N(3)) * us,
		}}
		skips := false
		got, stats, err := truth.record(cfg, func(s *Sampler) { skips = s.minSkip < 20*time.Second })
		if err != nil {
			t.Fatal(err)
		}
		want, replayed, err := truth.record(cfg, func(s *Sampler) { s.minSkip = never })
		if err != nil {
			t.Fatal(err)
		}
		if !skips || len(want) < 20 {
			t.Fatalf("seed %d: skips %v, %d events", seed, skips, len(want))
		}
		if stats.Ticks != replayed.Ticks || stats.Paused != replayed.Paused {
			t.Errorf("seed %d: %d ticks that paused %v, without skipping %d and %v", seed, stats.Ticks, stats.Paused, replayed.Ticks, replayed.Paused)
		}
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("seed %d: event %d is %+v, without skipping %+v", seed, i, got[i], want[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("seed %d: %d events, without skipping %d", seed, len(got), len(want))
		}
	}
}
