package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/bench/internal/law"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
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

// TestPoissonLaws: the results of Poisson sampling of a real trace agree with the closed forms, and
// rows contain the closed forms.
func TestPoissonLaws(t *testing.T) {
	rec, events := tracetest.RealEvents(t, "instrumented-art-file.trace")
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

// TestPoissonLawsOfACollector: the closed forms of Poisson samplers hold with a garbage collector
// that runs a third of the time. If events counted at their delivery instead of their own time, the
// errors would be 7 to 246 standard errors.
func TestPoissonLawsOfACollector(t *testing.T) {
	for _, interval := range []time.Duration{300 * us, 2000 * us, 20000 * us} {
		r, err := Run(context.Background(), tracetest.Workload(t, "gc-storm", 2*time.Second), Config{Modes: []Mode{PoissonSampling}, Intervals: []time.Duration{interval}, Phases: 48})
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
			t.Errorf("interval %v: number of samples: closed form %v, measured %v", interval, row.Law[Samples], row.Mean[Samples])
		}
	}
}

// TestTwoLines: results agree with the closed forms of w10-two-lines to 3 %, 4 standard errors of a
// mean over 20000 exponential times. By method, all calls merge into one.
func TestTwoLines(t *testing.T) {
	curve := func(x float64) float64 { return (1 - math.Exp(-x)) / x }
	intervals := []time.Duration{500 * us, 2000 * us}
	result, err := Run(context.Background(), tracetest.Workload(t, "w10-two-lines", 20*time.Second), Config{
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
			t.Errorf("%s at %v: %.4f of the calls sampled, want %.4f", row.Mode, row.Interval, got, curve(y))
		}
		if a, ok := row.Against(CallRatio); row.Mode == "by-line" && (!ok || !a.OK()) {
			t.Errorf("by-line at %v: %+v, %t", row.Interval, a, ok)
		}
	}
	if len(result.Rows) != 3*len(intervals) {
		t.Errorf("%d rows", len(result.Rows))
	}
}

// TestByLineOfRecordedTruth: a recorded trace has no lines, so sampling by line equals sampling by
// method, and the closed forms are equal.
func TestByLineOfRecordedTruth(t *testing.T) {
	rec, events := tracetest.RealEvents(t, "instrumented-art-file.trace")
	rec.Events = trace.NewSliceReader(events)
	result, err := Run(context.Background(), rec, Config{
		// If samples cost time, there is no closed form for threads that wait.
		Intervals: []time.Duration{2000 * us}, Devices: devices(t, "ideal"), Phases: 3, Modes: []Mode{ARTSampling, byLineSampling},
	})
	if err != nil {
		t.Fatal(err)
	}
	sample, byLine := result.Rows[0], result.Rows[1]
	if sample.Mode == byLine.Mode || !equal(sample.Mean, byLine.Mean) || !equal(sample.Law, byLine.Law) {
		t.Errorf("%s and %s: means %v and %v, closed forms %v and %v", sample.Mode, byLine.Mode, sample.Mean, byLine.Mean, sample.Law, byLine.Law)
	}
	if math.IsNaN(byLine.Law[CallRatio]) {
		t.Error("no closed form for by-line")
	}
}

