package law

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestNormal checks that the table is off by at most 2e-11 everywhere, and always between 0 and 1.
func TestNormal(t *testing.T) {
	for z := -10.; z <= 10; z += 0.00037 {
		if got, want := normal().cdf(z), distuv.UnitNormal.CDF(z); math.Abs(got-want) > 2e-11 || got < 0 || got > 1 {
			t.Fatalf("cdf(%v) = %v, want %v", z, got, want)
		}
	}
	for z, want := range map[float64]float64{math.Inf(-1): 0, -certain: 0, 0: 0.5, certain: 1, math.Inf(1): 1} {
		if got := normal().cdf(z); math.Abs(got-want) > 2e-12 {
			t.Errorf("cdf(%v) = %v, want %v", z, got, want)
		}
	}
}
