package expect

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// upper returns P(X ≥ x) for a binomial variable with n trials of probability p. For counts that
// are not integers it interpolates by the regularized incomplete beta function.
func upper(x, n, p float64) float64 {
	switch {
	case x <= 0:
		return 1
	case x > n || p <= 0:
		return 0
	case p >= 1:
		return 1
	}
	return mathext.RegIncBeta(x, n-x+1, p)
}

// lower returns P(X ≤ x).
func lower(x, n, p float64) float64 { return upper(n-x, n, 1-p) }

// chernoff returns an upper bound of a tail probability, exp(−n·KL(q‖p)): the probability that the
// mean of n independent variables in [0, 1], each with mean p, is at least as far from p as q and
// on the same side.
//
// Source: Hoeffding 1963, theorem 1. It holds for ticks that sample several dependent threads at
// once.
func chernoff(q, p, n float64) float64 { return math.Exp(-n * divergence(q, p)) }

// divergence is the relative entropy of Bernoulli variables, in nats.
func divergence(q, p float64) float64 {
	term := func(a, b float64) float64 {
		if a <= 0 {
			return 0
		}
		return a * math.Log(a/b) // +Inf if b is 0
	}
	return term(q, p) + term(1-q, 1-p)
}

// interval is a range of true shares. For an exact value both ends are equal.
type interval struct{ low, high float64 }

// test is the null distribution of a count among n samples, given its true share.
type test interface {
	// tails returns the probability of a share at most as large as q and at least as large as q,
	// maximized over the true share.
	tails(q float64) (below, above float64)
}

// pValue returns the two-sided p-value of an observed share: twice the smaller tail.
func pValue(t test, q float64) float64 {
	below, above := t.tails(q)
	return min(1, 2*min(below, above))
}

// binomial is the distribution of independent samples.
type binomial struct {
	n     float64
	share interval
}

func (b binomial) tails(q float64) (below, above float64) {
	x := q * b.n
	if whole := math.Round(x); math.Abs(x-whole) < 1e-6 {
		x = whole
	}
	return lower(x, b.n, b.share.low), upper(x, b.n, b.share.high)
}

// bounded bounds the distribution of the mean of n independent ticks. A tick samples several
// threads.
type bounded struct {
	n     float64
	share interval
}

func (b bounded) tails(q float64) (below, above float64) {
	below, above = 1, 1
	if q < b.share.low {
		below = chernoff(q, b.share.low, b.n)
	}
	if q > b.share.high {
		above = chernoff(q, b.share.high, b.n)
	}
	return below, above
}

// widest is a family of distributions: its tails are the largest ones.
type widest []test

func (w widest) tails(q float64) (below, above float64) {
	for _, t := range w {
		b, a := t.tails(q)
		below, above = max(below, b), max(above, a)
	}
	return below, above
}

// mirrored is the test of a share, given the distribution of its complement.
type mirrored struct{ test }

func (m mirrored) tails(q float64) (below, above float64) {
	above, below = m.test.tails(1 - q)
	return below, above
}

// accepted returns the smallest and the largest share that a test accepts at a two-sided rate. For
// whole n, shares are multiples of 1/n.
func accepted(t test, share interval, n, rate float64) interval {
	steps := math.Floor(n + 1e-9)
	reject := func(x float64) bool { return pValue(t, x/n) <= rate }
	// Tails are monotone in q on each side of the true share.
	low, high := bisect(-1, math.Floor(share.low*n), reject), bisect(steps+1, math.Ceil(share.high*n), reject)
	return interval{(low + 1) / n, (high - 1) / n}
}

// bisect returns the integer nearest to in for which reject holds. reject is assumed to hold for
// out, and does not hold for in.
func bisect(out, in float64, reject func(float64) bool) float64 {
	for math.Abs(in-out) > 1 {
		mid := math.Trunc((in + out) / 2)
		if mid == in || mid == out {
			break
		}
		if reject(mid) {
			out = mid
		} else {
			in = mid
		}
	}
	return out
}

// power is the probability with which a bias must be detected.
const power = 0.95

// detected returns the smallest bias for which the observed share is outside the accepted shares
// with 95 % probability. It is the larger value of both directions. deviation is the standard
// deviation of the count of aliased samples, or 0 if samples are independent. detected returns NaN
// if there are too few samples to detect any bias.
func detected(accept, share interval, n, deviation float64) float64 {
	up := smallest(1-share.high, func(b float64) bool {
		return upper(math.Floor(accept.high*n+1e-9)+1, n, share.high+b) >= power
	})
	down := smallest(share.low, func(b float64) bool {
		return lower(math.Ceil(accept.low*n-1e-9)-1, n, share.low-b) >= power
	})
	if deviation > 0 {
		const quantile = 1.6448536269514722 // of the normal distribution, at 95 %
		up = possible(max(up, accept.high-share.high+quantile*deviation/n), 1-share.high)
		down = possible(max(down, share.low-accept.low+quantile*deviation/n), share.low)
	}
	switch { // a share near 0 or 1 can move in one direction only
	case math.IsNaN(up):
		return down
	case math.IsNaN(down):
		return up
	}
	return max(up, down)
}

// possible returns a bias, or NaN if it exceeds every possible bias.
func possible(bias, most float64) float64 {
	if bias > most {
		return math.NaN()
	}
	return bias
}

// smallest returns the smallest value up to most for which a monotone condition holds, or NaN if
// there is none.
func smallest(most float64, holds func(float64) bool) float64 {
	if most <= 0 || !holds(most) {
		return math.NaN()
	}
	low, high := 0., most
	for range 40 {
		if mid := (low + high) / 2; holds(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// needed returns the approximate number of independent samples that detect a bias of a share with
// 95 % probability, at a two-sided rate. It returns 0 if a billion is not enough.
func needed(share interval, bias, rate float64) float64 {
	enough := func(n float64) bool {
		b := detected(accepted(binomial{n, share}, share, n, rate), share, n, 0)
		return b <= bias
	}
	low, high := 1., 16.
	for !enough(high) {
		low, high = high, 2*high
		if high > 1e9 {
			return 0
		}
	}
	for high-low > 1 && high/low > 1.001 {
		if mid := math.Round((low + high) / 2); enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}
