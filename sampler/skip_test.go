package sampler

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// idleTruth returns a [randomTruth] with three times of 20 to 40 s without events, in which threads
// run, wait, start and end.
func idleTruth(rng *rand.Rand) (*trace.Symbols, []trace.Event, trace.Info) {
	symbols, events, info := randomTruth(rng, trace.Truth, 240)
	for range 3 {
		after := time.Duration(rng.Int64N(int64(info.Elapsed)))
		gap := 20*time.Second + time.Duration(rng.Int64N(int64(20*time.Second)))
		move := func(at *time.Duration) {
			if *at > after {
				*at += gap
			}
		}
		for i := range events {
			move(&events[i].Wall)
		}
		for i := range symbols.Threads {
			move(&symbols.Threads[i].Start)
			move(&symbols.Threads[i].End)
		}
		move(&info.Elapsed)
	}
	return symbols, events, info
}

// TestSkipEqualsReplay compares a sampler that skips most ticks of a time without events with one
// that replays each tick. Each thread has its own delay, so that one thread can meet ticks that
// another one met seconds before.
func TestSkipEqualsReplay(t *testing.T) {
	compared := 0
	for seed := range uint64(testdata.Times(60, 1000)) {
		rng := rand.New(rand.NewPCG(seed, 0))
		symbols, events, info := idleTruth(rng)
		cfg := Config{Interval: ms, Waits: WaitsAbsorb, Seed: 1, Cost: Cost{
			PerTick: time.Duration(rng.Int64N(int64(300 * us))), PerThread: time.Duration(rng.Int64N(3)) * us, PerFrame: time.Duration(rng.Int64N(3)) * us,
		}}
		record := func(skips bool) ([]trace.Event, *Stats) {
			truth := &trace.Recording{Info: info, Symbols: symbols, Events: trace.NewSliceReader(events)}
			var out trace.Buffer
			s, err := New(truth, cfg, &out)
			if err != nil {
				t.Fatal(err)
			}
			if s.minSkip >= 20*time.Second {
				t.Fatalf("seed %d: times up to %v are replayed", seed, s.minSkip)
			}
			if !skips {
				s.minSkip = never
			}
			if err := Run(truth, s); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return out.Events, s.Stats()
		}
		got, stats := record(true)
		want, replayed := record(false)
		compared += len(want)
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
	if compared < 1000 {
		t.Errorf("%d events were compared", compared)
	}
}

// TestIdleMemory: a run of 90 h beside a wait of 90 h keeps few ticks, although the pauses of its 324
// million samples take 4.5 h.
func TestIdleMemory(t *testing.T) {
	const idle = 90 * time.Hour
	truth := &trace.Recording{
		Info: trace.Info{Technique: trace.Truth, Elapsed: idle},
		Symbols: &trace.Symbols{
			Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "waits"}},
			Methods: []trace.Method{{Class: "a.A", Name: "work"}, {Class: "a.A", Name: "sleep", Wait: trace.Sleep}},
		},
		Events: trace.NewSliceReader([]trace.Event{
			{}, {Thread: 1, Method: 1}, {Wall: idle, Action: trace.Exit}, {Wall: idle, Thread: 1, Method: 1, Action: trace.Exit},
		}),
	}
	s, err := New(truth, Config{Cost: Cost{PerTick: 50 * us}, Seed: 1}, trace.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(truth, s); err != nil {
		t.Fatal(err)
	}
	if kept := len(s.times.list.pieces) * pieceTicks; s.Stats().Ticks < 250_000_000 || kept > 2*maxReplayed {
		t.Errorf("%d of %d ticks are kept", kept, s.Stats().Ticks)
	}
}
