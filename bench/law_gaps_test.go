package bench

import (
	"math"
	"testing"
	"time"

	"artifice/sampler"
)

// TestCutMean: the mean of max(0, X) is φ(0)σ for a mean of 0, practically mu for
// one far above 0, and up to the mean itself, far above 0, it is mu/2 − φ(0)σ.
func TestCutMean(t *testing.T) {
	phi0 := 1 / math.Sqrt(2*math.Pi)
	for _, c := range []struct{ mu, sigma, x, want float64 }{
		{0, 2, math.Inf(1), 2 * phi0},
		{100, 5, math.Inf(1), 100},
		{100, 5, 0, 50 - 5*phi0},
		{100, 5, -30, 0},
		{-1, 1, 0, 0},
	} {
		if got := cutMean(c.mu, c.sigma, c.x); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("cutMean(%v, %v, %v) = %v, want %v", c.mu, c.sigma, c.x, got, c.want)
		}
	}
}

// TestGapsOf: the gaps that stand for a spread have its mean, and nearly its
// variance: n parts of equal weight lack what varies within each. More parts lack
// less, and what a spread of half the gap gets is more than the sweep's least.
func TestGapsOf(t *testing.T) {
	last := math.Inf(1)
	for _, n := range []gapParts{6, 12, 24, 200} {
		law := gapsOf(&sampler.Config{Interval: time.Millisecond, Cost: sampler.Cost{Overshoot: 300 * us, OvershootSpread: 20 * us}}, n)
		var sum, squares float64
		for _, a := range law.atoms {
			d := float64(a.gap - 1300*us)
			sum += a.weight * d
			squares += a.weight * d * d
		}
		lacks := 1 - squares/float64(20*us*20*us)
		if len(law.atoms) != int(n) || law.mean != 1300*us || math.Abs(sum) > 1 || lacks <= 0 || lacks >= last {
			t.Errorf("%d parts: %d gaps with mean %v, off by %v, and %.4f of the variance missing", n, len(law.atoms), law.mean, sum, lacks)
		}
		last = lacks
	}
	if last > 0.01 {
		t.Errorf("with 200 parts %.4f of the variance are missing", last)
	}
	wide := sampler.Config{Interval: 100 * us, Cost: sampler.Cost{Overshoot: 250 * us, OvershootSpread: 190 * us}}
	if n := len(gapsOf(&wide, 6).atoms); n != mostGaps {
		t.Errorf("%d gaps for a spread of half the gap, want %d", n, mostGaps)
	}
}