// TestLaws: rows agree with their closed forms, also with random overshoot and many threads.
func TestLaws(t *testing.T) {
	testdata.Seldom(t, 4)
	checked := 0
	apps := testdata.SomeUnlessNamed(t, []string{"w1-single-call", "w3-on-off", "w6-random-tree", "w8-threads-8"}, 2)
	for _, name := range apps {
		r, err := Run(context.Background(), tracetest.Workload(t, name, time.Second), Config{
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
		t.Errorf("only %d values have a closed form", checked)
	}
}

// TestNoClosedFormsWithGC: a truth with garbage collections has no closed forms, because samples
// wait for collections, which the closed forms do not include.
func TestNoClosedFormsWithGC(t *testing.T) {
	r, err := Run(context.Background(), tracetest.Workload(t, "gc-storm", time.Second), Config{
		Devices: devices(t, "A"), Modes: []Mode{ARTSampling}, Intervals: []time.Duration{1000 * us},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Measures() {
		if a, ok := r.Rows[0].Against(m); ok {
			t.Errorf("%s has a closed form: %+v", m.Key(), a)
		}
	}
}

// TestAgreement: phases with equal results have no z-score if they agree with the closed form
// within the resolution of the phases, and a finite one otherwise.
func TestAgreement(t *testing.T) {
	for _, test := range []struct {
		name           string
		measured       law.Estimate
		expected       float64
		law, tolerance float64
		z              float64 // NaN: none
		ok             bool
	}{
		// 100 calls: half a call in one of four phases is 1/800.
		{"agrees", law.Estimate{Value: 0.5}, 200, 0.5, 1./800 + 5e-7, math.NaN(), true},
		{"as far as phases tell", law.Estimate{Value: 0.5}, 200, 0.501, 1./800 + 5.01e-7, math.NaN(), true},
		{"is off", law.Estimate{Value: 0.5}, 200, 0.6, 1./800 + 6e-7, -0.1 / (1./800 + 6e-7), true},
		{"too few to tell", law.Estimate{Value: 0}, 29, 0.0725, 0, 0, false},
		// t = (0.5 - 0.501)/0.005 = -0.2 with two degrees of freedom. The tail beyond it is ½·(1 −
		// 0.2/√2.04) = 0.42998, like the tail beyond -0.17641 of a normal distribution.
		{"spread", law.Estimate{Value: 0.5, StdErr: 0.005, Freedom: 2}, 200, 0.501, 5.01e-7, -0.17641, true},
	} {
		row := Row{Cells: 4, Law: noScores()}
		row.Law[CallRatio], row.measured[CallRatio], row.counts[CallRatio] = test.law, test.measured, counted{test.expected, 0.01}
		a, ok := row.Against(CallRatio)
		switch {
		case ok != test.ok:
			t.Errorf("%s: agreement exists: %t", test.name, ok)
		case !ok:
		case math.Abs(a.Tolerance-test.tolerance) > 1e-15 || math.IsNaN(a.Z) != math.IsNaN(test.z) || math.Abs(a.Z-test.z) > 1e-5*math.Abs(test.z):
			t.Errorf("%s: %+v; want tolerance %g, z %g", test.name, a, test.tolerance, test.z)
		}
	}
}

// TestRatioOfMeans computes a ratio of means by hand: the ratio of 2, 4, 6 to 1, 1, 4 is 2. The
// residuals a − 2b are 0, 2, −2; divided by the mean 2 of b they are 0, 1, −1. Their successive
// differences are 1 and −2, so SE² = 5/12.
func TestRatioOfMeans(t *testing.T) {
	e := ratioOfMeans([]float64{2, 4, 6}, []float64{1, 1, 4})
	if e.Value != 2 || math.Abs(e.StdErr-math.Sqrt(5./12)) > 1e-15 {
		t.Errorf("%+v", e)
	}
}

// TestZScores checks z-scores of rows over workloads and intervals from far below to far above the
// durations of calls. They have a normal distribution: their root mean square is near 1 (it would
// be 0.65 if phases counted as independent), and the largest of a row, adjusted by Worst, is within
// 2 in 95 % of the rows. None is infinite, even if the interval exceeds the truth.
func TestZScores(t *testing.T) {
	var squares float64
	n, rows, far := 0, 0, 0
	for _, name := range []string{"w1-single-call", "w3-on-off", "w6-random-tree", "w8-threads-8"} {
		r, err := Run(context.Background(), tracetest.Workload(t, name, 300*time.Millisecond), Config{
			Devices: devices(t, "A"), Modes: []Mode{ARTSampling, PoissonSampling},
			Intervals: []time.Duration{200 * us, 1000 * us, 5000 * us, time.Second},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Rows {
			if z, exact, ok := row.Worst(); ok && !exact {
				if rows++; math.Abs(z) > 2 {
					far++
				}
			}
			for _, m := range Measures() {
				a, ok := row.Against(m)
				if !ok || math.IsNaN(a.Z) {
					continue
				}
				if math.Abs(a.Z) > law.MaxZ {
					t.Errorf("%s, %s %s %v, %s: %+v", name, row.Mode, row.Device, row.Interval, m.Key(), a)
				}
				t.Logf("%s, %s %s %v, %s: z %.2f", name, row.Mode, row.Device, row.Interval, m.Key(), a.Z)
				squares += a.Z * a.Z
				n++
			}
		}
	}
	// If all closed forms are exact, 5 % of the rows are beyond 2 on average, and more than 15 %
	// with a probability of 1 %.
	if rows < 16 || 100*far > 15*rows {
		t.Errorf("of %d rows %d are more than 2 off", rows, far)
	}
	t.Logf("of %d rows %d are more than 2 off", rows, far)
	if rms := math.Sqrt(squares / float64(n)); n < 60 || rms < 0.8 || rms > 1.25 {
		t.Errorf("the root mean square of %d z-scores is %.2f", n, rms)
	}
}
