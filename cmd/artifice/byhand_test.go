package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// These tests compute the columns of bench's table, and the other measures of a row, by hand.

// TestRealTraceByHand checks a trace of Android 4.3. Its thread enters, by microsecond: foo 242,
// bar 245, baz 248, RuntimeException.<init> 254, Exception.<init> 257, Throwable.<init> 259,
// emptyList 262 to 264, fillInStackTrace 266, nativeFillInStackTrace 269 to 278. The other calls
// return at 281, 283, 285, 287, 290, 292 and 294. Then it enters Debug.stopMethodTracing at 297 and
// VMDebug.stopMethodTracing at 300, which last until the stop at 312. The stack is empty from 232
// to 242.
//
// Self times are foo 5, bar 5, baz 9, RuntimeException 5, Exception 4, Throwable 7, emptyList 2,
// fill 6, native 9, Debug 3, VMDebug 12: 67 us of 80. Samples every 20 us from 10 on observe baz at
// 250, native at 270, bar at 290, because baz returns at that moment, and VMDebug at 310. Each gets
// a quarter of the time. The samples contain 10 of 11 methods and calls. The CPU time after the
// last event is unknown, so VMDebug has none.
func TestRealTraceByHand(t *testing.T) {
	in := testdata.Path(t, "traces", "tiny-exception.trace")
	// An ideal sampler loses ½ Σ E|K-4p|/4 on average, and E|K-4p| is 8p(1-p)⁴ for 4p < 1.
	ideal, three, four := 1., 1., 1.
	for _, us := range []float64{5, 5, 9, 5, 4, 7, 2, 6, 9, 3, 12} {
		ideal -= us / 67 * math.Pow(1-us/67, 4)
		if us != 12 {
			three -= us / 55 * math.Pow(1-us/55, 3)
			four -= us / 55 * math.Pow(1-us/55, 4)
		}
	}
	// Of its samples, 4·55/67 are in CPU time: the value is between three and four, interpolated
	// linearly.
	idealCPU := three + (four-three)*(4*55./67-3)
	checkCell(t, in, "ideal", "sample", "20us", map[string]float64{
		"period_s": 20e-6, "slowdown": 1, "samples": 4, "longest_pause_s": 0,
		"methods_seen": 10. / 11, "methods_seen_1pct_wall": 10. / 11,
		"calls_seen": 10. / 11, "reported_calls_per_true": 10. / 11, "merge_factor": 1,
		"wall_correct": 35. / 67, "edges_correct": 35. / 67, "paths_correct": 35. / 67, // 9 + 9 + 5 + 12
		// Up to the last event, the CPU clock equals the wall clock.
		"cpu_correct": 23. / 55, "random_cpu_correct": idealCPU, "methods_seen_1pct_cpu": 9. / 10,
		// Of 67 us, each of the four methods has a quarter; the other seven methods lack 32.
		"self_wmape": 2*(1./4-9./67) + (1./4 - 5./67) + (1./4 - 12./67) + 32./67, "self_worst": (1./4 - 5./67) / (5. / 67),
		"hot_edge_coverage": 4. / 11, "hot_edge_precision": 1,
		// Of 9 calls, 3 took less than 20 us; no reported call that ended did.
		"duration_ks":  3. / 9,
		"events_per_s": 18 / 312e-6, "bytes_per_s": 18 * 14 / 312e-6, // 10 enters and 8 exits
		"random_wall_correct": ideal, "relative_wall_correct": 35. / 67 / ideal,
		// Correct stacks: the empty one to 242, baz to 254, native to 278, bar to 292, VMDebug from
		// 310.
		"timeline": (10. + 4 + 8 + 2 + 2) / 80,
		// Frames take 52+47+42+33+28+24+2+15+9+15+12 us; the reported ones take 3·20 + 8·20 + 2·20
		// + 2·2. Common frames are foo for 44, bar 42, baz 40, then 17, 15, 13, 11 and 8, and two
		// frames for 2.
		"timeline_by_depth": 194. / (279 + 264 - 194),
		"top10":             4. / 10, // of the ten methods with the longest true time, four have reported time
	})
	// All 23 events take 4.848 us of a run of 312.
	checkCell(t, in, "A", "instrument-dual", "20us", map[string]float64{
		"slowdown": 1 + 23*4.848/312, "methods_seen": 1, "calls_seen": 1, "reported_calls_per_true": 1, "timeline": 1,
	})
	checkCell(t, in, "ideal", "instrument-dual", "20us", map[string]float64{"slowdown": 1, "wall_correct": 1, "timeline_by_depth": 1})
}

