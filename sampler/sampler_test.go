package sampler

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/art"
	"artifice/diffstack"
	"artifice/internal/testdata/tracetest"

	"artifice/trace"

	"artifice/internal/testdata"
	"github.com/google/go-cmp/cmp"
)

const us = time.Microsecond

// dalvik is the runtime that samples before it sleeps, and walks threads from the newest to the
// oldest.
var dalvik = func() *art.Runtime {
	r, err := art.ByName("dalvik")
	if err != nil {
		panic(err)
	}
	return r
}()

// collect is an output that keeps all events and snapshots.
type collect struct {
	trace.Buffer
	snaps []trace.Snapshot
}

func (c *collect) WriteSnapshot(s *trace.Snapshot) error {
	copied := *s
	copied.Stack = slices.Clone(s.Stack)
	c.snaps = append(c.snaps, copied)
	return nil
}

// randomConfig sets every option at random.
func randomConfig(rng *rand.Rand) Config {
	pick := func(values ...time.Duration) time.Duration { return values[rng.IntN(len(values))] }
	noCore := []float64{0, 0, 0.3, 1}[rng.IntN(4)]
	most := time.Duration(math.Ceil(noCore)) * pick(13*us, 90*us, 1000*us)
	return Config{
		OneClock: true, // the naive sampler supports one clock only
		Interval: pick(20*us, 100*us, 333*us, 1000*us),
		Phase:    pick(0, 0, 17*us, 500*us),
		Seed:     rng.Uint64(),
		Schedule: Schedule(rng.IntN(2)),
		Leaves:   Leaves(rng.IntN(2)),
		Identity: diffstack.Identity(rng.IntN(3)),
		Clock:    trace.Clock(rng.IntN(3)),
		Cost: Cost{
			Overshoot:       pick(0, 25*us),
			OvershootSpread: pick(0, 30*us),
			NoCore:          noCore,
			NoCoreMax:       most,
			PerTick:         pick(0, 5*us),
			PerThread:       pick(0, 7*us),
			PerFrame:        pick(0, 2*us),
			Resume:          pick(0, 13*us), // less than an interval; otherwise there is a tick every ns
			Granularity:     pick(0, 1*us, 30500),
		},
	}
}

// TestRunMatchesReference compares Run with the reference implementation on random truths. It
// compares the events, snapshots, sample counts and pauses of several samplers in one pass, with
// one clock.
func TestRunMatchesReference(t *testing.T) {
	testdata.Seldom(t, 4)
	seeds := uint64(400)
	if testing.Short() {
		seeds = 60
	}
	var events, snaps int
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 2))
		technique := trace.Truth
		if seed%2 == 1 {
			technique = trace.Instrumented
		}
		sym, truth, info := randomTruth(rng, technique, 40+rng.IntN(200))
		rec := &trace.Recording{Info: info, Symbols: sym, Events: trace.NewSliceReader(truth)}
		var samplers []*Sampler
		outs := make([]collect, 1+rng.IntN(5))
		runtime := []*art.Runtime{nil, dalvik}[rng.IntN(2)] // all samplers of a pass treat ended threads alike
		for i := range outs {
			cfg := randomConfig(rng)
			cfg.Runtime = runtime
			s, err := New(rec, cfg, &outs[i])
			if err != nil {
				t.Fatal(err)
			}
			samplers = append(samplers, s)
		}
		if err := Run(rec, samplers...); err != nil {
			t.Fatal(err)
		}
		for i, s := range samplers {
			n := newNaive(truth, info, sym, s.cfg)
			n.run()
			compareRuns(t, fmt.Sprintf("seed %d sampler %d", seed, i), s, &outs[i], n)
			events += len(n.out)
			snaps += len(n.snaps)
		}
		if t.Failed() {
			break
		}
	}
	if events == 0 || snaps == 0 {
		t.Errorf("only %d events and %d snapshots were compared", events, snaps)
	}
}

