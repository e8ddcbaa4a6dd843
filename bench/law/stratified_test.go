package law

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestStratified: the worked example, by hand.
func TestStratified(t *testing.T) {
	checkRows(t, []row{
		{"mean", Stratified([]float64{1, 2, 3, 4}).Value, 2.5, 0},
		{"standard error", Stratified([]float64{1, 2, 3, 4}).StdErr, math.Sqrt(3. / 24), 1e-15},
		{"degrees of freedom", Stratified([]float64{1, 2, 3, 4}).Freedom, 2.25, 0},
		{"of two", Stratified([]float64{1, 5}).StdErr, 2, 1e-15}, // |1 − 5|/2, as for independent values
	})
}

// TestStratifiedScores: the z-score of means of independent normal values is a
// standard normal one (its 1 % and 0.01 % points are 2.576 and 3.891), and that of
// values beside a slow trend is too, where the usual standard error would hardly
// ever say 0.3.
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
