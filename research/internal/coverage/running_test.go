package coverage

import (
	"os"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// open opens a device.
func open(t *testing.T, name string) device.Device {
	t.Helper()
	d, err := device.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestBusyCores checks samplers that wait for a core until a thread begins to wait. Nine of ten
// intervals must contain the truth, and each profile must give the reason for their width.
func TestBusyCores(t *testing.T) {
	text, err := os.Open("testdata/two-cores.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	p, err := workload.ReadYAML(text, "two-cores.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"art11", "A"} {
		for _, interval := range []time.Duration{time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond} {
			const runs = 6
			r, err := MeasureRunning(func(seed uint64) (*trace.Recording, error) {
				return p.Truth(workload.Config{Seed: seed, Live: true})
			}, open(t, name), interval, runs)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s at %s: coverage %.3f of %d intervals, warnings for %d of %d runs, samples waited %s", name, interval, r.Coverage, r.Claims, r.Warned, runs, r.Waited)
			if r.Coverage < 0.9 || r.Claims == 0 || r.Warned != runs || r.Waited < time.Millisecond {
				t.Errorf("%s at %s: coverage %.3f of %d intervals, warnings for %d of %d runs, samples waited %s", name, interval, r.Coverage, r.Claims, r.Warned, runs, r.Waited)
			}
		}
	}
}

// TestOneCorePerThread checks that no profile of an app with a core for each thread warns about
// undersampled threads.
func TestOneCorePerThread(t *testing.T) {
	for _, p := range testdata.Some(t, workload.Builtin(), 6) {
		for _, interval := range []time.Duration{time.Millisecond, 5 * time.Millisecond} {
			r, err := MeasureRunning(func(seed uint64) (*trace.Recording, error) {
				return p.Truth(workload.Config{Seed: seed, Live: true, Duration: time.Second})
			}, open(t, "A"), interval, 2)
			if err != nil {
				t.Fatal(err)
			}
			if r.Waited > 0 || r.Unsampled > 0 {
				t.Errorf("%s at %s: samples waited %s for a core, and %d runs warn of undersampled threads", p.Name, interval, r.Waited, r.Unsampled)
			}
		}
	}
}
