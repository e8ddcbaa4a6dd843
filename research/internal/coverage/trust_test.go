package coverage

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// measure measures an app on a device at an interval.
func measure(t *testing.T, app string, length time.Duration, on string, interval time.Duration) map[[2]int]Row {
	t.Helper()
	d, err := device.Open(on)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Measure(context.Background(), func() (*trace.Recording, error) {
		return workload.Must(workload.ByName(app)).Truth(workload.Config{Seed: 1, Duration: length})
	}, Config{Intervals: []time.Duration{interval}, Devices: []device.Device{d}, Phases: 24, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	found := map[[2]int]Row{}
	for _, r := range rows {
		found[[2]int{int(r.Time), int(r.Rule)}] = r
	}
	return found
}

// TestCoverage checks that intervals have their nominal coverage for apps with very different
// lengths of calls. The coverage of n independent 95 % intervals has the standard deviation √(0.95
// × 0.05/n). The intervals of one method in 24 phases are dependent, so n is assumed to be 4 times
// the number of methods, and coverage may be 3 standard deviations too low. It may be up to 100 %,
// where counts are small; the width relative to the true spread bounds that.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		app      string
		length   time.Duration
		device   string
		interval time.Duration
		width    float64 // of the median method, maximum
	}{
		{"w5-zipf-50", 5 * time.Second, "A", time.Millisecond, 1.3},
		{"w5-zipf-50", 5 * time.Second, "ideal", 5 * time.Millisecond, 1.3},
		{"w6-random-tree", 2 * time.Second, "B", time.Millisecond, 1.3},
		{"w3-on-off", 10 * time.Second, "C", 5 * time.Millisecond, 1.6},
		{"cold-start", 0, "A", time.Millisecond, 2.3}, // the sampler waits for the garbage collector
		{"gc-storm", 2 * time.Second, "A", 5 * time.Millisecond, 2.3},
	} {
		row := measure(t, c.app, c.length, c.device, c.interval)[[2]int{int(ExclusiveWall), int(Ours)}]
		least := 0.95 - 3*math.Sqrt(0.95*0.05/float64(4*row.Methods))
		if row.Claims == 0 || row.Coverage < least {
			t.Errorf("%s on %s at %s: coverage %.3f of %d intervals, want %.3f or more", c.app, c.device, c.interval, row.Coverage, row.Claims, least)
		}
		if row.Width[1] < 0.8 || row.Width[1] > c.width {
			t.Errorf("%s on %s at %s: the interval of the median method is %.2f times as wide as its spread, want 0.8 to %.1f", c.app, c.device, c.interval, row.Width[1], c.width)
		}
	}
}

// TestAliasedFrames checks apps with frames that are aliased with the sampling interval on an ideal
// device. The coverage of the plain rule is too low: one in three for game-loop at 5 ms. The
// methods must be reported as aliased, and our intervals must have 93 % coverage.
func TestAliasedFrames(t *testing.T) {
	for _, app := range []string{"scroll-60hz", "game-loop"} {
		for _, interval := range []time.Duration{time.Millisecond, 5 * time.Millisecond} {
			rows := measure(t, app, 0, "ideal", interval)
			plain, ours := rows[[2]int{int(ExclusiveWall), int(Plain)}], rows[[2]int{int(ExclusiveWall), int(Ours)}]
			if ours.Aliased == 0 {
				t.Errorf("%s at %s: no method is aliased", app, interval)
			}
			if ours.Coverage < 0.93 || plain.Coverage > 0.90 {
				t.Errorf("%s at %s: coverage %.3f, %.3f by the plain rule", app, interval, ours.Coverage, plain.Coverage)
			}
		}
	}
}

// TestRandomCallsAreNotAliased checks that calls of random length are not aliased with any
// interval.
func TestRandomCallsAreNotAliased(t *testing.T) {
	row := measure(t, "w5-zipf-50", 5*time.Second, "ideal", time.Millisecond)[[2]int{int(ExclusiveWall), int(Ours)}]
	if row.Aliased > row.Claims/100 {
		t.Errorf("%d of %d claims are aliased", row.Aliased, row.Claims)
	}
}

// frames is a 60 Hz app, with work that varies slightly from frame to frame.
const frames = `
name: frames
description: frames of 60 Hz
duration: 12s
methods:
  F.loop()V: {}
  F.vsync()V: {wait: io, do: [{until_next: 16667us}]}
  F.frame()V: {do: [{self: lognormal 200us 0.2}, {call: F.input}, {call: F.anim}, {call: F.layout}, {call: F.draw}]}
  F.input()V: {do: [{self: lognormal 300us 0.3}]}
  F.anim()V: {do: [{self: lognormal 1ms 0.2}]}
  F.layout()V: {do: [{self: lognormal 2ms 0.3}]}
  F.draw()V: {do: [{self: lognormal 2500us 0.2}, {call: F.native}]}
  F.native()V: {do: [{self: lognormal 1500us 0.1}]}
threads:
  - name: main
    stack: [F.loop]
    do: [{loop: forever, do: [{call: F.vsync}, {call: F.frame}]}]
`

// TestJitteredFramesAreNotAliased checks device A. Its sleeps overshoot by 250 ± 190 µs, so that
// the sampler's phase in the frame is random after a few samples. At most a tenth of the intervals
// may be widened for aliasing without need, and coverage must be nominal.
func TestJitteredFramesAreNotAliased(t *testing.T) {
	app, err := workload.ReadYAML(strings.NewReader(frames), "frames")
	if err != nil {
		t.Fatal(err)
	}
	phone, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	open := func() (*trace.Recording, error) { return app.Truth(workload.Config{Seed: 1}) }
	rows, err := Measure(t.Context(), open, Config{Intervals: []time.Duration{time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond}, Devices: []device.Device{phone}, Phases: 8, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Time == ExclusiveWall && r.Rule == Ours && (r.Aliased > r.Claims/10 || r.Coverage < 0.93 || r.Claims < 40) {
			t.Errorf("every %v: %d of %d claims aliased, coverage %.1f %%", r.Interval, r.Aliased, r.Claims, 100*r.Coverage)
		}
	}
}

// TestWakeupsDuringSamples checks network-client on device A, where samples take half of the time.
// Threads that wake for a little work while a sample stops the app are sampled less often than they
// run, and the intervals must include that.
func TestWakeupsDuringSamples(t *testing.T) {
	phone, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	app := workload.Must(workload.ByName("network-client"))
	open := func() (*trace.Recording, error) {
		return app.Truth(workload.Config{Seed: 1, Duration: 2 * time.Second})
	}
	for _, against := range []Against{Traced, OwnShares} {
		rows, err := Measure(t.Context(), open, Config{Intervals: []time.Duration{time.Millisecond}, Devices: []device.Device{phone}, Phases: 4, Seed: 1, Against: against})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Time == ExclusiveWall && r.Rule == Ours && (r.Coverage < 0.93 || r.Claims < 40) {
				t.Errorf("%v: coverage %.1f %% of %d intervals", against, 100*r.Coverage, r.Claims)
			}
		}
	}
}
