package law

import (
	"math"
	"slices"
	"testing"
	"time"
)

// TestCutMean checks the mean of max(0, X): φ(0)σ if X has mean 0, and practically mu if mu is far
// above 0. The mean of X cut at mu, far above 0, is mu/2 − φ(0)σ.
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

// TestCutSquare checks E[max(0, X)²] without a bound: half the variance if the mean is 0, and mu² +
// sigma² if mu is far above 0. With the bound X <= mu, the value is (mu² + sigma²)/2 −
// 2·mu·sigma·φ(0).
func TestCutSquare(t *testing.T) {
	phi0 := 1 / math.Sqrt(2*math.Pi)
	for _, c := range []struct{ mu, sigma, x, want float64 }{
		{0, 2, math.Inf(1), 2},
		{100, 5, math.Inf(1), 100*100 + 25},
		{100, 5, 0, (100*100+25)/2. - 2*100*5*phi0},
		{-1, 1, 0, 0},
	} {
		if got := cutSquare(c.mu, c.sigma, c.x); math.Abs(got-c.want) > 1e-9*(1+c.want) {
			t.Errorf("cutSquare(%v, %v, %v) = %v, want %v", c.mu, c.sigma, c.x, got, c.want)
		}
	}
}

// TestExpect checks that the expectation of a parabola is exact: for gaps with mean 1300 µs and
// standard deviation 20 µs, E[g²] is 1300² + 20² µs². Gaps are whole ns, so each can be off by half
// a ns, and its square by 1.3 µs².
func TestExpect(t *testing.T) {
	for _, n := range []gapParts{6, 24} {
		law := gapsOf(&Sampler{Interval: time.Millisecond, Overshoot: 300 * us, Spread: 20 * us}, n)
		var squares []float64
		for _, a := range law.atoms {
			g := float64(a.gap) / 1000
			squares = append(squares, g*g)
		}
		if got, want := law.expect(squares), 1300.*1300+20*20; math.Abs(got-want) > 1.3 {
			t.Errorf("%d parts: E[g²] = %v, want %v", n, got, want)
		}
	}
}

// TestGapsOf checks that the gaps that approximate a distribution have its mean and nearly its
// variance. They lack the variance within each part, which decreases with the number of parts. A
// distribution whose spread is half the gap has more parts than the minimum of a sweep.
func TestGapsOf(t *testing.T) {
	last := math.Inf(1)
	for _, n := range []gapParts{6, 12, 24, 200} {
		law := gapsOf(&Sampler{Interval: time.Millisecond, Overshoot: 300 * us, Spread: 20 * us}, n)
		var sum, squares float64
		for _, a := range law.atoms {
			d := float64(a.gap - 1300*us)
			sum += a.weight * d
			squares += a.weight * d * d
		}
		lacks := 1 - squares/float64(20*us*20*us)
		if len(law.atoms) != int(n)+4 || law.mean != 1300*us || math.Abs(sum) > 1 || lacks <= 0 || lacks >= last {
			t.Errorf("%d parts: %d gaps with mean %v, off by %v, and %.4f of the variance missing", n, len(law.atoms), law.mean, sum, lacks)
		}
		last = lacks
	}
	if last > 0.01 {
		t.Errorf("with 200 parts %.4f of the variance are missing", last)
	}
	wide := Sampler{Interval: 100 * us, Overshoot: 250 * us, Spread: 190 * us}
	if n := len(gapsOf(&wide, 6).atoms); n != 22+4 { // 40 · 190/350, rounded up
		t.Errorf("%d gaps for a spread of half the gap, want %d", n, 22+4)
	}
}

// TestGapsOfATable checks a table of overshoots: a quarter each at 100 us, from 100 to 200, from
// 200 to 600 and from 600 to 1000 us. Their mean is (100+150+400+800)/4 = 362.5 us, their mean
// square (10000+23333.3+173333.3+653333.3)/4 = 215000 us². The parts have both: E[g²] is
// (1000+362.5)² + 215000 - 362.5² us².
func TestGapsOfATable(t *testing.T) {
	table := []time.Duration{100 * us, 100 * us, 200 * us, 600 * us, 1000 * us}
	for _, n := range []gapParts{4, 24} {
		law := gapsOf(&Sampler{Interval: time.Millisecond, Overshoot: 362500, Spread: 289126, Overshoots: table}, n)
		var weight, sum, square float64
		for _, a := range law.atoms {
			g := float64(a.gap) / 1000
			weight, sum, square = weight+a.weight, sum+a.weight*g, square+a.weight*(g*g+a.variance/1e6)
		}
		if law.mean != 1362500 || math.Abs(weight-1) > 1e-9 || math.Abs(sum-1362.5) > 0.01 {
			t.Errorf("%d parts: mean %s, weights %v, sum %v", n, law.mean, weight, sum)
		}
		if want := 1362.5*1362.5 + 215000 - 362.5*362.5; math.Abs(square-want) > 2 {
			t.Errorf("%d parts: E[g²] is %v, want %v", n, square, want)
		}
	}
}

// TestGapParts checks the number of parts of an overshoot's normal distribution: 64 in total, at
// most 16 for each sampler with a spread and at least 4, and at least 40 times the spread's share of
// the gap, up to 24.
func TestGapParts(t *testing.T) {
	const ms = time.Millisecond
	spread := Sampler{Interval: 9 * ms, Overshoot: ms, Spread: ms}
	for samplers, want := range map[int]gapParts{1: 16, 4: 16, 5: 12, 8: 8, 100: 4} {
		list := append(slices.Repeat([]Sampler{spread}, samplers), Sampler{Interval: ms})
		if got := newGapParts(list); got != want {
			t.Errorf("%d samplers: %d parts, want %d", samplers, got, want)
		}
	}
	for share, want := range map[time.Duration]int{0: 4, ms: 4, 3 * ms: 12, 10 * ms: 24} { // of 10 ms
		s := spread
		if s.Spread = share; gapParts(4).of(&s) != want {
			t.Errorf("a spread of %v: %d parts, want %d", share, gapParts(4).of(&s), want)
		}
	}
}

// TestCutSquareSums compares E[max(0, X)²; X <= mu + x·sigma] with sums over small steps.
func TestCutSquareSums(t *testing.T) {
	const steps = 200_000
	for _, c := range [][3]float64{{1, 2, 0.5}, {3, 0.5, -1}, {-1, 4, 2}} {
		mu, sigma, x, sum := c[0], c[1], c[2], 0.0
		for i := range steps {
			z := -8 + (x+8)*(float64(i)+0.5)/steps
			v := max(0, mu+z*sigma)
			sum += v * v * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * (x + 8) / steps
		}
		if got := cutSquare(mu, sigma, x); math.Abs(got-sum) > 1e-6 {
			t.Errorf("%v: %g, sum %g", c, got, sum)
		}
	}
}

// TestBinomialPMF: the probabilities of 0 to n successes sum to 1, and their mean is n·p.
func TestBinomialPMF(t *testing.T) {
	for _, n := range []float64{1, 2, 17, 1000} {
		for _, p := range []float64{0, 0.01, 0.5, 0.9, 1} {
			sum, mean := 0.0, 0.0
			for k := 0.0; k <= n; k++ {
				sum += binomialPMF(k, n, p)
				mean += k * binomialPMF(k, n, p)
			}
			if math.Abs(sum-1) > 1e-12 || math.Abs(mean-n*p) > 1e-9 {
				t.Errorf("n %g, p %g: the sum is %g, the mean %g", n, p, sum, mean)
			}
		}
	}
}
