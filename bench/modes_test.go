package bench

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestInstrumentedCost: with c per event and λ calls per second, the slowdown is 1 + 2cλ. Both
// events of every call are written, and no call is missed.
func TestInstrumentedCost(t *testing.T) {
	r, err := Run(context.Background(), tracetest.Workload(t, "w8-threads-1", time.Second), Config{Devices: devices(t, "ideal", "char2"), Modes: []Mode{InstrumentedDual}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || r.Rows[0].Cells != 1 || r.Rows[0].Interval != 0 {
		t.Fatalf("rows %+v", r.Rows)
	}
	ideal, char2 := r.Rows[0].Mean, r.Rows[1].Mean
	if ideal[CallRatio] != 1 || ideal[CallRecall] != 1 || ideal[MethodRecall] != 1 || math.Abs(ideal[Overlap]-1) > 1e-9 || ideal[Slowdown] != 1 || ideal[Timeline] != 1 || ideal[TimelineDepth] != 1 {
		t.Errorf("without cost: calls %v, methods %v, overlap %v, slowdown %v", ideal[CallRatio], ideal[MethodRecall], ideal[Overlap], ideal[Slowdown])
	}
	// 2 µs an event: 1371 ns of clock and 629 ns of hook.
	want := 1 + 2*2e-6*float64(r.Truth.Calls)/r.Truth.Length.Seconds()
	if math.Abs(char2[Slowdown]/want-1) > 0.001 {
		t.Errorf("slowdown %v, 1 + 2cλ = %v", char2[Slowdown], want)
	}
	// The timeline is in app time, so overhead does not extend it.
	if char2[Timeline] != 1 || char2[TimelineDepth] != 1 {
		t.Errorf("timeline %v, by depth %v, want 1", char2[Timeline], char2[TimelineDepth])
	}
}

// TestLongRunning: of calls of 100 ms and 1 s, only the long ones are recorded, but all have a
// cost.
func TestLongRunning(t *testing.T) {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 20 * time.Second}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{Name: "main"})
	rec.Symbols.AddMethod(trace.Method{Name: "short"})
	rec.Symbols.AddMethod(trace.Method{Name: "long"})
	var events []trace.Event
	at := time.Duration(0)
	for range 10 {
		for m, d := range []time.Duration{100 * time.Millisecond, time.Second} {
			events = append(events, trace.Event{Wall: at, CPU: at, Method: trace.MethodID(m)}, trace.Event{Wall: at + d, CPU: at + d, Method: trace.MethodID(m), Action: trace.Exit})
			at += d
		}
	}
	rec.Events = trace.NewSliceReader(events)
	r, err := Run(context.Background(), rec, Config{Devices: devices(t, "A"), Modes: []Mode{longRunning}})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Rows[0].Mean
	if s[CallRatio] != 0.5 || s[MethodRecall] != 0.5 {
		t.Errorf("calls %v, methods %v, want half of each", s[CallRatio], s[MethodRecall])
	}
	// The 20 s consist of 10 short calls of 0.1 s, 10 long calls of 1 s, and 9 s without calls.
	if math.Abs(s[Timeline]-0.95) > 1e-12 || math.Abs(s[TimelineDepth]-10./11) > 1e-12 {
		t.Errorf("timeline %v, by depth %v, want 0.95 and 10/11", s[Timeline], s[TimelineDepth])
	}
	if want := 1 + 40*200e-9/20; math.Abs(s[Slowdown]-want) > 1e-12 { // 200 ns an event on device A
		t.Errorf("slowdown %v, want %v", s[Slowdown], want)
	}
}

// TestCPUErrorsOnRequest: errors of CPU time are computed on request only, and not for tracers
// without a CPU clock. They are 0 for a tracer that records every call without cost, if every
// running thread makes calls. A trace of calls does not contain threads without calls, such as that
// of the garbage collector.
func TestCPUErrorsOnRequest(t *testing.T) {
	run := func(cpu bool) map[string]Scores {
		r, err := Run(context.Background(), tracetest.Workload(t, "mid-program", 300*time.Millisecond), Config{
			Modes: []Mode{ARTSampling, endMidSampling, byCallSampling, InstrumentedDual, InstrumentedWall}, Intervals: []time.Duration{time.Millisecond}, Phases: 3, LadderAt: time.Millisecond, CPU: cpu,
		})
		if err != nil {
			t.Fatal(err)
		}
		means := map[string]Scores{}
		for _, row := range r.Rows {
			means[row.Mode] = row.Mean
		}
		return means
	}
	for mode, s := range run(false) {
		if !math.IsNaN(s[ExclusiveCPUError]) {
			t.Errorf("%s: CPU error %v without a request", mode, s[ExclusiveCPUError])
		}
	}
	requested := run(true)
	for _, mode := range []string{"sample", "end-mid", "by-call", "+ tail"} {
		if e := requested[mode][ExclusiveCPUError]; !(e > 0 && e < 1) {
			t.Errorf("%s: CPU error %v", mode, e)
		}
	}
	for _, mode := range []string{"instrument-wall", "re-sampled", "rounded up", "count x T"} {
		if e := requested[mode][ExclusiveCPUError]; !math.IsNaN(e) {
			t.Errorf("%s: CPU error %v without a CPU clock", mode, e)
		}
	}
	for _, m := range []Measure{ExclusiveCPUError, InclusiveCPUError, InclusiveCPUBias} {
		if e := requested["instrument-dual"][m]; math.Abs(e) > 1e-9 {
			t.Errorf("%s is %v for a recording of every call without cost, want 0", m.Key(), e)
		}
	}
}

// TestDefaults: without settings, ART's sampler runs at the default intervals on the ideal device.
func TestDefaults(t *testing.T) {
	cfg, err := Config{}.filled(tracetest.Workload(t, "w1-single-call", time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(cfg.Intervals, DefaultIntervals) || cfg.requested || len(cfg.Devices) != 1 || cfg.Devices[0].Name != "ideal" || len(cfg.Modes) != 1 || cfg.Modes[0].Name != ARTSampling.Name {
		t.Errorf("intervals %v, devices %v, modes %v", cfg.Intervals, cfg.Devices, cfg.Modes)
	}
	if cfg, err = (Config{Intervals: DefaultIntervals[:1]}).filled(tracetest.Workload(t, "w1-single-call", time.Second)); err != nil || len(cfg.Intervals) != 1 || !cfg.requested {
		t.Errorf("a requested interval: %v, requested %v, error %v", cfg.Intervals, cfg.requested, err)
	}
}
