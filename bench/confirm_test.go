package bench

import (
	"context"
	"strings"
	"testing"
	"time"

	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// TestReachedWithConfidence: over six runs, the mean share minus t(0.9; 5) = 1.475884 standard
// errors (from a table of Student's distribution) must be at least 95 %. If one run has a twelfth
// less, the mean is 0.98611, the standard error 0.01389, and the bound 0.9656. If two runs have a
// sixth less, the mean is 0.94444. If one run has a quarter less, the mean is 0.95833, the standard
// error 0.04167, and the bound 0.8968. A single run has no standard error.
func TestReachedWithConfidence(t *testing.T) {
	for _, c := range []struct {
		shares []float64
		want   bool
	}{
		{[]float64{1, 1, 1, 1, 1, 1}, true},
		{[]float64{1, 1, 11. / 12, 1, 1, 1}, true},
		{[]float64{1, 1, 10. / 12, 10. / 12, 1, 1}, false},
		{[]float64{1, 1, 1, 9. / 12, 1, 1}, false},
		{[]float64{0.95}, true},
		{[]float64{0.94}, false},
	} {
		if got := surelyReached(c.shares); got != c.want {
			t.Errorf("%v: %t, want %t", c.shares, got, c.want)
		}
	}
}

// turns returns the truth of an app with two methods that alternate. One takes a multiple of the
// other's time.
func turns(t *testing.T, times string) *trace.Recording {
	t.Helper()
	p, err := workload.ReadYAML(strings.NewReader(`
name: turns
description: two methods that take turns
methods:
  T.run()V: {}
  T.a()V: {do: [{self: 10ms}]}
  T.b()V: {do: [{self: `+times+`}]}
threads:
  - name: main
    stack: [T.run]
    do: [{loop: forever, do: [{call: T.a}, {call: T.b}]}]
`), "turns")
	if err != nil {
		t.Fatal(err)
	}
	truth, err := p.Truth(workload.Config{Seed: 1, Duration: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// TestConfirm: in the run of the sweep, b takes a tenth of the time of a, so any sampler orders
// them correctly. In other runs b takes 8.9 ms and a 10 ms. Samples every millisecond order them
// correctly, and samples every 20 ms by chance. So the advice is 20 ms for this run, and a shorter
// interval after other runs. The advice lists the other runs. When the traces that miss the goal
// amount to more than 0.3 runs, the mean over six runs cannot reach 95 %, and no further run is
// tried.
func TestConfirm(t *testing.T) {
	ideal, err := device.Open("ideal")
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Devices: []device.Device{ideal}, Intervals: []time.Duration{100 * time.Microsecond, 20 * time.Millisecond}, Phases: 12, Seed: 1, Goal: hottest}
	r, err := Run(context.Background(), turns(t, "1ms"), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if a := r.Advise()[0]; a.Best < 0 || a.Modes[a.Best].At.Interval != 20*time.Millisecond {
		t.Fatalf("advice %+v, want 20 ms", a)
	}
	opened := 0
	if err := r.Confirm(context.Background(), cfg, func(run int) (*trace.Recording, error) {
		opened++
		return turns(t, "8.9ms"), nil
	}); err != nil {
		t.Fatal(err)
	}
	a := r.Advise()[0]
	mode := a.Modes[0]
	if a.Best != 0 || mode.At.Interval != 100*time.Microsecond || mode.unconfirmed == nil || mode.unconfirmed.Interval != 20*time.Millisecond {
		t.Fatalf("advice %+v, want 100 µs, and 20 ms not confirmed", a)
	}
	if c := mode.At.confirmed; c == nil || !c.holds || c.runs != otherRuns || c.traces != otherRuns*FewerPhases || c.reaching != 1 {
		t.Errorf("%+v, want all of 72 traces of 6 runs", c)
	}
	if c := mode.unconfirmed.confirmed; c.holds || c.runs >= otherRuns || c.traces != c.runs*FewerPhases || float64(c.runs)*(1-c.reaching) <= 0.3 || opened != otherRuns+c.runs {
		t.Errorf("at 20 ms %+v after %d runs, want fewer than 6 runs, with 0.3 that miss the goal", c, opened)
	}
	s := a.Sentences()[0]
	if !strings.HasPrefix(s, "→ sample at 100 µs: correct order in 12 of 12 traces here, and in 72 of 72 traces of 6 validation runs, ") || !strings.Contains(s, "; at 20 ms it meets the goal only in 12 of 12 traces here, ") {
		t.Error(s)
	}
}

// TestConfirmInterrupted: if other runs are interrupted, the result states that its advice is not
// confirmed.
func TestConfirmInterrupted(t *testing.T) {
	ideal, err := device.Open("ideal")
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Devices: []device.Device{ideal}, Intervals: []time.Duration{20 * time.Millisecond}, Phases: 12, Seed: 1, Goal: hottest}
	r, err := Run(context.Background(), turns(t, "1ms"), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	err = r.Confirm(ctx, cfg, func(int) (*trace.Recording, error) {
		interrupt()
		return turns(t, "1ms"), nil
	})
	if err != nil || !r.Unconfirmed {
		t.Errorf("interrupted: %v, Unconfirmed %t", err, r.Unconfirmed)
	}
}
