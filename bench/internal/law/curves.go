package law

import (
	"math"
)

// Floor is the expected overlap of the profile of a random sampler without cost with the truth.
// shares are the true shares p_i, which sum to 1, and n is the number of independent samples. It is
// the reference for sampled profiles, because even a perfect sampler has a finite number of
// samples:
//
//	E[O] = 1 − ½ Σ_i E|K_i − n·p_i| / n,   K_i ~ Binomial(n, p_i)
//
// With no samples there is no profile and the overlap is 0.
//
// Source: overlap after Arnold and Ryder; mean deviation of the binomial in closed form after De
// Moivre. The normal approximation fails where n·p < 1.
//
// Example: ten contexts of share 0.1 and 10 samples: E|K − 1| = 2·0.9¹⁰ = 0.697, so the floor is 1
// − ½·10·0.697/10 = 0.651.
func Floor(shares []float64, n int64) float64 {
	if n <= 0 {
		return 0
	}
	var off float64
	for _, p := range shares {
		off += meanDeviation(n, p)
	}
	return 1 - off/(2*float64(n))
}

// meanDeviation is E|K − np| of a binomial K:
// 2(m+1)·C(n, m+1)·p^{m+1}·(1−p)^{n−m} with m = ⌊np⌋.
func meanDeviation(n int64, p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	N := float64(n)
	m := math.Floor(N * p)
	return 2 * (m + 1) * (1 - p) * binomialPMF(m+1, N, p)
}

// binomialPMF is the probability of k successes in n trials, accurate to a few
// units in the last place for n up to 2⁵³: C. Loader's saddle-point form, in
// which no large logarithms cancel.
func binomialPMF(k, n, p float64) float64 {
	q := 1 - p
	switch {
	case k < 0 || k > n:
		return 0
	case p == 0:
		if k == 0 {
			return 1
		}
		return 0
	case q == 0:
		if k == n {
			return 1
		}
		return 0
	case k == 0:
		return math.Exp(n * math.Log1p(-p))
	case k == n:
		return math.Exp(n * math.Log(p))
	}
	logC := stirlingError(n) - stirlingError(k) - stirlingError(n-k) - deviance(k, n*p) - deviance(n-k, n*q)
	return math.Exp(logC) * math.Sqrt(n/(2*math.Pi*k*(n-k)))
}

// stirlingError is log n! − log(√(2πn)(n/e)ⁿ).
func stirlingError(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (n+0.5)*math.Log(n) + n - 0.5*math.Log(2*math.Pi)
	}
	n2 := n * n
	return (1./12 - (1./360-(1./1260-(1./1680-1./(1188*n2))/n2)/n2)/n2) / n
}

// deviance is x·log(x/m) + m − x, computed by its series if x and m are close.
func deviance(x, m float64) float64 {
	if math.Abs(x-m) >= 0.1*(x+m) {
		return x*math.Log(x/m) + m - x
	}
	v := (x - m) / (x + m)
	sum := (x - m) * v
	term := 2 * x * v
	for j := 1.; ; j++ {
		term *= v * v
		next := sum + term/(2*j+1)
		if next == sum {
			return sum
		}
		sum = next
	}
}

// Universal is the curve (1 − e^{−x})/x of reported over true calls of a calling context that is on
// and off the stack for exponentially distributed times with means On and Off. All such contexts
// are on this curve, with x = T/τ, where T is the time that the app runs between two samples, and τ
// = On·Off/(On + Off) is the correlation time of the context's state.
//
// Source: the call-count law with the autocorrelation of a two-state Markov chain, which decays
// with τ.
//
// Example: On = Off = 2 ms has τ = 1 ms. At T = 1 ms x = 1: 63 % of the calls are reported.
func Universal(x float64) float64 {
	if x == 0 {
		return 1
	}
	return -math.Expm1(-x) / x
}
