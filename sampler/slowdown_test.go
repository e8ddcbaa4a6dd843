package sampler

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"artifice/trace"
	"artifice/workload"
)

// TestSlowdown compares the slowdown of small apps, with a separate delay per thread, with closed
// forms. A sample takes P = 1 ms, and the app runs for X = 1.25 ms between samples (0.75 ms at an
// interval of 0.5 ms).
//
//	always busy                     1 + P/X
//	busy for u of the time, sleeps  1 + u·P/X
//	busy for u of each frame        1 while u·(1 + P/X) < 1, then 2: every other frame is missed
//	native code, sleeps             1 + P²/(X + P)/R: at both ends of a period R it returns to managed
//	                                code, with probability P/(X + P) in a pause, with P/2 remaining
//
// Work u after a wait takes l(u) longer. With probability P/(X + P), it begins at the end of a
// pause, with a whole X before the next one, and has ⌈u/X⌉ − 1 pauses. Otherwise it has u/X pauses:
//
//	l(u) = P·(P·(⌈u/X⌉ − 1) + u)/(X + P)
//
// Sleeps are uniform over two periods of the samples if they would otherwise be aliased with them.
// At their ends, native code and sleeps are extended by the remainder of a pause, P²/(X + P)/2. A
// frame of work u waits for F − u in the truth. If it ends at the n-th vsync when sampled, it waits
// for n·F − u − l(u).
func TestSlowdown(t *testing.T) {
	remainder := func(gap float64) float64 { return 1 / (gap + 1) / 2 } // mean remainder of a pause at a random wake time, in ms
	longer := func(gap float64, work ...float64) (mean float64) {
		for _, u := range work {
			mean += (math.Ceil(u/gap) - 1 + u) / (gap + 1) / float64(len(work))
		}
		return mean
	}
	app := func(methods, do string, threads int) string {
		return fmt.Sprintf("name: x\nduration: 100s\nmethods:\n  a.F.loop()V:\n%sthreads:\n  - {name: \"t%%d\", count: %d, stack: [a.F.loop], do: [{loop: forever, do: [%s]}]}\n", methods, threads, do)
	}
	for _, c := range []struct {
		name     string
		app      string
		interval time.Duration
		want     float64
		within   float64

		running, waiting, late, by float64 // slowdown factors; share of the frames, ms
	}{
		{"61 sleepers", app("  a.F.sleep()V: {wait: sleep, do: [{self: uniform 996750us..1001250us}]}\n  a.F.work()V: {do: [{self: 1ms}]}\n", "{call: a.F.sleep}, {call: a.F.work}", 61), ms, 1.001, 1e-3, 1 + longer(1.25, 1), 1, math.NaN(), 0},
		{"one busy thread", app("  a.F.work()V: {do: [{self: 1ms}]}\n", "{call: a.F.work}", 1), ms, 1.8, 1e-3, 1.8, math.NaN(), math.NaN(), 0},
		{"work 5 ms, sleep 5 ms", app("  a.F.sleep()V: {wait: sleep, do: [{self: uniform 4ms..6ms}]}\n  a.F.work()V: {do: [{self: uniform 4ms..6ms}]}\n", "{call: a.F.work}, {call: a.F.sleep}", 1), ms, 1.4, 0.01, 1 + longer(1.25, 4.5, 5.5)/5, 1 + remainder(1.25)/5, math.NaN(), 0},
		{"60 Hz, 8 ms of work", app("  a.F.vsync()V: {wait: io, do: [{until_next: 16667us}]}\n  a.F.work()V: {do: [{self: 8ms}]}\n", "{call: a.F.work}, {call: a.F.vsync}", 1), ms, 1, 1e-3, 1 + longer(1.25, 8)/8, (16.667 - 8 - longer(1.25, 8)) / 8.667, 0, 0},
		{"60 Hz, 8 ms of work, does not fit", app("  a.F.vsync()V: {wait: io, do: [{until_next: 16667us}]}\n  a.F.work()V: {do: [{self: 8ms}]}\n", "{call: a.F.work}, {call: a.F.vsync}", 1), 500 * us, 2, 0.02, 1 + longer(.75, 8)/8, (2*16.667 - 8 - longer(.75, 8)) / 8.667, 1, remainder(.75) + 8 + longer(.75, 8) - 16.667},
		{"native code", app("  a.F.jni()V: {flags: native, do: [{self: uniform 4ms..6ms}]}\n  a.F.sleep()V: {wait: sleep, do: [{self: uniform 4ms..6ms}]}\n", "{call: a.F.jni}, {call: a.F.sleep}", 1), ms, 1 + 2*(1/2.25)*0.5/10, 0.01, 1 + remainder(1.25)/5, 1 + remainder(1.25)/5, math.NaN(), 0},
	} {
		p, err := workload.ReadYAML(strings.NewReader(c.app), c.name)
		if err != nil {
			t.Fatal(err)
		}
		stats := func(apart bool) *Stats {
			truth, err := p.Truth(workload.Config{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(truth, Config{Interval: c.interval, OneClock: !apart, Cost: Cost{Overshoot: 250 * us, PerTick: ms}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := Run(truth, s); err != nil {
				t.Fatal(err)
			}
			return s.Stats()
		}
		overhead := stats(true).Overhead
		for _, m := range []struct {
			what              string
			got, want, within float64
		}{
			{"running", overhead.Running(), c.running, 0.02}, {"waiting", overhead.Waiting(), c.waiting, 0.02},
			{"frames late", overhead.LateShare(), c.late, 0.01}, {"by", overhead.MeanLate().Seconds() * 1e3, c.by, 0.1},
		} {
			if !(math.Abs(m.got-m.want) <= m.within) && !(math.IsNaN(m.got) && math.IsNaN(m.want)) {
				t.Errorf("%s: %s %.4f, want %.4f", c.name, m.what, m.got, m.want)
			}
		}
		if got := stats(true).Slowdown(); math.Abs(got-c.want) > c.within {
			t.Errorf("%s: slowdown %.4f, want %.4f", c.name, got, c.want)
		} else {
			t.Logf("%s: %.4f, and %.4f where the whole app stands still", c.name, got, stats(false).Slowdown())
		}
	}
}

// TestRecordedWaits checks that a recorded thread waits while it uses no CPU time, whatever its
// method is called. A sample takes P = 1 ms, and the app runs for X = 1.25 ms between samples.
//
//	runs, by clocks of 1 us     1 + P/X, minus at most 1 us/X: a pause that begins in an apparent wait of
//	                            1 us, caused by reading one clock in the next us, lasts to its end
//	runs u of the time          1 + u·P/X
//	starts after half the time  1 + P/X/2
func TestRecordedWaits(t *testing.T) {
	const length = 4 * time.Second
	record := func(from time.Duration, step func(i int) (wall, cpu time.Duration)) *trace.Recording {
		rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented}, Symbols: &trace.Symbols{}}
		rec.Symbols.AddMethod(trace.Method{Class: "C", Name: "a"})
		rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
		var events []trace.Event
		wall, cpu := from, time.Duration(0)
		for i := 0; wall <= length; i++ {
			events = append(events, trace.Event{Wall: wall, CPU: cpu, Action: trace.Action(i % 2)})
			w, c := step(i)
			wall, cpu = wall+w, cpu+c
		}
		rec.Events = trace.NewSliceReader(events)
		return rec
	}
	runs := func(i int) (wall, cpu time.Duration) { return 10 * us, 10*us - time.Duration(i%2)*us }
	half := func(i int) (wall, cpu time.Duration) { // not aliased with the samples
		wall = 10*ms + time.Duration(i*7919%4000)*us
		return wall, wall / 2
	}
	for _, c := range []struct {
		name         string
		rec          *trace.Recording
		want, within float64
	}{
		{"runs, by clocks of 1 us", record(0, runs), 1.8, 0.001},
		{"runs half of the time", record(0, half), 1.4, 0.01},
		{"comes when half is over", record(length/2, runs), 1.4, 0.001},
	} {
		s, err := New(c.rec, Config{Cost: Cost{Overshoot: 250 * us, PerTick: ms}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(c.rec, s); err != nil {
			t.Fatal(err)
		}
		if got := s.Stats().Slowdown(); math.Abs(got-c.want) > c.within {
			t.Errorf("%s: slowdown %.4f, want %.4f", c.name, got, c.want)
		}
	}
}
