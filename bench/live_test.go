package bench

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"artifice/instrument"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// runLiveOf sweeps a program, with separate runs for its tracers or one truth for all.
func runLiveOf(t *testing.T, p *workload.Program, cfg Config, length time.Duration, live bool) *Result {
	t.Helper()
	truth, err := p.Truth(workload.Config{Seed: 1, Duration: length})
	if err != nil {
		t.Fatal(err)
	}
	if live {
		cfg.Live = p.Runs(1)
	}
	cfg.CPU = true
	r, err := Run(context.Background(), truth, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLiveOnOneCore: two threads that always run share one core. Each call of 1 ms has two events
// of 10 us, so the work of both threads is 2 % later. It would be 1 % if a thread were delayed by
// its own events only. The run would be shorter if it ended with the first thread that finishes.
func TestLiveOnOneCore(t *testing.T) {
	p, err := workload.ReadYAML(strings.NewReader(`
name: two
duration: 1s
cores: [{count: 1}]
slice: 100us
methods:
  a.A.run()V: {do: [{self: 1ms}]}
threads:
  - {name: "t%d", count: 2, do: [{loop: forever, do: [{call: a.A.run}]}]}
`), "two.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := device.Device{Name: "slow", Instrumented: instrument.Cost{WallRead: 10 * time.Microsecond}}
	r := runLiveOf(t, p, Config{Modes: []Mode{InstrumentedDual}, Devices: []device.Device{d}}, time.Second, true)
	row := r.Rows[0].Mean
	for m, want := range map[Measure]float64{Slowdown: 1.02, CPUOverhead: 0.02, WaitingRatio: 1.02, CPUTimeRatio: 1.02, CallRecall: 1} {
		if math.Abs(row[m]-want) > 2e-4 { // a slice is 1e-4 of the run
			t.Errorf("%s is %v, should be %v", m.Key(), row[m], want)
		}
	}
	if !math.IsNaN(r.Rows[0].Law[Slowdown]) {
		t.Error("a closed form exists")
	}
}

// TestLiveWithoutCost: a tracer without cost records the same trace in its own run as on the truth.
// Only a run of its own measures the whole overhead.
func TestLiveWithoutCost(t *testing.T) {
	for _, name := range []string{"pipeline", "convoy" /* threads with cores of their own: a sampling thread needs none */} {
		p := workload.Must(workload.ByName(name))
		cfg := Config{Modes: []Mode{ARTSampling, InstrumentedDual, endMidSampling}, Intervals: []time.Duration{2 * time.Millisecond}, Phases: 2}
		for _, mode := range []string{"simpleperf", "jfr", "btrace3"} {
			m, _ := ModeByName(mode)
			cfg.Modes = append(cfg.Modes, m)
		}
		one, own := runLiveOf(t, p, cfg, 200*time.Millisecond, false), runLiveOf(t, p, cfg, 200*time.Millisecond, true)
		for i, c := range one.Cells {
			for m, want := range c.Scores {
				got := own.Cells[i].Scores[m]
				if math.IsNaN(want) && (Measure(m) == WaitingRatio || Measure(m) == FramesLate || Measure(m) == FramesLateBy) {
					continue
				}
				if math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
					t.Errorf("%s, %s: %s is %v in a run of its own, %v on the truth", name, c.Mode, Measure(m).Key(), got, want)
				}
			}
		}
	}
}

// TestLiveInterrupted: a sweep that is interrupted while tracers have their own runs has no result,
// and the error states the reason.
func TestLiveInterrupted(t *testing.T) {
	p := workload.Must(workload.ByName("pipeline"))
	truth, err := p.Truth(workload.Config{Duration: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	live := p.Runs(0)
	_, err = Run(ctx, truth, Config{Live: func(run int, length time.Duration) (*trace.Recording, error) {
		stop()
		return live(run, length)
	}})
	if err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
}
