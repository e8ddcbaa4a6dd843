package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/bench/law"
	"artifice/fixtures/truths"
)

// TestAgreement: phases that all come to the same have no z-score where they are as
// near to the law as phases can tell, and a finite one where they are not.
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
		// t = (0.5 - 0.501)/0.005 = -0.2, of two degrees of freedom, beyond which is
		// ½·(1 − 0.2/√2.04) = 0.42998, as beyond -0.17641 of a normal distribution.
		{"spread", law.Estimate{Value: 0.5, StdErr: 0.005, Freedom: 2}, 200, 0.501, 5.01e-7, -0.17641, true},
	} {
		row := Row{Cells: 4, Law: noScores()}
		row.Law[CallRatio], row.measured[CallRatio], row.counts[CallRatio] = test.law, test.measured, counted{test.expected, 0.01}
		a, ok := row.Against(CallRatio)
		switch {
		case ok != test.ok:
			t.Errorf("%s: there is one: %t", test.name, ok)
		case !ok:
		case math.Abs(a.Tolerance-test.tolerance) > 1e-15 || math.IsNaN(a.Z) != math.IsNaN(test.z) || math.Abs(a.Z-test.z) > 1e-5*math.Abs(test.z):
			t.Errorf("%s: %+v; want tolerance %g, z %g", test.name, a, test.tolerance, test.z)
		}
	}
}

// TestRatioOfMeans: by hand. Of 2, 4, 6 over 1, 1, 4 the ratio is 2; the residuals
// a − 2b are 0, 2, −2, over the mean 2 of b: 0, 1, −1; differences 1 and −2, so
// SE² = 5/12.
func TestRatioOfMeans(t *testing.T) {
	e := ratioOfMeans([]float64{2, 4, 6}, []float64{1, 1, 4})
	if e.Value != 2 || math.Abs(e.StdErr-math.Sqrt(5./12)) > 1e-15 {
		t.Errorf("%+v", e)
	}
}

// TestZScores: over workloads and intervals from far below to far above what calls
// take, the z-scores of rows are those of a normal distribution: their root mean
// square is near 1, where phases taken as independent gave 0.65, and the largest of a row, as Worst has it, is within 2 in 95 %. None is infinite,
// also where the interval exceeds the truth.
func TestZScores(t *testing.T) {
	var squares float64
	n, rows, far := 0, 0, 0
	for _, name := range []string{"w1-single-call", "w3-on-off", "w6-random-tree", "w8-threads-8"} {
		r, err := Run(context.Background(), truths.Workload(t, name, 300*time.Millisecond), Config{
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
	// Of so many true laws 5 % are beyond 2, and more than 15 % once in a hundred tests.
	if rows < 16 || 100*far > 15*rows {
		t.Errorf("of %d rows %d are more than 2 off", rows, far)
	}
	t.Logf("of %d rows %d are more than 2 off", rows, far)
	if rms := math.Sqrt(squares / float64(n)); n < 60 || rms < 0.8 || rms > 1.25 {
		t.Errorf("the root mean square of %d z-scores is %.2f", n, rms)
	}
}
