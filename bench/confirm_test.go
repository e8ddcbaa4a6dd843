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

// TestSurelyReached: over six runs, the mean share minus t(0.9; 5) = 1.475884 standard errors (a
// table of Student's distribution) must be 95 %. If one run has a twelfth less: mean 0.98611,
// deviation 0.03402, error 0.01389, so 0.9656. If two runs have a sixth less: mean 0.94444. If one
// run has a quarter less: mean 0.95833, error 0.04167, so 0.8968. A single run has no error.
func TestSurelyReached(t *testing.T) {
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

// turns is an app with two methods that alternate. In the truth of a run, one method takes a
// multiple of the other's time.
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

// TestConfirm: in the sweep's run b takes a tenth of the time of a, so any sampler orders them
// correctly. In other runs it takes 8.9 ms to 10 (1.12 times): samples every millisecond show that,
// and samples every 20 ms hit one or the other by chance. So 20 ms are advised for this run, and a
// shorter interval once other runs were tried; the advice lists them. Once the traces of more than
// 0.3 runs have missed the goal, the mean over six runs cannot be 95 %, and no more are tried.
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
		t.Fatalf("%+v; want every 20 ms", a)
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
		t.Fatalf("%+v; want every 100 µs, and 20 ms not confirmed", a)
	}
	if c := mode.At.confirmed; c == nil || !c.holds || c.runs != otherRuns || c.traces != otherRuns*FewerPhases || c.reaching != 1 {
		t.Errorf("%+v; want all of 72 traces of 6 runs", c)
	}
	if c := mode.unconfirmed.confirmed; c.holds || c.runs >= otherRuns || c.traces != c.runs*FewerPhases || float64(c.runs)*(1-c.reaching) <= 0.3 || opened != otherRuns+c.runs {
		t.Errorf("at 20 ms %+v after %d runs; want fewer than 6, of which 0.3 miss the goal", c, opened)
	}
	s := a.Sentences()[0]
	if !strings.HasPrefix(s, "→ sample at 100 µs: correct order in 12 of 12 traces here, 72 of 72 in 6 validation runs, ") || !strings.Contains(s, "; at 20 ms only in 12 of 12 traces here, ") {
		t.Error(s)
	}
}

// TestConfirmInterrupted: a result states that the trials of its advice in other runs were
// interrupted.
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
