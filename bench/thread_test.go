package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/filter"
)

// TestThread: without tracing overhead, every measure of one thread of an app equals that of an app
// with this thread only, in every mode.
func TestThread(t *testing.T) {
	const name = "main"
	cfg := Config{Intervals: []time.Duration{time.Millisecond, 5 * time.Millisecond}, Phases: 2, Modes: Modes(), CPU: true, Devices: devices(t, "ideal"), LadderAt: time.Millisecond}
	truth := func() *trace.Recording { return tracetest.Workload(t, "network-client", 500*time.Millisecond) }
	part, err := filter.Part{Threads: []string{name}}.Apply(truth())
	if err != nil {
		t.Fatal(err)
	}
	alone, err := Run(context.Background(), part, cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Threads = filter.Part{Threads: []string{name}}
	among, err := Run(context.Background(), truth(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := alone.Truth, among.Truth; a.Calls == 0 || a.Calls != b.Calls || a.Time != b.Time || a.Threads != 1 || b.Threads != 1 || a.Running != b.Running {
		t.Fatalf("truths %+v and %+v", a, b)
	}
	for i, c := range alone.Cells {
		for m := range c.Scores {
			v, w := c.Scores[m], among.Cells[i].Scores[m]
			if c.Mode == "go-itimer" || Measure(m) == Overflow {
				continue // all threads share a timer; lost samples count for all threads
			}
			if math.Abs(v-w) > 1e-12 || math.IsNaN(v) != math.IsNaN(w) {
				t.Errorf("%s every %v, %s: %v alone, %v among other threads", c.Mode, c.Interval, Measure(m).Key(), v, w)
			}
		}
	}
}

// TestThreadCosts: the overhead for one thread includes that of tracing all threads.
func TestThreadCosts(t *testing.T) {
	cfg := Config{Intervals: []time.Duration{time.Millisecond}, Phases: 2, Modes: []Mode{ARTSampling, InstrumentedDual, longRunning}, Devices: devices(t, "A")}
	all, err := Run(context.Background(), tracetest.Workload(t, "network-client", 200*time.Millisecond), cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Threads = filter.Part{Threads: []string{"main"}}
	one, err := Run(context.Background(), tracetest.Workload(t, "network-client", 200*time.Millisecond), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all.Cells {
		for _, m := range []Measure{Period, Slowdown, LongestPause} {
			if v, w := c.Scores[m], one.Cells[i].Scores[m]; v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
				t.Errorf("%s, %s: %v for all threads, %v for one", c.Mode, m.Key(), v, w)
			}
		}
	}
	if all.Truth.Length != one.Truth.Length || all.Truth.Calls <= one.Truth.Calls {
		t.Errorf("truths %+v and %+v", all.Truth, one.Truth)
	}
}
