package bench

import (
	"math"
	"testing"
)

// TestZWithoutSpread: cells that differ by rounding alone have no standard error,
// so a law that is off by its edge terms has no z-score rather than a huge one.
// One that is far off is infinitely far.
func TestZWithoutSpread(t *testing.T) {
	for _, test := range []struct {
		name     string
		mean, sd float64
		law      float64
		z        float64
		hasZ     bool
	}{
		{"agrees", 0.5, 1e-16, 0.5, 0, true},
		{"edge", 0.5, 1e-16, 0.5001, 0, false},
		{"far", 0.5, 0, 0.6, math.Inf(-1), true},
		// t = (0.5 - 0.5001 + 1e-6*0.5001) / (0.001/sqrt(4)) = -0.199. With three
		// degrees of freedom ½ - (t/√3/(1 + t²/3) + atan(t/√3))/π, 0.4275, lies beyond,
		// as beyond -0.18276 of a normal distribution.
		{"spread", 0.5, 1e-3, 0.5001, -0.1827598486, true},
	} {
		row := Row{Cells: 4, Law: noScores()}
		row.Mean[CallRatio], row.StdDev[CallRatio], row.Law[CallRatio] = test.mean, test.sd, test.law
		z, ok := row.Z(CallRatio)
		if ok != test.hasZ || ok && z != test.z && math.Abs(z-test.z) > 1e-9 {
			t.Errorf("%s: z %g, %t; want %g, %t", test.name, z, ok, test.z, test.hasZ)
		}
	}
}
