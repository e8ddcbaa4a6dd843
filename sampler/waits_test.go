package sampler

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// TestWaitRules checks a recorded thread that works for 8 ms and waits until its next frame, or
// for the rest of a frame. A sample takes P = 1 ms, and the app runs for X = 1.25 ms between
// samples.
//
//	by the clock of a display  1: 8 ms and the samples are shorter than a frame
//	for a time                 1 + l(8 ms)/F, with l of TestSlowdown: 6.222 ms; and after each wait the remainder
//	                           of a pause, P²/(X + P)/2
//	all waits absorb           as by the clock
//	none absorbs               as for a time
func TestWaitRules(t *testing.T) {
	const frame, work = 16667 * us, 8 * ms
	random := rand.New(rand.NewPCG(5, 6))
	record := func(name string, cpu bool, jitter time.Duration) *trace.Recording {
		rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented}, Symbols: &trace.Symbols{}}
		if !cpu {
			rec.Info.Clock = trace.Wall
		}
		class, method, _ := strings.Cut(name, ".")
		rec.Symbols.AddMethod(trace.Method{Class: class, Name: method})
		rec.Symbols.AddMethod(trace.Method{Class: "a/B", Name: "run"})
		rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
		events := []trace.Event{{Method: 1}}
		add := func(wall, cpu time.Duration, action trace.Action) {
			events = append(events, trace.Event{Wall: wall, CPU: cpu, Action: action})
		}
		for i := time.Duration(0); i < 2000; i++ {
			wakes := i*frame + time.Duration(random.Int64N(int64(jitter)))
			if i > 0 {
				add(wakes, i*work, trace.Exit)
			}
			add(wakes+work, (i+1)*work, trace.Enter)
		}
		rec.Events = trace.NewSliceReader(events)
		return rec
	}
	const poll, sleep = "android/os/MessageQueue.nativePollOnce", "java/lang/Thread.sleep"
	const loses = 1 + (6.222+1/2.25/2)/16.667
	for _, c := range []struct {
		name         string
		method       string
		cpu          bool
		waits        Waits
		want, within float64
		clock, slept float64 // shares of the waiting time, by rule
	}{
		{"by the clock of a display", poll, true, WaitsByRule, 1, 1e-3, 1, 0},
		{"by that clock without CPU times", poll, false, WaitsByRule, 1, 1e-3, 1, 0},
		{"for a time, by name", sleep, true, WaitsByRule, loses, 0.005, 0, 1},
		{"all waits absorb", sleep, true, WaitsAbsorb, 1, 1e-3, 0, 0},
		{"no wait absorbs", poll, true, WaitsKeep, loses, 0.005, 0, 0},
	} {
		jitter := 400 * us // of waking times
		if c.want > 1 {
			jitter = 2 * 2250 * us // over two periods of the samples
		}
		rec := record(c.method, c.cpu, jitter)
		s, err := New(rec, Config{Waits: c.waits, Cost: Cost{Overshoot: 250 * us, PerTick: ms}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(rec, s); err != nil {
			t.Fatal(err)
		}
		stats := s.Stats()
		if got := stats.Slowdown(); math.Abs(got-c.want) > c.within {
			t.Errorf("%s: slowdown %.4f, want %.4f", c.name, got, c.want)
		}
		all := float64(max(1, stats.WaitTotals.Deadline+stats.WaitTotals.Timeout+stats.WaitTotals.Unclassified))
		if clock, slept := float64(stats.WaitTotals.Deadline)/all, float64(stats.WaitTotals.Timeout)/all; math.Abs(clock-c.clock) > 1e-3 || math.Abs(slept-c.slept) > 1e-3 { // includes its wait before its first call
			t.Errorf("%s: share %.3f of the waiting has a deadline, %.3f a timeout; want %.3f and %.3f", c.name, clock, slept, c.clock, c.slept)
		}
		if c.clock > 0 && (stats.Overhead.Frames != 1999 || stats.Overhead.Late != 0) {
			t.Errorf("%s: %d frames, %d late, want 1999, none late", c.name, stats.Overhead.Frames, stats.Overhead.Late)
		}
		if math.Abs(stats.Overhead.Running()-(1+6.222/8)) > 0.02 {
			t.Errorf("%s: slowdown of running time %.4f, want %.4f", c.name, stats.Overhead.Running(), 1+6.222/8)
		}
	}
}
