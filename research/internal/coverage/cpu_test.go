package coverage

import (
	"context"
	"os"
	"testing"
	"time"

	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// TestCPUOfBursts checks that 95 % intervals of CPU time have at least 93 % coverage on each device
// at each interval if threads wait in nearly every period, and run for short or heavy-tailed times.
// The bounds must not be trivial: in bursts, the median method's are at most 60 spreads apart;
// bounds of 0 and all of the thread's CPU time would be 84 spreads apart.
func TestCPUOfBursts(t *testing.T) {
	var devices []device.Device
	for _, name := range []string{"ideal", "A"} {
		d, err := device.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		devices = append(devices, d)
	}
	for _, name := range []string{"testdata/bursts.yaml", "testdata/tails.yaml"} {
		text, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		app, err := workload.ReadYAML(text, name)
		text.Close()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := Measure(context.Background(), func() (*trace.Recording, error) {
			return app.Truth(workload.Config{Seed: 1, Duration: 10 * time.Second})
		}, Config{Intervals: []time.Duration{time.Millisecond, 5 * time.Millisecond}, Devices: devices, Phases: 12, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, r := range rows {
			if r.Rule != Ours || r.Time != ExclusiveCPU && r.Time != InclusiveCPU {
				continue
			}
			seen++
			if r.Claims == 0 || r.Coverage < 0.93 {
				t.Errorf("%s on %s at %v, %v: coverage %.3f of %d intervals, want 0.93", name, r.Device, r.Interval, r.Time, r.Coverage, r.Claims)
			}
			if app.Name == "bursts" && r.Time == ExclusiveCPU && r.Width[1] > 60 {
				t.Errorf("%s on %s at %v, %v: the ends are %.0f spreads apart", name, r.Device, r.Interval, r.Time, r.Width[1])
			}
		}
		if seen != 8 {
			t.Errorf("%s: %d rows, want 8", name, seen)
		}
	}
}
