package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/fixtures/truths"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/tracer/device"
)

const us = time.Microsecond

// devices returns built-in devices by name.
func devices(t testing.TB, names ...string) (list []device.Device) {
	t.Helper()
	for _, name := range names {
		d, err := device.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// TestPoissonLaws: what the control sees of a real trace's calls is what the laws
// say, and they say it.
func TestPoissonLaws(t *testing.T) {
	rec, events := truths.RealEvents(t, "instrumented-art-file.trace")
	for _, interval := range []time.Duration{100 * us, 1000 * us, 20000 * us} {
		rec.Events = trace.NewSliceReader(events)
		r, err := Run(context.Background(), rec, Config{Modes: []Mode{PoissonSampling}, Intervals: []time.Duration{interval}, Phases: 48})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Rows[0]
		for _, m := range []Measure{Samples, CallRecall, CallRatio, MergeFactor} {
			if a, ok := row.Against(m); !ok || !a.OK() {
				t.Errorf("interval %v, %s: %+v, %t", interval, m.Key(), a, ok)
			}
		}
	}
}

// TestPoissonLawsOfACollector: the laws of Poisson samplers hold beside a
// collector that runs a third of the time. Were events to count when they come,
// the laws would be 7 to 246 standard errors off.
func TestPoissonLawsOfACollector(t *testing.T) {
	for _, interval := range []time.Duration{300 * us, 2000 * us, 20000 * us} {
		r, err := Run(context.Background(), truths.Workload(t, "gc-storm", 2*time.Second), Config{Modes: []Mode{PoissonSampling}, Intervals: []time.Duration{interval}, Phases: 48})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Rows[0]
		for _, m := range []Measure{CallRecall, CallRatio, MergeFactor} {
			if a, ok := row.Against(m); !ok || !a.OK() {
				t.Errorf("interval %v, %s: %+v, %t", interval, m.Key(), a, ok)
			}
		}
		if !math.IsNaN(row.Law[Samples]) {
			t.Errorf("interval %v: a law of samples: %v, measured %v", interval, row.Law[Samples], row.Mean[Samples])
		}
	}
}

// TestTwoLines: the closed forms of w10-two-lines, to 3 %: 4 standard errors of
// a mean over 20000 exponential times. By method all calls are one.
func TestTwoLines(t *testing.T) {
	curve := func(x float64) float64 { return (1 - math.Exp(-x)) / x }
	intervals := []time.Duration{500 * us, 2000 * us}
	result, err := Run(context.Background(), truths.Workload(t, "w10-two-lines", 20*time.Second), Config{
		Intervals: intervals, Devices: devices(t, "ideal"), Phases: 8, Modes: []Mode{ARTSampling, byLineSampling, byCallSampling},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range result.Rows {
		y := row.Interval.Seconds() / 1e-3
		want := map[string]float64{"sample": 0, "by-line": curve(2 * y), "by-call": curve(y)}[row.Mode]
		if got := row.Mean[CallRatio]; math.Abs(got-want) > max(0.03*want, 1e-3) {
			t.Errorf("%s at %v: %.4f of the calls reported, want %.4f", row.Mode, row.Interval, got, want)
		}
		if got := row.Mean[CallRecall]; math.Abs(got-curve(y)) > 0.03*curve(y) {
			t.Errorf("%s at %v: %.4f of the calls seen, want %.4f", row.Mode, row.Interval, got, curve(y))
		}
		if a, ok := row.Against(CallRatio); row.Mode == "by-line" && (!ok || !a.OK()) {
			t.Errorf("by-line at %v: %+v, %t", row.Interval, a, ok)
		}
	}
	if len(result.Rows) != 3*len(intervals) {
		t.Errorf("%d rows", len(result.Rows))
	}
}

// TestByLineOfRecordedTruth: a recorded trace has no lines, so it is sampled as by
// method, and the law says the same.
func TestByLineOfRecordedTruth(t *testing.T) {
	rec, events := truths.RealEvents(t, "instrumented-art-file.trace")
	rec.Events = trace.NewSliceReader(events)
	result, err := Run(context.Background(), rec, Config{
		Intervals: []time.Duration{2000 * us}, Devices: devices(t, "ideal"), Phases: 3, Modes: []Mode{ARTSampling, byLineSampling}, // where samples cost time there is no law of threads that wait
	})
	if err != nil {
		t.Fatal(err)
	}
	sample, byLine := result.Rows[0], result.Rows[1]
	if sample.Mode == byLine.Mode || !equal(sample.Mean, byLine.Mean) || !equal(sample.Law, byLine.Law) {
		t.Errorf("%s and %s: means %v and %v, laws %v and %v", sample.Mode, byLine.Mode, sample.Mean, byLine.Mean, sample.Law, byLine.Law)
	}
	if math.IsNaN(byLine.Law[CallRatio]) {
		t.Error("no law for by-line")
	}
}

// TestLaws: rows agree with the closed forms beside them, also where sleeps
// overshoot at random and threads are many.
func TestLaws(t *testing.T) {
	checked := 0
	apps := testdata.SomeUnlessNamed(t, []string{"w1-single-call", "w3-on-off", "w6-random-tree", "w8-threads-8"}, 2)
	for _, name := range apps {
		r, err := Run(context.Background(), truths.Workload(t, name, time.Second), Config{
			Devices:   devices(t, "ideal", "A"),
			Modes:     []Mode{ARTSampling, PoissonSampling, byCallSampling},
			Intervals: []time.Duration{400 * us, 7000 * us},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Rows {
			for _, m := range Measures() {
				if a, ok := row.Against(m); ok {
					checked++
					if !a.OK() {
						t.Errorf("%s, %s %s %v, %s: %+v", name, row.Mode, row.Device, row.Interval, m.Key(), a)
					}
				}
			}
		}
	}
	if checked < 35*len(apps) {
		t.Errorf("only %d values had a law", checked)
	}
}

// TestNoLawsOfACollector: samples wait while the garbage collector runs, which
// the closed forms do not know, so beside such a truth there are none.
func TestNoLawsOfACollector(t *testing.T) {
	r, err := Run(context.Background(), truths.Workload(t, "gc-storm", time.Second), Config{
		Devices: devices(t, "A"), Modes: []Mode{ARTSampling}, Intervals: []time.Duration{1000 * us},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Measures() {
		if a, ok := r.Rows[0].Against(m); ok {
			t.Errorf("%s has a law: %+v", m.Key(), a)
		}
	}
}
