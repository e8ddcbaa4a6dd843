package firefoxprofiler_test

import (
	"math"
	"path/filepath"
	"testing"

	"artifice/internal/testdata"
	"artifice/research/internal/peers/firefoxprofiler"
)

// TestProcessedProfile: for a trace with known shares, written as a processed profile and as
// simpleperf's samples, the Firefox Profiler shows the exact shares. For an imported .trace it
// shows approximate ones.
func TestProcessedProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("starts node")
	}
	testdata.Seldom(t, 6)
	client := firefoxprofiler.Install(t)
	for format, lost := range map[string]float64{
		"firefox": 0,
		// For simpleperf's files the importer lists the first frame twice and ignores the time
		// after the last sample: the last 0.18 ms of the loop.
		"simpleperf-proto": 0.18,
	} {
		file := filepath.Join(t.TempDir(), "made.profile.json")
		writeAs(t, file, format)
		checkShares(t, format, lost, load(t, client, file))
	}
}

// checkShares compares the shown shares of madeTrace with the true ones, without the last lost ms
// of the main thread.
func checkShares(t *testing.T, format string, lost float64, got map[string]map[string][2]float64) {
	t.Helper()
	// madeTrace: 100 repetitions of 10 ms, minus the last 0.05 ms, without an open call: 7 ms in
	// hot, 2.5 in warm, 0.02 in cold, the rest in loop.
	const whole = 100*10 - 0.05
	shown := whole - lost
	want := map[string]map[string][2]float64{
		"main": {
			"app.Main.loop": {(shown - 100*9.52) / shown, 1}, "app.Main.hot": {700 / shown, 700 / shown},
			"app.Main.warm": {250 / shown, 250 / shown}, "app.Main.cold": {2 / shown, 2 / shown},
		},
		"Worker #1 ä": {"app.Bg.run": {(whole - 600) / whole, 1}, "app.Main.hot": {600 / whole, 600 / whole}},
	}
	if len(got) != len(want) {
		t.Errorf("%s: threads %v, want %d", format, got, len(want))
	}
	for thread, functions := range want {
		if len(got[thread]) != len(functions) {
			t.Errorf("%s, %s: functions %v, want %v", format, thread, got[thread], functions)
		}
		for name, share := range functions {
			for i := range share {
				if got := got[thread][name][i]; math.Abs(got-100*share[i]) > 0.001 {
					t.Errorf("%s, %s, %s: %v %%, want %v", format, thread, name, got, 100*share[i])
				}
			}
		}
	}
}