func compareRuns(t *testing.T, name string, s *Sampler, out *collect, n *naive) {
	t.Helper()
	if diff := cmp.Diff(n.out, out.Events); diff != "" {
		t.Errorf("%s %+v: events (-naive +fast)\n%s", name, s.cfg, diff)
		return
	}
	if got, want := s.Stats().Paused, n.paused; got != want {
		t.Errorf("%s: paused %s, want %s", name, got, want)
	}
	for id, got := range s.Stats().Samples {
		if want := n.count[trace.ThreadID(id)]; got != want {
			t.Errorf("%s: thread %d has %d samples, want %d", name, id, got, want)
		}
	}
	bySnapshot(n.snaps)
	bySnapshot(out.snaps)
	if diff := cmp.Diff(n.snaps, out.snaps, cmp.Comparer(func(a, b trace.Snapshot) bool {
		return equalSnapshots(s, a, b)
	})); diff != "" {
		t.Errorf("%s %+v: snapshots (-naive +fast)\n%s", name, s.cfg, diff)
	}
	checkSame(t, name, out)
}

// checkSame checks the shared frames of consecutive snapshots, which are sorted by thread, against
// the stacks, and the other frames against the entered frames. A reader that uses only the new
// frames needs work proportional to the number of events, whatever the depth of the stacks.
func checkSame(t *testing.T, name string, out *collect) {
	t.Helper()
	var before trace.Snapshot
	fresh, entered := 0, 0
	for i, s := range out.snaps {
		if i == 0 || s.Thread != before.Thread {
			before = trace.Snapshot{}
		}
		if s.Same > len(before.Stack) || s.Same > len(s.Stack) || !slices.Equal(s.Stack[:s.Same], before.Stack[:s.Same]) {
			t.Errorf("%s: Same = %d for %v after %v", name, s.Same, s.Stack, before.Stack)
			return
		}
		fresh += len(s.Stack) - s.Same
		before = s
	}
	for _, e := range out.Events {
		if e.Action == trace.Enter {
			entered++
		}
	}
	if fresh != entered {
		t.Errorf("%s: %d new frames in snapshots, but %d were entered", name, fresh, entered)
	}
}

func bySnapshot(s []trace.Snapshot) {
	slices.SortStableFunc(s, func(a, b trace.Snapshot) int { return int(a.Thread) - int(b.Thread) })
}

// equalSnapshots compares all fields. The end of a thread's last snapshot is only exact up to a
// pause if frames have a cost; see openSnapshot.lastStamp.
func equalSnapshots(s *Sampler, a, b trace.Snapshot) bool {
	slack := time.Duration(0)
	if s.cfg.Cost.PerFrame > 0 || s.truth.Info.Technique == trace.Truth {
		slack = s.Stats().LongestPause
	}
	slack += s.cfg.Cost.Granularity
	if a.Until-b.Until > slack || b.Until-a.Until > slack {
		return false
	}
	return a.Thread == b.Thread && a.Wall == b.Wall && a.CPU == b.CPU && a.Count == b.Count &&
		slices.Equal(a.Stack, b.Stack)
}

// TestRunMatchesReferenceOnRealTrace compares Run with the reference implementation on a real app
// with 70 threads.
func TestRunMatchesReferenceOnRealTrace(t *testing.T) {
	configs := []Config{
		{Interval: 5 * time.Millisecond},
		{Interval: time.Millisecond, Cost: PhoneCost, OneClock: true},
		{Interval: 2 * time.Millisecond, Phase: 700 * us, Cost: Cost{PerThread: 5 * us, PerFrame: 300}, OneClock: true},
		{Interval: 3 * time.Millisecond, Schedule: Poisson, Seed: 9, Identity: diffstack.ByCall},
	}
	if testing.Short() {
		configs = configs[:2]
	}
	rec, truth := tracetest.RealEvents(t, "instrumented-art-file.trace")
	rec.Events = trace.NewSliceReader(truth)
	var samplers []*Sampler
	outs := make([]collect, len(configs))
	for i, cfg := range configs {
		s, err := New(rec, cfg, &outs[i])
		if err != nil {
			t.Fatal(err)
		}
		samplers = append(samplers, s)
	}
	if err := Run(rec, samplers...); err != nil {
		t.Fatal(err)
	}
	for i, s := range samplers {
		n := newNaive(truth, rec.Info, rec.Symbols, s.cfg)
		n.run()
		if len(n.out) < 200 {
			t.Errorf("sampler %d: the reference has only %d events", i, len(n.out))
		}
		compareRuns(t, fmt.Sprintf("sampler %d", i), s, &outs[i], n)
	}
}
