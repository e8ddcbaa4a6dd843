package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestNormalScore checks critical values of Student's t for 23 degrees of freedom and for ∞, the
// normal distribution. They are from the NIST/SEMATECH e-Handbook of Statistical Methods
// (1.3.6.7.2).
func TestNormalScore(t *testing.T) {
	var rows []row
	for _, c := range []struct{ tail, t, z float64 }{
		{0.10, 1.319, 1.282}, {0.05, 1.714, 1.645}, {0.025, 2.069, 1.960}, {0.01, 2.500, 2.326}, {0.005, 2.807, 2.576}, {0.001, 3.485, 3.090},
	} {
		rows = append(rows, row{fmt.Sprintf("tail of %g", c.tail), normalScore(c.t, 23), c.z, 2e-3}) // t is rounded, too
	}
	checkRows(t, append(rows, row{"the example", normalScore(4, 23), 3.45, 0.01}))
}

// TestNormalScoreClosedForms checks one and two degrees of freedom, where Student's tail is
// atan(1/t)/π and ½·(1 − t/√(2 + t²)).
func TestNormalScoreClosedForms(t *testing.T) {
	for x := 1e-3; x < 1e150; x *= 1.7 {
		one := math.Atan(1/x) / math.Pi
		u := math.Hypot(x, math.Sqrt2)
		two := 1 / u / (u + x)
		for freedom, p := range map[float64]float64{1: one, 2: two} {
			z := normalScore(x, freedom)
			if got := math.Erfc(z/math.Sqrt2) / 2; math.Abs(got-p) > 1e-8*p {
				t.Errorf("t %g, %g degrees of freedom: tail beyond z %v is %g, want %g, the tail beyond t", x, freedom, z, got, p)
			}
		}
	}
}

// TestNormalScoreFar checks extreme values, with tails down to e^-20000. The expected values are
// from mpmath with 40 digits.
func TestNormalScoreFar(t *testing.T) {
	for _, c := range []struct {
		t       float64
		freedom float64
		want    float64
	}{
		{1e12, 23, 34.5684867436}, {1e100, 23, 102.536196854}, {1e300, 1, 37.0779603119}, {100, 399, 36.0516400291}, {1000, 3999, 148.645783352},
	} {
		if got := normalScore(c.t, c.freedom); math.Abs(got-c.want) > 1e-10*c.want {
			t.Errorf("t %g, %g degrees of freedom: %.13g, want %.13g", c.t, c.freedom, got, c.want)
		}
	}
}

// TestNormalScoreRises checks that the score never decreases as t increases, including where the
// method of computation changes. The score is odd, closer to 0 than t, and equal to t at 0 and ±∞.
func TestNormalScoreRises(t *testing.T) {
	for _, freedom := range []float64{1, 4, 15.6, 23, 199, 3999, 99999} {
		before := 0.
		for x := 1e-3; x < 1e300; x *= 1.03 {
			z := normalScore(x, freedom)
			if z < before || z > x*(1+1e-6) { // the beta function is less precise for 99999
				t.Fatalf("%g degrees of freedom: t %v has z %v, after z %v", freedom, x, z, before)
			}
			if normalScore(-x, freedom) != -z {
				t.Fatalf("%g degrees of freedom: z of %v is not −z of %v", freedom, -x, x)
			}
			before = z
		}
		for _, x := range []float64{0, math.Inf(1), math.Inf(-1)} {
			if z := normalScore(x, freedom); z != x {
				t.Errorf("%g degrees of freedom: z of %v is %v, want %v", freedom, x, z, x)
			}
		}
	}
}

// TestZScoreDegreesOfFreedom checks that a standard error with 23 degrees of freedom uses Student's
// t, and a known standard error the normal distribution.
func TestZScoreDegreesOfFreedom(t *testing.T) {
	for _, c := range []struct {
		m    Estimate
		want float64
	}{
		{Estimate{Value: 9, StdErr: 2}, 4},
		{Estimate{Value: 9, StdErr: 2, Freedom: 23}, 3.45},
		{Estimate{Value: -7, StdErr: 2, Freedom: 23}, -3.45},
		{Estimate{Value: 1, StdErr: 2, Freedom: 23}, 0},
	} {
		if got := ZScore(c.m, 1); math.Abs(got-c.want) > 0.005 {
			t.Errorf("ZScore(%+v, 1) = %v, want %v", c.m, got, c.want)
		}
	}
}

// TestLargest compares Largest with Python's statistics.NormalDist: p = 2 cdf(−|z|), then
// −inv_cdf((1 − (1 − p)ⁿ)/2).
func TestLargest(t *testing.T) {
	for _, c := range []struct {
		z    float64
		of   int
		want float64
	}{
		{3, 7, 2.3505400040976827}, {1, 2, 0.6220103576906523}, {4, 5, 3.601265238359037},
		{-2.5, 6, -1.797600473181088}, {0.2, 7, 3.1523703896290403e-06}, {3, 1, 3}, {0, 5, 0},
	} {
		if got := Largest(c.z, c.of); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("Largest(%g, %d) = %g, want %g", c.z, c.of, got, c.want)
		}
	}
	if got := Largest(40, 7); got != 40 { // the tail beyond 40 is below the smallest number
		t.Errorf("Largest(40, 7) = %g, want 40", got)
	}
}

// TestStratified checks the worked example, computed by hand.
func TestStratified(t *testing.T) {
	checkRows(t, []row{
		{"mean", Stratified([]float64{1, 2, 3, 4}).Value, 2.5, 0},
		{"standard error", Stratified([]float64{1, 2, 3, 4}).StdErr, math.Sqrt(3. / 24), 1e-15},
		{"degrees of freedom", Stratified([]float64{1, 2, 3, 4}).Freedom, 2.25, 0},
		{"of two", Stratified([]float64{1, 5}).StdErr, 2, 1e-15}, // |1 − 5|/2, as for independent values
	})
}

// TestStratifiedScores checks that the z-score of means of independent normal values is standard
// normal, whose 1 % and 0.01 % points are 2.576 and 3.891. This holds with a slow trend, too, where
// the usual standard error would hardly ever give a z-score of 0.3.
func TestStratifiedScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const runs, n = 20000, 24
	for _, trend := range []float64{0, 0.3} {
		var squares, beyond float64
		for range runs {
			values := make([]float64, n)
			for i := range values {
				values[i] = rng.NormFloat64() + trend*(float64(i)-(n-1)/2.)
			}
			z := ZScore(Stratified(values), 0)
			squares += z * z / runs
			beyond += indicator(math.Abs(z) > 2.576) / runs
		}
		if rms := math.Sqrt(squares); rms < 0.93 || rms > 1.07 || beyond < 0.005 || beyond > 0.02 {
			t.Errorf("trend %g: z has rms %.3f, and %.4f are beyond 2.576", trend, rms, beyond)
		}
	}
}
