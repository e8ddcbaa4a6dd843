package main

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// methodTimes are the times in ns of a method in "artifice report --json".
type methodTimes struct {
	Method  string
	Running float64 `json:"self_running_ns"`
	CPU     float64 `json:"self_cpu_ns"`
}

// reportedTimes returns the times of all methods of a file, on all threads.
func reportedTimes(t *testing.T, file string) []methodTimes {
	t.Helper()
	status, stdout, stderr := artifice("report", file, "--json", "-q")
	if status != exitOK {
		t.Fatal(stderr)
	}
	var rows []methodTimes
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// shares returns the share of each method in a time.
func shares(rows []methodTimes, of func(methodTimes) float64) map[string]float64 {
	sum, all := map[string]float64{}, 0.0
	for _, r := range rows {
		sum[r.Method] += of(r)
		all += of(r)
	}
	for m := range sum {
		sum[m] /= all
	}
	return sum
}

// TestRunningTime checks that report attributes more CPU time to the correct method than the trace
// does, which attributes it to the earlier of two samples. The truth has each method's CPU time.
// The last column is the minimum share that report attributes correctly. Besides waiting methods,
// frame and lockwait have 3 and 4 methods with long calls.
func TestRunningTime(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, c := range []struct {
		app      string
		interval string
		least    float64
	}{
		{"cold-start", "5ms", 0.9}, {"scroll-60hz", "5ms", 0.9}, {"convoy", "5ms", 0.95}, {"w11-messages", "20ms", 0.9},
		{"field/lockwait.yaml", "1ms", 0.98}, {"field/lockwait.yaml", "5ms", 0.95}, {"field/frame.yaml", "5ms", 0.9},
	} {
		t.Run(filepath.Base(c.app)+"-"+c.interval, func(t *testing.T) {
			app := c.app
			if strings.HasPrefix(app, "field/") {
				app = testdata.Path(t, filepath.FromSlash(app))
			}
			dir := t.TempDir()
			truth, trace := filepath.Join(dir, "truth.trace"), filepath.Join(dir, "x.trace")
			for _, args := range [][]string{
				{"record", app, "--mode", "truth", "-o", truth, "-q"},
				{"record", app, "--interval", c.interval, "--device", "A", "-o", trace, "-q"},
			} {
				if status, _, stderr := artifice(args...); status != exitOK {
					t.Fatal(stderr)
				}
			}
			cpu := func(r methodTimes) float64 { return r.CPU }
			want, rows := shares(reportedTimes(t, truth), cpu), reportedTimes(t, trace)
			right := func(got map[string]float64) (sum float64) {
				for m, share := range got {
					sum += min(share, want[m])
				}
				return sum
			}
			running, attributed := right(shares(rows, func(r methodTimes) float64 { return r.Running })), right(shares(rows, cpu))
			if running < c.least || running <= attributed {
				t.Errorf("report attributes %.3f of the CPU time correctly, the trace %.3f; want at least %.3f", running, attributed, c.least)
			}
		})
	}
}

// TestRunningByCPUClock checks that, if a trace has a CPU clock, the running time of all methods is
// the sum of the clock, up to rounding to a nanosecond per method and context. The sum of
// sampled-streaming.trace was computed by adding its events. The method nSyncAndDrawFrame, which
// mostly waits for a lock, has at most 0.5 s.
func TestRunningByCPUClock(t *testing.T) {
	sum := func(rows []methodTimes) (all float64) {
		for _, r := range rows {
			all += r.Running
		}
		return all / 1e9
	}
	rows := reportedTimes(t, testdata.Path(t, "traces", "sampled-streaming.trace"))
	if got := sum(rows); got < 3.0 || got > 3.02 {
		t.Errorf("sampled-streaming.trace ran for %.3f s, want 3.01 s", got)
	}
	for _, r := range rows {
		if strings.Contains(r.Method, "nSyncAndDrawFrame") && r.Running > 0.5e9 {
			t.Errorf("%s ran for %g ns", r.Method, r.Running)
		}
	}
	file := filepath.Join(t.TempDir(), "x.trace")
	for mode, want := range map[string]float64{"truth": 9.66, "instrument": 9.66} {
		if status, _, stderr := artifice("record", testdata.Path(t, "field", "lockwait.yaml"), "--mode", mode, "-o", file, "-q", "--force"); status != exitOK {
			t.Fatal(stderr)
		}
		if got := sum(reportedTimes(t, file)); strconv.FormatFloat(got, 'f', 2, 64) != strconv.FormatFloat(want, 'f', 2, 64) {
			t.Errorf("%s: lockwait.yaml ran for %.3f s, want %.2f s of 20 s", mode, got, want)
		}
	}
}
