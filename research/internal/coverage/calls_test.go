package coverage

import (
	"math"
	"testing"

	"artifice/report/estimate"
)

// exponential returns the number of runs in samples of calls of exponential length, with x = T/tau,
// at 1, 2, 3 and 4 times the interval: calls × (1 − e^−kx)/kx (workload w3-on-off states the law).
func exponential(calls, x float64) (begins [4]float64) {
	for i := range begins {
		kx := float64(i+1) * x
		begins[i] = calls * (1 - math.Exp(-kx)) / kx
	}
	return begins
}

// TestFollowBack checks the interval of the number of calls. Of 1000 calls at x = 1/2, 787 runs are
// sampled, and a share e^−x = 0.6065 of neighbouring samples is in the same call. 1.5 × 1.96
// standard deviations of that share, √(0.6065 × 0.3935/786.9) = 0.0174 each, are 0.0512, and
// calls(0.6065 ± 0.0512) are 963.3 and 1040.9; the counting error of the runs adds 1.96 √786.9 =
// 55.0.
func TestFollowBack(t *testing.T) {
	low, high, ok := followBack(exponential(1000, 0.5))
	if !ok || math.Abs(low-908.3) > 0.1 || math.Abs(high-1095.9) > 0.1 {
		t.Errorf("%.2f to %.2f, %v; want 908.3 to 1095.9", low, high, ok)
	}
	bent := exponential(1000, 0.5) // 24 more runs at 4 T: 4 × 24/786.9 = 0.12 off the form
	bent[3] += 24
	for name, begins := range map[string][4]float64{
		"fewer than 200 runs":                   exponential(250, 0.5), // 197
		"e^-x below 0.4":                        exponential(1000, 1),  // 0.37
		"no thinning loses any":                 {500, 500, 500, 500},
		"the thinnings are not exponential":     bent,
		"each thinning loses in proportion":     {500, 250, 500. / 3, 125}, // e^-x is 0
		"a context, whose begins are not known": {},
	} {
		if low, high, ok := followBack(begins); ok {
			t.Errorf("%s: %.0f to %.0f, want no claim", name, low, high)
		}
	}
}

// TestCallRows checks the rows for two phases. Five of six reported numbers are at most the true
// number, and one of three intervals by thinning contains it.
func TestCallRows(t *testing.T) {
	begins := exponential(1000, 0.5)
	says := func(subject int, reported int64, begins [4]float64, inStep bool) claims {
		c := claims{subject: subject, calls: estimate.Calls{Reported: reported, Begins: begins}}
		if inStep {
			c.inclusive.Cycle = &estimate.Cycle{}
		}
		return c
	}
	calls := []int64{10, 3, 1000, 2000}
	bound, thinned := Row{}, Row{}
	for i, row := range callRows(&truth{calls: calls, outermost: calls}, [][]claims{
		{
			says(0, 4, [4]float64{4, 4, 4, 4}, false),
			says(1, 0, [4]float64{}, false), // never sampled: no claim
			says(2, 787, begins, false),
			says(3, 787, begins, false), // thinning claims 908 to 1096 of 2000
		},
		{
			says(0, 12, [4]float64{12, 12, 12, 12}, false), // more than the true number
			says(2, 787, begins, true),                     // aliased with the sampling interval: thinning makes no claim
			says(3, 787, begins, false),
		},
	}) {
		*[]*Row{&bound, &thinned}[i] = row
	}
	check := func(name string, r Row, rule Rule, claims int, coverage, stdErr float64) {
		t.Helper()
		if r.Time != Calls || r.Rule != rule || r.Methods != 3 || r.Claims != claims || math.Abs(r.Coverage-coverage) > 1e-9 || math.Abs(r.StdErr-stdErr) > 1e-9 {
			t.Errorf("%s: %+v, want %d claims of 3 methods, coverage %v ± %v", name, r, claims, coverage, stdErr)
		}
	}
	// Phases of 3/3 and 2/3, and of 1/2 and 0/1: the deviation of two shares that
	// differ by d is d/√2, and the error of their mean d/2.
	check("bound", bound, AtLeast, 6, 5./6, 1./6)
	check("thinned", thinned, Thinned, 3, 1./3, 1./4)
	if want := (4. + 787 + 787 + 12 + 787 + 787) / (10 + 1000 + 2000 + 10 + 1000 + 2000); math.Abs(bound.Width[1]-want) > 1e-9 {
		t.Errorf("%v of the calls are reported, want %v", bound.Width[1], want)
	}
}
