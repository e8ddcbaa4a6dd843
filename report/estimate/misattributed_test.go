package estimate

import (
	"slices"
	"testing"
	"time"

	"artifice/trace/calltree"
)

// TestMisattributed checks the CPU time that may be misattributed, derived by hand from the clocks.
// Samples are taken every 10 ms and stop the app for 1 ms each.
func TestMisattributed(t *testing.T) {
	for _, c := range []struct {
		what          string
		samples       int64
		wall, cpu     time.Duration
		named         bool // as a method that waits
		misattributed time.Duration
	}{
		{"the method ran all the time", 1, 10 * ms, 9 * ms, false, 0},
		{"a wait in which nothing ran", 3, 30 * ms, 0, false, 0},
		{"the method or an unsampled one, and a wait of 4 ms", 1, 10 * ms, 5 * ms, false, 5 * ms},
		{"possibly two calls of the method with a wait between", 2, 20 * ms, 14 * ms, false, 14 * ms},
		{"the method for nine periods; the tenth has a wait of 3 ms, and 6 ms of CPU time", 10, 100 * ms, 87 * ms, false, 6 * ms},
		{"it is held up again and again: one period's part", 10, 100 * ms, 60 * ms, false, 6 * ms},
		{"it hardly ran: all may be of what came when it woke up", 10, 100 * ms, 8 * ms, false, 8 * ms},
		{"it waits as its name says, and all is of what came after", 1, 10 * ms, 9 * ms, true, 9 * ms},
	} {
		f := newFollower(false)
		f.period, f.paused, f.steady = 10*ms, ms, ms/4
		f.waiting = &waitingMethods{waits: slices.Repeat([]bool{c.named}, 3)}
		root := f.thread(0).at
		outer := f.tree.Child(root, 0)
		at, next := f.tree.Child(outer, 1), f.tree.Child(outer, 2)
		f.change(&f.threads[0], at, stamp{})
		f.change(&f.threads[0], next, stamp{point: point{wall: c.wall, cpu: c.cpu, sample: c.samples}})
		if f.misattributed[at] != c.misattributed || f.misattributedOnExit[at] != c.misattributed {
			t.Errorf("%s: %v may be misattributed, %v of it at the exit; want %v", c.what, f.misattributed[at], f.misattributedOnExit[at], c.misattributed)
		}
		if f.misattributedOnExit[outer] != 0 {
			t.Errorf("%s: %v of an open call may be misattributed at its exit, want 0", c.what, f.misattributedOnExit[outer])
		}
	}
}

// TestBoundsOfCPU checks that a method has no more CPU time than wall time, and no more than its
// threads have. If 10 of 40 ms may be misattributed, at least 30 ms are its own, less 1.96 ms of
// sampling error. If more than half may be misattributed, the lower limit is 0.
func TestBoundsOfCPU(t *testing.T) {
	near := func(got, want time.Duration) bool { return (got - want).Abs() < 100*time.Microsecond }
	for _, c := range []struct {
		what      string
		wall      time.Duration
		u         margins
		low, high time.Duration
	}{
		{"wall time bounds it", 50 * ms, margins{misattributed: 10 * ms, others: 100 * ms, most: 900 * ms, maxCPU: 900 * ms}, 28 * ms, 52 * ms},
		{"its threads have no more", 50 * ms, margins{misattributed: 30 * ms, others: 100 * ms, most: 900 * ms, maxCPU: 45 * ms}, 0, 45 * ms},
		{"it mostly waits, and others have 20 ms of it", 800 * ms, margins{misattributed: 10 * ms, others: 20 * ms, most: 900 * ms, maxCPU: 900 * ms}, 28 * ms, 62 * ms},
		{"it was never left but once", 50 * ms, margins{threads: 1, misattributed: 30 * ms, onExit: 4 * ms, others: 100 * ms, most: 900 * ms, maxCPU: 900 * ms}, 34 * ms, 52 * ms},
	} {
		s := sum{wall: c.wall, cpu: 40 * ms, varWall: float64(ms * ms), varCPU: float64(ms * ms), single: 1}
		share := s.share(c.u)
		if got := share.CPU; !share.NoCPU || !near(got.Low, c.low) || !near(got.High, c.high) {
			t.Errorf("%s: %v to %v, bounds %v; want bounds %v to %v", c.what, got.Low, got.High, share.NoCPU, c.low, c.high)
		}
	}
}

// TestPeriodExcess checks the excess of a period over the requested interval.
func TestPeriodExcess(t *testing.T) {
	for period, want := range map[time.Duration]time.Duration{ms: 0, 1060 * time.Microsecond: 60 * time.Microsecond, 5340 * time.Microsecond: 340 * time.Microsecond, 19 * ms: 9 * ms, 999 * time.Microsecond: 499 * time.Microsecond} {
		if got := beyondUsual(period); got != want {
			t.Errorf("beyondUsual(%v) = %v, want %v", period, got, want)
		}
	}
}

// TestInferredWait checks that a method with an unknown name waits if its thread did while samples
// observed the method.
func TestInferredWait(t *testing.T) {
	f := newFollower(false)
	f.period, f.paused, f.steady = 10*ms, ms, ms/4
	f.waiting = &waitingMethods{waits: make([]bool, 3)}
	root := f.thread(0).at
	work, wait := f.tree.Child(root, 1), f.tree.Child(root, 2)
	now := stamp{}
	pass := func(to calltree.Node, wall, cpu time.Duration) {
		now.wall, now.cpu, now.sample = now.wall+wall, now.cpu+cpu, now.sample+int64(wall/(10*ms))
		f.change(&f.threads[0], to, now)
	}
	pass(wait, 0, 0)
	pass(work, 50*ms, 2*ms) // the thread waited
	pass(wait, 20*ms, 18*ms)
	pass(work, 50*ms, 2*ms)
	if f.ended[work] != 1 || f.waited[wait] != 1 || f.ended[wait] != 0 {
		t.Errorf("%d runs of work ended, %d waits followed one, %d runs of the wait ended; want 1, 1, 0", f.ended[work], f.waited[wait], f.ended[wait])
	}
}
