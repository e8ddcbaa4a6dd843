package recorder

import (
	"math/rand/v2"
	"sort"
	"testing"
	"time"
)

const (
	ms    = time.Millisecond
	us    = time.Microsecond
	frame = 16667 * us
)

// Pauses is a list of pauses in time order that do not overlap. An event at the beginning of a
// pause precedes it, and a thread that resumes at its end is not delayed.
type Pauses []Pause

// NextPause implements [Pauser].
func (p Pauses) NextPause(wall time.Duration) (Pause, bool) {
	i := sort.Search(len(p), func(i int) bool { return p[i].To > wall })
	if i == len(p) {
		return Pause{}, false
	}
	return p[i], true
}

// TestWaitEnd checks the ends of waits computed by hand.
func TestWaitEnd(t *testing.T) {
	vsync, timer, sleep := WaitRule{Period: frame}, WaitRule{Period: 10 * ms, AtOnce: true}, WaitRule{}
	for _, c := range []struct {
		name              string
		wait              WaitRule
		began, ends, late time.Duration
		want              time.Duration
	}{
		{"a sleep keeps its delay", sleep, 5 * ms, 15 * ms, 3 * ms, 18 * ms},
		{"a sleep on time", sleep, 5 * ms, 15 * ms, 0, 15 * ms},
		{"a frame on time", vsync, 8 * ms, frame, 0, frame},
		{"a frame absorbs", vsync, 8 * ms, frame, 8 * ms, frame},
		{"absorbs up to the last ns", vsync, 8 * ms, frame, frame - 8*ms - 1, frame},
		{"comes at the very tick", vsync, 8 * ms, frame, frame - 8*ms, 2 * frame},
		{"misses one", vsync, 8 * ms, frame, 9 * ms, 2 * frame},
		{"one frame late and absorbs the rest", vsync, 8 * ms, frame, frame + 5*ms, 2 * frame},
		{"misses two more", vsync, 8 * ms, frame, 2*frame + 9*ms, 4 * frame},
		{"its wait was empty", vsync, frame, frame, 0, 2 * frame},
		{"who waits for another thread goes on when that is done", WaitRule{Other: true}, 5 * ms, 15 * ms, 3 * ms, 15 * ms},
		{"or when it comes itself", WaitRule{Other: true}, 5 * ms, 15 * ms, 12 * ms, 17 * ms},
		{"a timer absorbs", timer, 17 * ms, 20 * ms, 2 * ms, 20 * ms},
		{"a timer goes on at once", timer, 17 * ms, 20 * ms, 7 * ms, 24 * ms},
		{"at the very tick at once", timer, 17 * ms, 20 * ms, 3 * ms, 20 * ms},
	} {
		if got := c.wait.End(c.began, c.ends, c.late); got != c.want {
			t.Errorf("%s: ends at %v, want %v", c.name, got, c.want)
		}
	}
}

// TestWaitEndExhaustive compares all waits of small times with a simulation in steps of 1 ns.
func TestWaitEndExhaustive(t *testing.T) {
	const period, most = 5, 23
	for began := time.Duration(0); began < 2*period; began++ {
		ends := began + 1 // the first tick after began
		for ends%period != 0 {
			ends++
		}
		for late := time.Duration(0); late < most; late++ {
			now := began + late
			for now++; now%period != 0; now++ { // waits for the next tick
			}
			if got := (WaitRule{Period: period}).End(began, ends, late); got != now {
				t.Fatalf("from %d to %d, late by %d: ends at %d, want %d", began, ends, late, got, now)
			}
			at := began + late
			for at < ends { // waits for its own tick
				at++
			}
			if got := (WaitRule{Period: period, AtOnce: true}).End(began, ends, late); got != at {
				t.Fatalf("from %d to %d at once, late by %d: ends at %d, want %d", began, ends, late, got, at)
			}
		}
	}
}

// TestFrames checks late frames counted by hand. Frames take 10 ms, from 0 on, and threads are
// increasingly late.
func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name   string
		wait   WaitRule
		came   []time.Duration // at the waits for ticks at 10, 20, 30 ms …
		late   int64
		lateBy time.Duration
		behind time.Duration // at the end
	}{
		{"all in time", WaitRule{Period: 10 * ms}, []time.Duration{8 * ms, 19 * ms}, 0, 0, 0},
		{"at the tick", WaitRule{Period: 10 * ms}, []time.Duration{10 * ms}, 1, 0, 10 * ms},
		{"the first is late, the others are behind and in time", WaitRule{Period: 10 * ms}, []time.Duration{13 * ms, 28 * ms, 38 * ms}, 1, 3 * ms, 10 * ms},
		{"two missed ticks", WaitRule{Period: 10 * ms}, []time.Duration{23 * ms, 38 * ms}, 1, 13 * ms, 20 * ms},
		{"catching up", WaitRule{Period: 10 * ms}, []time.Duration{13 * ms, 15 * ms, 31 * ms}, 2, 4 * ms, 10 * ms},
		{"a timer with AtOnce", WaitRule{Period: 10 * ms, AtOnce: true}, []time.Duration{13 * ms, 22 * ms, 29 * ms, 40 * ms}, 2, 5 * ms, 0},
	} {
		var o Overhead
		behind := time.Duration(0)
		for i, came := range c.came {
			behind = o.Frame(c.wait, came, time.Duration(i+1)*10*ms, behind)
		}
		if o.Frames != int64(len(c.came)) || o.Late != c.late || o.LateBy != c.lateBy || behind != c.behind {
			t.Errorf("%s: %+v, behind by %v", c.name, o, behind)
		}
	}
}

