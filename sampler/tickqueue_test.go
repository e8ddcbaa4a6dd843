package sampler

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// TestTickQueue compares the queue with a plain slice after random steps, including changing walks
// and ticks that are taken back. Search finds the same tick as a search from the beginning.
func TestTickQueue(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 0))
		q := tickQueue{perTick: 30, varies: seed%2 == 1}
		var want []tickTime
		next, stop := time.Duration(0), time.Duration(100)
		for range 4000 {
			switch k := random.IntN(100); {
			case k < 2:
				stop = time.Duration(random.IntN(300))
			case k < 22 && len(want) > 0:
				last := len(want) - 1
				if got := q.Pop(); got != want[last] {
					t.Fatalf("seed %d: popped %v, want %v", seed, got, want[last])
				}
				next, want = want[last].Wall, want[:last]
			case k < 24 && len(want) > 0:
				n := random.IntN(min(20, len(want)))
				q.Drop(n)
				want = slices.Clone(want[n:])
			case k == 24:
				q.Delay(50)
				for i := range want {
					want[i].Wall += 50
				}
				next += 50
			default:
				tick := tickTime{Wall: next, PerTick: q.perTick}
				if q.varies {
					tick.PerTick = time.Duration(random.IntN(60))
				}
				tick.Pause = tick.PerTick + stop
				next += tick.Pause + time.Duration(random.IntN(1000))
				q.Push(tick)
				want = append(want, tick)
			}
			if q.n != len(want) {
				t.Fatalf("seed %d: %d ticks, want %d", seed, q.n, len(want))
			}
		}
		for i, tick := range want {
			if got := q.At(i); got != tick {
				t.Fatalf("seed %d: tick %d is %v, want %v", seed, i, got, tick)
			}
		}
		for range 1000 {
			from, wall := random.IntN(len(want)+1), time.Duration(random.Int64N(int64(next)+1000))
			rest := want[from:]
			open := from + sort.Search(len(rest), func(i int) bool { return rest[i].Wall >= wall || rest[i].Wall+rest[i].Pause > wall })
			if got := q.Search(from, wall); got != open {
				t.Fatalf("seed %d: from %d the first that has not ended at %v is %d, want %d", seed, from, wall, got, open)
			}
		}
	}
}

// TestTicksAreReleased checks that a window of hours does not keep its 18 million ticks until its
// end.
func TestTicksAreReleased(t *testing.T) {
	testdata.Seldom(t, 4)
	var events []trace.Event
	for i := range 6000 { // 3 s each: too short to be skipped
		events = append(events, trace.Event{Wall: time.Duration(i) * 3 * time.Second, Action: trace.Action(i % 2)})
	}
	truth := &trace.Recording{
		Info:    trace.Info{Technique: trace.Truth, Elapsed: 5 * time.Hour},
		Symbols: &trace.Symbols{Threads: []trace.Thread{{TID: 1, Name: "main"}}, Methods: []trace.Method{{Name: "work"}}},
		Events:  trace.NewSliceReader(events),
	}
	s, err := New(truth, Config{Cost: Cost{PerTick: time.Microsecond}, Seed: 1}, trace.Discard)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPass(truth, []*Sampler{s})
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	p.stopped = func(time.Duration) error {
		most = max(most, s.times.list.n)
		return nil
	}
	if err := p.run(); err != nil {
		t.Fatal(err)
	}
	if most == 0 || most > 4*minSkipGaps {
		t.Errorf("up to %d ticks are kept, want 1 to %d", most, 4*minSkipGaps)
	}
}
