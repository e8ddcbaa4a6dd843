package bench

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
)

// TestRange: a recorded thread alternately works for 8 ms and waits for 2 to 15 ms, for an unknown
// reason. A sample takes P = 1 ms, and the app runs for X = 1.25 ms in between. If waits absorb
// delays, at most the last iteration is delayed. Otherwise the thread is delayed by u·P/X, where u
// is its work. Running takes l(8 ms) = 6.222 ms longer (TestSlowdown of sampler).
func TestRange(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddMethod(trace.Method{Class: "a/B", Name: "run"})
	rec.Symbols.AddMethod(trace.Method{Class: "java/lang/Object", Name: "wait"})
	rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	events := []trace.Event{{}}
	var wall, cpu time.Duration
	for range 1000 {
		wall, cpu = wall+8*time.Millisecond, cpu+8*time.Millisecond
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: 1})
		wall += 2*time.Millisecond + time.Duration(random.Int64N(int64(13*time.Millisecond)))
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: 1, Action: trace.Exit})
	}
	rec.Events = trace.NewSliceReader(events)
	d := device.Device{Name: "x", Sampling: sampler.Cost{Overshoot: 250 * time.Microsecond, PerTick: time.Millisecond}}
	r, err := Run(context.Background(), rec, Config{Intervals: []time.Duration{time.Millisecond}, Devices: []device.Device{d}, Phases: 6, CPU: true, Goal: Goal{Measure: OverlapRunning, Budget: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0]
	kept := 1 + cpu.Seconds()/wall.Seconds()/1.25
	if got := row.Range; got.Absorbed > 1.001 || math.Abs(got.Kept-kept) > 0.01 {
		t.Errorf("range %+v, want 1 to %.4f", got, kept)
	}
	if got, want := row.Mean[CPUOverhead], 6.222/8; math.Abs(got-want) > 0.02 {
		t.Errorf("CPU overhead %.4f, want %.4f", got, want)
	}
	if r.Ruled.UnclassifiedShare() != 1 {
		t.Errorf("%.3f of the waits are unclassified, want all", r.Ruled.UnclassifiedShare())
	}
	// A budget of 50 % includes a slowdown of 1.4, but not a CPU overhead of 1.8.
	if !r.byOverhead || r.Goal.Fits(row) || !r.Goal.Fits(Row{Mean: row.Mean}) {
		t.Errorf("budget of CPU overhead: %v, within the budget: %v", r.byOverhead, r.Goal.Fits(row))
	}
	if got, want := row.Cost(), "1.00–1.39"; got.String() != want {
		t.Errorf("cost %v, want %s", got, want)
	}
}
