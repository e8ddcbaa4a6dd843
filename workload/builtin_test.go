package workload

import (
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// shape contains the properties that a built-in program's description states.
type shape struct {
	threads, depth int
	ended          bool // some thread ends before the truth
	unwinds        bool // exceptions leave several frames
}

func TestBuiltinShapes(t *testing.T) {
	testdata.Seldom(t, 4)
	for name, want := range map[string]shape{
		"cold-start":     {29, 104, true, false},
		"network-client": {96, 0, true, true},
		"gc-storm":       {20, 0, false, false},
		"w8-threads-64":  {64, 0, false, false},
		// Stacks have 102 frames: run, 100 of descend, deep.
		"w7-deep-shallow": {1, 102, false, false},
	} {
		p := Must(ByName(name))
		rec := truthOf(t, p, Config{Seed: 1})
		got := shape{threads: len(rec.Symbols.Threads)}
		var stacks trace.Stacks
		unwound := map[trace.ThreadID]int{}
		for _, e := range readAll(t, rec) {
			stacks.Apply(e)
			got.depth = max(got.depth, len(stacks.Of(e.Thread)))
			if unwound[e.Thread]++; e.Action != trace.Unwind {
				unwound[e.Thread] = 0
			}
			got.unwinds = got.unwinds || unwound[e.Thread] > 1
		}
		for _, th := range rec.Symbols.Threads {
			got.ended = got.ended || th.End > 0
		}
		if want.depth == 0 {
			got.depth = 0
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestUntilNext checks that each wait for the next frame ends at a multiple of the period, later
// than the previous one.
func TestUntilNext(t *testing.T) {
	for name, period := range map[string]time.Duration{"scroll-60hz": 16666667, "scroll-120hz": 8333333} {
		rec := truthOf(t, Must(ByName(name)), Config{Seed: 1})
		last, frames := time.Duration(0), 0
		for _, e := range readAll(t, rec) {
			if e.Action != trace.Exit || rec.Symbols.Method(e.Method).Name != "nativePollOnce" {
				continue
			}
			if e.Wall%period != 0 || e.Wall <= last {
				t.Fatalf("%s: woken at %d after %d, period %d", name, e.Wall, last, period)
			}
			last = e.Wall
			frames++
		}
		if all := int(rec.Info.Elapsed / period); frames < all*8/10 || frames >= all {
			t.Errorf("%s: %d of %d frames are on time, want some but not all", name, frames, all)
		}
	}
}

// TestSourceIsReadable checks that the output of `artifice list --workload` is a workload file with
// the same truth.
func TestSourceIsReadable(t *testing.T) {
	for _, p := range Builtin() {
		again := mustRead(t, string(p.Source()))
		cfg := Config{Seed: 3, Duration: 20 * time.Millisecond}
		if want, got := textOf(t, truthOf(t, p, cfg)), textOf(t, truthOf(t, again, cfg)); want != got {
			t.Errorf("%s: its source has another truth", p.Name)
		}
	}
}
