package theory

import "math"

// Floor is the expected overlap of an ideal random sampler with the truth it
// sampled: shares are the true shares p_i (summing to 1), n the number of
// independent samples. It is what a sampled profile is to be measured against,
// for even a perfect one has few samples:
//
//	E[O] = 1 − ½ Σ_i E|K_i − n·p_i| / n,   K_i ~ Binomial(n, p_i)
//
// With no samples there is no profile and the overlap is 0.
//
// Source: overlap after Arnold and Ryder; mean deviation of the binomial in
// closed form after De Moivre. The normal approximation fails where n·p < 1.
//
// Example: ten paths of share 0.1 and 10 samples: E|K − 1| = 2·0.9¹⁰ = 0.697, so
// the floor is 1 − ½·10·0.697/10 = 0.651.
func Floor(shares []float64, n int64) float64 {
	if n <= 0 {
		return 0
	}
	var off float64
	for _, p := range shares {
		off += MeanDeviation(n, p)
	}
	return 1 - off/(2*float64(n))
}

// MeanDeviation is E|K − np| of a binomial K:
// 2(m+1)·C(n, m+1)·p^{m+1}·(1−p)^{n−m} with m = ⌊np⌋.
func MeanDeviation(n int64, p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	N := float64(n)
	m := math.Floor(N * p)
	return 2 * (m + 1) * (1 - p) * binomialPMF(m+1, N, p)
}

// FloorKendall is the expected Kendall τ_a between true shares and those of an
// ideal random sampler with n samples: the mean over all pairs of
// erf(z/√2), z = (p_i − p_j)/√((p_i + p_j − (p_i − p_j)²)/n).
//
// Assumption: the difference of two counts is normal; good to 0.02 from n = 100.
//
// Example: shares 0.6 and 0.4, 100 samples: z = 0.2/√(0.96/100) = 2.04, τ = 0.959.
func FloorKendall(shares []float64, n int64) float64 {
	var sum float64
	var pairs int
	for i, p := range shares {
		for _, q := range shares[:i] {
			d := math.Abs(p - q)
			pairs++
			if d > 0 {
				sum += math.Erf(d * math.Sqrt(float64(n)/(p+q-d*d)/2))
			}
		}
	}
	if pairs == 0 {
		return 1
	}
	return sum / float64(pairs)
}

// FloorSeen is the expected number of shares that an ideal random sampler with
// n samples sees at all: Σ 1 − (1 − p_i)^n.
//
// Example: ten shares of 0.1, 10 samples: 10·(1 − 0.9¹⁰) = 6.51.
func FloorSeen(shares []float64, n int64) float64 {
	var seen float64
	for _, p := range shares {
		if p > 0 {
			seen -= math.Expm1(float64(n) * math.Log1p(-min(p, 1)))
		}
	}
	return seen
}
