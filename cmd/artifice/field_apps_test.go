package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// TestFieldTruth checks that recordings of tail.truth.txt equal the two files of Android 11, byte
// for byte, and that the truth has the times of their timestamps: N0 from 0.1 to 9.5 ms, N1 from
// 1.2 to 3.25 ms.
func TestFieldTruth(t *testing.T) {
	truth, out := testdata.Path(t, "field", "tail.truth.txt"), filepath.Join(t.TempDir(), "x.trace")
	for mode, want := range map[string]string{"--mode instrument": "tail.inst.trace", "--interval 1ms": "tail.real.trace"} {
		args := append(strings.Fields(mode), "--runtime", "art11", "--device", "ideal", "--force", "-o", out)
		if status, _, stderr := artifice(append([]string{"record", truth}, args...)...); status != exitOK {
			t.Fatal(stderr)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if real, err := os.ReadFile(testdata.Path(t, "field", want)); err != nil || !bytes.Equal(got, real) {
			t.Errorf("%s: %d bytes differ from %s (%v)", mode, len(got), want, err)
		}
	}
	_, stdout, stderr := artifice("report", truth)
	for _, want := range []string{"main: CPU 9.4 ms, waiting 0 s;", "Other thread: Binder_1 (2.05 ms CPU)"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in %s%s", want, stdout, stderr)
		}
	}
}

// TestFieldApps checks that the truths of apps have the times that their files imply. step10
// repeats 1.2, 2.5, 1.7 and 0.7 ms of work every 10 ms, 400 times. The work of the other apps is
// random, and the margin is four standard errors. In nativehot, nativeDecode takes 2.5 ms ×
// exp(0.6²/2) on average; the other times are 0.5 and 0.8 ms, and 7 times 40 and 60 µs. In busy2,
// main works for 0.9, 0.5 × 0.4 and 0.3 × 1.55 ms. On device A, an event costs 4.848 µs, which the
// waits of step10 absorb. Plan prints the slowdowns of bench.
func TestFieldApps(t *testing.T) {
	testdata.Seldom(t, 4)
	decode := 2.5 * math.Exp(0.6*0.6/2)
	for _, c := range []struct {
		app    string
		work   map[string]float64 // mean self time in ms, on main
		margin float64            // of the shares
		waits  bool               // whether waits absorb the tracing overhead
	}{
		{"step10", map[string]float64{"p.T.mix": 2.5, "p.T.fft": 1.7, "p.T.read": 1.2, "p.T.write": 0.7}, 1e-4, true},
		{"nativehot", map[string]float64{"n.Codec.nativeDecode": decode, "n.J.prepare": 0.5, "n.J.show": 0.8, "n.J.put": 7 * 0.04, "n.Codec.nativeShort": 7 * 0.06}, 0.04, false},
		{"busy2", map[string]float64{"t.A.parse": 0.9, "t.A.utf": 0.5 * 0.4, "t.B.copy": 0.3 * 1.55}, 0.04, false},
	} {
		app, truth := testdata.Path(t, "field", c.app+".yaml"), filepath.Join(t.TempDir(), "truth.txt")
		if status, _, stderr := artifice("record", app, "--mode", "truth", "-o", truth, "-q"); status != exitOK {
			t.Fatal(stderr)
		}
		status, stdout, stderr := artifice("report", truth, "--thread", "main", "--json", "-q")
		var rows []struct {
			methodTimes
			Calls float64
		}
		if err := json.Unmarshal([]byte(stdout), &rows); status != exitOK || err != nil {
			t.Fatal(err, stderr)
		}
		all, cpu, calls := 0.0, map[string]float64{}, 0.0
		for _, ms := range c.work {
			all += ms
		}
		for _, r := range rows {
			cpu[r.Method] += r.CPU
			cpu[""] += r.CPU
			calls += r.Calls
		}
		for method, ms := range c.work {
			if got, want := cpu[method]/cpu[""], ms/all; math.Abs(got-want) > c.margin {
				t.Errorf("%s: %s has %.4f of the CPU time, want %.4f", c.app, method, got, want)
			}
		}
		want := 1.0
		if !c.waits {
			want += 2 * calls * 4.848e-6 / 4
		}
		if got := benchSlowdown(t, app, "A", "instrument-dual"); math.Abs(got-want) > 1e-4 {
			t.Errorf("%s: slowdown %v, want %v", c.app, got, want)
		}
		shared := []string{app, "--device", "A", "--intervals", "1ms,5ms"}
		planned := printedSlowdowns(t, append([]string{"plan", "--method", rows[0].Method, "--change", "50%", "--budget", "100000%"}, shared...)...)
		for interval, want := range printedSlowdowns(t, append([]string{"bench"}, shared...)...) {
			if got := planned[interval]; got != want {
				t.Errorf("%s, %s: plan has %q, bench %q", c.app, interval, got, want)
			}
		}
	}
}