// TestPauses checks pauses computed by hand.
func TestPauses(t *testing.T) {
	p := Pauses{{10, 13}, {20, 23}, {23, 24}}
	for wall, want := range map[time.Duration]time.Duration{0: 0, 9: 9, 10: 10, 11: 13, 12: 13, 13: 13, 20: 20, 21: 23, 23: 23, 30: 30} {
		if got := Wake(p, wall); got != want {
			t.Errorf("Wake at %d = %d, want %d", wall, got, want)
		}
	}
	for _, c := range []struct{ wall, work, want time.Duration }{
		{0, 10, 10}, // ends at the beginning of the pause
		{0, 11, 14},
		{0, 17, 20},
		{0, 18, 25}, // extends over both consecutive pauses
		{10, 0, 10},
		{10, 1, 14}, // begins with the pause, so it is suspended
		{13, 2, 15},
		{23, 1, 25},
		{24, 5, 29},
	} {
		if got := Run(p, c.wall, c.work, Managed); got != c.want {
			t.Errorf("work of %d from %d is done at %d, want %d", c.work, c.wall, got, c.want)
		}
		if got := Run(p, c.wall, c.work, Native); got != c.wall+c.work {
			t.Errorf("native work of %d from %d is done at %d", c.work, c.wall, got)
		}
	}
}

// TestRunExhaustive compares work with a simulation of a thread in steps of 1 ns.
func TestRunExhaustive(t *testing.T) {
	p := Pauses{{2, 5}, {6, 7}, {11, 15}}
	suspended := func(now time.Duration) bool { // in the nanosecond that begins now
		for _, x := range p {
			if x.From <= now && now < x.To {
				return true
			}
		}
		return false
	}
	for wall := time.Duration(0); wall < 20; wall++ {
		for work := time.Duration(1); work < 20; work++ {
			now, left := wall, work
			for ; left > 0; now++ {
				if !suspended(now) {
					left--
				}
			}
			if got := Run(p, wall, work, Managed); got != now {
				t.Fatalf("work of %d from %d is done at %d, want %d", work, wall, got, now)
			}
		}
	}
}

// TestLaws checks closed forms of the slowdown S of one thread, with pauses of P = 1 ms after each
// X = 1.25 ms.
//
//	busy all the time:                S = 1 + P/X
//	works u of the time, then sleeps: S = 1 + u·P/X
//	works u of each frame:            S = 1 while u·(1 + P/X) < 1
func TestLaws(t *testing.T) {
	const stop, run = ms, 1250 * us
	var p Pauses
	for at := run; at < 60*time.Second; at += stop + run {
		p = append(p, Pause{at, at + stop})
	}
	random := rand.New(rand.NewPCG(1, 2))
	follow := func(work, idle time.Duration, wait WaitRule) float64 {
		truth, wall := time.Duration(0), time.Duration(0)
		for truth < 20*time.Second {
			work, idle := work, idle
			if idle > 0 && wait.Period == 0 { // avoids aliasing with the pauses
				work += time.Duration(random.Int64N(int64(2*ms))) - ms
				idle += time.Duration(random.Int64N(int64(2*ms))) - ms
			}
			began := truth + work
			wall = Run(p, wall, work, Managed)
			truth = began + idle
			if idle > 0 {
				wall = Wake(p, wait.End(began, truth, wall-began))
			}
		}
		return wall.Seconds() / truth.Seconds()
	}
	for _, c := range []struct {
		name        string
		work, idle  time.Duration
		wait        WaitRule
		want, round float64
	}{
		{"busy", 7 * ms, 0, WaitRule{}, 1 + 1/1.25, 1e-3},
		{"half, then sleeps", 5 * ms, 5 * ms, WaitRule{}, 1 + 0.5/1.25, 1e-2}, // occasionally wakes during a pause
		{"8 ms of a frame fit", 8 * ms, frame - 8*ms, WaitRule{Period: frame}, 1, 2e-4},
		{"12 ms of a frame do not", 12 * ms, frame - 12*ms, WaitRule{Period: frame}, 2, 1e-2},
	} {
		if got := follow(c.work, c.idle, c.wait); got < c.want-c.round || got > c.want+c.round {
			t.Errorf("%s: slowdown %.4f, want %.4f", c.name, got, c.want)
		}
	}
	if Managed.LosesToPause() != true || Native.LosesToPause() || Waiting.LosesToPause() {
		t.Error("LosesToPause: want true for managed code only")
	}
	if !Managed.LosesToOwn() || !Native.LosesToOwn() || Waiting.LosesToOwn() {
		t.Error("LosesToOwn: want true except for a waiting thread")
	}
}
