package coverage_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata/tracetest"
	"artifice/research/internal/coverage"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// TestThreadsCoverage checks the coverage of intervals of CPU samplers, for an app of 50 methods
// with Zipf's shares and for an app with waits. At least 93 % of intervals must contain the
// threads' CPU time, including the cost of samples.
func TestThreadsCoverage(t *testing.T) {
	for _, c := range []struct {
		way, app, device string
		interval         time.Duration
	}{
		{"simpleperf", "w5-zipf-50", "ideal", time.Millisecond},
		{"simpleperf", "w5-zipf-50", "A", time.Millisecond},
		{"profilo", "w5-zipf-50", "A", 5 * time.Millisecond},
		{"perfetto", "network-client", "ideal", 2 * time.Millisecond},
	} {
		way, err := tracer.ByName(c.way)
		if err != nil {
			t.Fatal(err)
		}
		d, err := device.Open(c.device)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := coverage.MeasureThreads(context.Background(), func() (*trace.Recording, error) { return tracetest.Workload(t, c.app, 2*time.Second), nil }, way,
			coverage.Config{Intervals: []time.Duration{c.interval}, Devices: []device.Device{d}, Phases: 8, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Rule == coverage.Ours && r.Time == coverage.ExclusiveCPU {
				t.Logf("%s of %s on %s: %d claims, %.3f ± %.3f, width %.2f", c.way, c.app, c.device, r.Claims, r.Coverage, r.StdErr, r.Width[1])
				if r.Claims < 50 || r.Coverage < 0.93 {
					t.Errorf("%s of %s on %s: %d intervals, coverage %.1f %%", c.way, c.app, c.device, r.Claims, 100*r.Coverage)
				}
			}
		}
	}
}

// TestTruncatedStacks checks a profiler that truncates six of ten stacks and finds no frame of one
// more. At least 93 % of intervals must contain the truth, because their upper limits include the
// missing callers. Without that, the coverage of inclusive times would be below one half in an app
// with deep stacks; in the other app, all methods but one are leaves.
func TestTruncatedStacks(t *testing.T) {
	way, err := tracer.ByName("perfetto")
	if err != nil {
		t.Fatal(err)
	}
	for _, app := range []string{"w5-zipf-50", "network-client"} {
		d := device.Device{Name: "native code"}
		d.Tools.Unwind = device.Unwind{Unknown: 0.1, Truncated: 0.2, Error: 0.4, Frames: 1}
		rows, err := coverage.MeasureThreads(context.Background(), func() (*trace.Recording, error) { return tracetest.Workload(t, app, 2*time.Second), nil }, way,
			coverage.Config{Intervals: []time.Duration{2 * time.Millisecond}, Devices: []device.Device{d}, Phases: 8, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			t.Logf("%s, %s, %s: %d claims, %.3f ± %.3f", app, r.Time, r.Rule, r.Claims, r.Coverage, r.StdErr)
			if r.Rule == coverage.Ours && (r.Claims < 50 || r.Coverage < 0.93) {
				t.Errorf("%s of %s: %d intervals, coverage %.1f %%", r.Time, app, r.Claims, 100*r.Coverage)
			}
			if app == "network-client" && r.Rule == coverage.Plain && r.Time == coverage.InclusiveCPU && r.Coverage > 0.5 {
				t.Errorf("%s: coverage without the missing callers %.1f %%, want less", app, 100*r.Coverage)
			}
		}
	}
}

// TestThreadsRefused checks that tracing methods that do not sample by CPU time are rejected.
func TestThreadsRefused(t *testing.T) {
	for _, name := range []string{"blockcanary", "sample", "matrix"} {
		way, err := tracer.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = coverage.MeasureThreads(context.Background(), func() (*trace.Recording, error) {
			return tracetest.Workload(t, "w3-on-off", 100*time.Millisecond), nil
		}, way,
			coverage.Config{Devices: []device.Device{{Name: "ideal"}}, Phases: 2})
		if err == nil || !strings.Contains(err.Error(), name+" does not sample threads by their CPU time") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
