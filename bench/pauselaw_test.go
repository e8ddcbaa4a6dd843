package bench_test

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/bench"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
)

// TestPauseLaw: a sample of two threads suspends the app for 10 us plus 20 us for each thread and
// the sampling thread, every 1 ms of app time. The period is 1.07 ms, and the slowdown 1.07 / 1. If
// threads take 20 us more to resume, they run for 0.98 ms of the period. If a thread begins or ends
// during the run, pauses differ, and there is no closed form.
func TestPauseLaw(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name             string
		start, end       time.Duration // of the second thread
		resume           time.Duration
		period, slowdown float64
	}{
		{"two threads", 0, 0, 0, 1.07, 1.07},
		{"threads resume late", 0, 0, 20 * time.Microsecond, 1.07, 1.07 / 0.98},
		{"one begins", 50 * ms, 0, 0, math.NaN(), math.NaN()},
		{"one ends", 0, 50 * ms, 0, math.NaN(), math.NaN()},
	} {
		truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 100 * ms}, Symbols: &trace.Symbols{}}
		truth.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
		truth.Symbols.AddThread(trace.Thread{TID: 2, Name: "worker", Start: c.start, End: c.end})
		truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "run"})
		truth.Events = trace.NewSliceReader([]trace.Event{{}, {Wall: c.start, Thread: 1}})
		r, err := bench.Run(context.Background(), truth, bench.Config{
			Intervals: []time.Duration{ms}, Phases: 1,
			Devices: []device.Device{{Name: "by hand", Sampling: sampler.Cost{PerTick: 10 * time.Microsecond, PerThread: 20 * time.Microsecond, Resume: c.resume}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		law := r.Rows[0].Law
		for m, want := range map[bench.Measure]float64{bench.Period: c.period / 1000, bench.Slowdown: c.slowdown} {
			if got := law[m]; math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: closed form of %s is %v, want %v", c.name, m.Key(), got, want)
			}
		}
	}
}
