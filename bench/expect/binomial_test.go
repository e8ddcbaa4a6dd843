package expect

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactUpper returns P(X ≥ x) by summing probabilities with 300 bits.
func exactUpper(x, n int, p float64) float64 {
	const bits = 300
	num := func(f float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(f) }
	sum, P, Q := num(0), num(p), new(big.Float).SetPrec(bits).Sub(num(1), num(p))
	for k := max(0, x); k <= n; k++ {
		c := new(big.Float).SetPrec(bits).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
		for range k {
			c.Mul(c, P)
		}
		for range n - k {
			c.Mul(c, Q)
		}
		sum.Add(sum, c)
	}
	f, _ := sum.Float64()
	return f
}

// TestUpperTail compares tails with exact sums, down to 1e-12.
func TestUpperTail(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for range 60 {
		n := 1 + rng.IntN(300)
		p := rng.Float64()
		x := rng.IntN(n + 2)
		want := exactUpper(x, n, p)
		if want < 1e-12 {
			continue
		}
		if got := upper(float64(x), float64(n), p); math.Abs(got-want) > 1e-9*want {
			t.Errorf("P(X >= %d), n = %d, p = %g: %g, want %g", x, n, p, got, want)
		}
		if got, want := lower(float64(x-1), float64(n), p), 1-want; want > 1e-9 && math.Abs(got-want) > 1e-7*want {
			t.Errorf("P(X <= %d), n = %d, p = %g: %g, want %g", x-1, n, p, got, want)
		}
	}
}

// TestAcceptedRange checks that the probability of shares outside the accepted range is at most the
// rate, and that excluding one more count on either side would exceed half of the rate.
func TestAcceptedRange(t *testing.T) {
	for _, n := range []int{10, 100, 250} {
		for _, p := range []float64{0.01, 0.2, 0.5, 0.97} {
			for _, rate := range []float64{1e-2, 1e-4} {
				share := interval{p, p}
				a := accepted(binomial{float64(n), share}, share, float64(n), rate)
				low, high := int(math.Round(a.low*float64(n))), int(math.Round(a.high*float64(n)))
				below, above := 1-exactUpper(low, n, p), exactUpper(high+1, n, p)
				if below > rate/2+1e-12 || above > rate/2+1e-12 {
					t.Errorf("n %d p %g rate %g: %d to %d: %g below, %g above", n, p, rate, low, high, below, above)
				}
				if more := 1 - exactUpper(low+1, n, p); more <= rate/2 && low < int(p*float64(n)) {
					t.Errorf("n %d p %g rate %g: %d could be rejected", n, p, rate, low)
				}
				if more := exactUpper(high, n, p); more <= rate/2 && high > int(p*float64(n))+1 {
					t.Errorf("n %d p %g rate %g: %d could be rejected", n, p, rate, high)
				}
			}
		}
	}
}

// TestNeeded checks EXPECT's table, which other code computed (exact binomial tails with SciPy):
// the number of samples that detect a bias of 5 points of a share of 1/3, by rate and number of
// assertions.
func TestNeeded(t *testing.T) {
	for _, c := range []struct{ p, rate, k, want float64 }{
		{1. / 3, 1e-2, 1, 1639}, {1. / 2, 1e-2, 1, 1810}, {1. / 3, 1e-3, 10, 2813}, {1. / 3, 1e-6, 1, 3923},
		{1. / 3, 1e-6, 10, 4459}, {1. / 3, 1e-6, 50, 4803}, {1. / 2, 1e-6, 10, 4878},
	} {
		n := needed(interval{c.p, c.p}, 0.05, c.rate/c.k)
		if math.Abs(n-c.want) > 0.03*c.want {
			t.Errorf("p %g rate %g/%g: %g samples, want %g", c.p, c.rate, c.k, n, c.want)
		}
	}
}

// TestBounded checks that the mean of ticks of several synchronized threads exceeds Hoeffding's
// bound at most as often as the bound's probability.
func TestBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	const profiles, ticks, threads, p = 4000, 300, 8, 0.3
	test := bounded{ticks, interval{p, p}}
	rejected := 0
	for range profiles {
		sum := 0
		for range ticks {
			if rng.Float64() < p { // all threads in the same state
				sum += threads
			}
		}
		if pValue(test, float64(sum)/(ticks*threads)) <= 0.05 {
			rejected++
		}
	}
	if rejected > profiles*5/100 {
		t.Errorf("%d of %d rejected at 5 %%", rejected, profiles)
	}
	if got := pValue(test, 0.45); got > 1e-6 {
		t.Errorf("p-value of a bias of 15 points: %g", got)
	}
	if below, above := test.tails(p); below != 1 || above != 1 {
		t.Errorf("tails at the mean: %g, %g", below, above)
	}
}

// TestNoBias checks that no bias is detected if all shares are accepted.
func TestNoBias(t *testing.T) {
	for _, deviation := range []float64{0, 20} {
		if b := detected(interval{0, 1}, interval{0.3, 0.3}, 100, deviation); !math.IsNaN(b) {
			t.Errorf("standard deviation %g: a bias of %g", deviation, b)
		}
	}
	// Shares up to 75 % are accepted, 25 points above the share. With 1.645 standard deviations of
	// 20 of 100 samples, the bias has to be 57.9 points larger, which exceeds the maximum of 50
	// points.
	if b := detected(interval{0, 0.75}, interval{0.5, 0.5}, 100, 20); !math.IsNaN(b) {
		t.Errorf("a bias of %g of a share of 50 %%", b)
	}
	if b := detected(interval{0, 0.75}, interval{0.4, 0.4}, 100, 10); math.Abs(b-(0.35+1.6449*0.1)) > 1e-4 {
		t.Errorf("a bias of %g of a share of 40 %%", b)
	}
}