// TestWorkloadByHand checks a workload in which run calls a for 12 ms and b for 8 ms, five times.
// Samples at 8, 24, 40, 56, 72 and 88 ms observe a, a, a (which begins at 40), b, b (which begins
// at 72) and a. So the trace has one call of a up to 56, one of b up to 88, and one of a. Each
// sample, including the last one, represents the time to the next: a has 4 of 6, b 2. Of 11 calls,
// 7 are sampled: that of run, 4 of a and 2 of b. The trace has 4 calls: run, 2 of a and one of b.
func TestWorkloadByHand(t *testing.T) {
	in := filepath.Join(t.TempDir(), "abab.yaml")
	device := filepath.Join(t.TempDir(), "two.yaml")
	writeFile(t, in, `name: abab
methods:
  x.Y.run: {do: [{loop: 5, do: [{call: x.Y.a}, {call: x.Y.b}]}]}
  x.Y.a: {do: [{self: 12ms}]}
  x.Y.b: {do: [{self: 8ms}]}
threads: [{name: main, do: [{call: x.Y.run}]}]
`)
	writeFile(t, device, "name: two\ninstrumented: {cpu-read: 1us, hook: 1us}\n")
	wrong := 4./6 - 0.6 // the excess of a equals the deficit of b
	checkCell(t, in, "ideal", "sample", "16ms", map[string]float64{
		"period_s": 0.016, "slowdown": 1, "samples": 6, "methods_seen": 1, "methods_seen_1pct_wall": 1,
		"calls_seen": 7. / 11, "reported_calls_per_true": 4. / 11, "merge_factor": 7. / 4,
		"wall_correct": 0.6 + 2./6, "edges_correct": 0.6 + 2./6, "paths_correct": 0.6 + 2./6,
		// The CPU time after the end is unknown: a has 48 + 12 of 92 ms, b 32.
		"cpu_correct": 0.6 + 32./92, "self_cpu_wmape": 2 * (60./92 - 0.6), "total_cpu_wmape": 60./92 - 0.6,
		// For K of 6 samples at 0.6, E|K-3.6| is 8·C(6,4)·0.6⁴·0.4³; that of b is equal.
		"random_wall_correct": 1 - 8*15*math.Pow(0.6, 4)*math.Pow(0.4, 3)/6,
		"self_wmape":          2 * wrong, "self_worst": wrong / 0.4,
		"total_wmape": wrong, "total_bias": 0, // run has the whole time, and so have a and b together
		"hot_edge_coverage": 1, "hot_edge_precision": 1, "top10": 1, "kendall_tau_b": 1,
		"duration_ks": 10. / 11, // 10 of 11 true calls, and no reported ones, are below 32 ms
		// Correct times: a for 4 + 12 + 12 + 4 ms, b for 4 + 8, run for 92.
		"timeline": 0.44, "timeline_by_depth": 136. / (200 + 184 - 136),
		"events_per_s": 60, "bytes_per_s": 840, "overflow": 0, // 4 enters, 2 exits, 14 bytes each
	})
	// Each of 22 events takes 2 us. The self time of a method includes one of its own events and
	// those of its callees, so run has 22 us, a 60.010 ms and b 40.010 ms.
	checkCell(t, in, device, "instrument-dual", "16ms", map[string]float64{
		"slowdown": 1.00044, "cpu_time_ratio": 1.00044, "calls_seen": 1, "reported_calls_per_true": 1,
		"wall_correct": (60.010 + 40.010) / 100.042, "timeline": 1,
	})
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// checkCell compares the only cell of a row of bench with expected values.
func checkCell(t *testing.T, source, device, mode, interval string, want map[string]float64) {
	t.Helper()
	status, stdout, stderr := artifice("bench", source, "--device", device, "--modes", mode, "--intervals", interval, "--seeds", "1", "--json")
	var cell struct{ Scores map[string]float64 }
	if err := json.Unmarshal([]byte(strings.TrimSpace(stdout)), &cell); status != exitOK || err != nil {
		t.Fatalf("status %d, %v: %s", status, err, stderr)
	}
	for key, value := range want {
		if got, ok := cell.Scores[key]; !ok || math.Abs(got-value) > 1e-9 {
			t.Errorf("%s of %s, %s, %s: %v, want %v", key, filepath.Base(source), mode, filepath.Base(device), got, value)
		}
	}
}
