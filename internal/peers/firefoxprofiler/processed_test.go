package firefoxprofiler_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"artifice/internal/peers/firefoxprofiler"
	"artifice/trace"
	"artifice/writer"
)

// TestProcessedProfile: of a trace with known shares, written as a processed
// profile, the Firefox Profiler shows these shares, which are not estimates as
// those of an imported .trace are.
func TestProcessedProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("starts node")
	}
	client := firefoxprofiler.Install(t)
	file := filepath.Join(t.TempDir(), "made.profile.json")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	rec := madeTrace()
	w, err := writer.ByName("firefox").Open(out, rec, writer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(w, rec.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := load(t, client, file)
	// madeTrace: 100 rounds of 10 ms, less the last 0.05 ms, in which no call is
	// open: 7 ms in hot, 2.5 in warm, 0.02 in cold, the rest in loop.
	const whole = 100*10 - 0.05
	want := map[string]map[string][2]float64{
		"main": {
			"app.Main.loop": {(whole - 100*9.52) / whole, 1}, "app.Main.hot": {700 / whole, 700 / whole},
			"app.Main.warm": {250 / whole, 250 / whole}, "app.Main.cold": {2 / whole, 2 / whole},
		},
		"Worker #1 ä": {"app.Bg.run": {(whole - 600) / whole, 1}, "app.Main.hot": {600 / whole, 600 / whole}},
	}
	if len(got) != len(want) {
		t.Errorf("threads %v, want %d", got, len(want))
	}
	for thread, functions := range want {
		if len(got[thread]) != len(functions) {
			t.Errorf("%s: functions %v, want %v", thread, got[thread], functions)
		}
		for name, share := range functions {
			for i := range share {
				if shown := got[thread][name][i]; math.Abs(shown-100*share[i]) > 0.001 {
					t.Errorf("%s, %s: %v %%, want %v", thread, name, shown, 100*share[i])
				}
			}
		}
	}
}
