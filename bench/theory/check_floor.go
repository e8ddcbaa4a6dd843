package theory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
)

// Zipf returns n shares that fall as 1/rank^s and sum to 1.
func Zipf(s float64, n int) []float64 {
	shares := make([]float64, n)
	var sum float64
	for i := range shares {
		shares[i] = math.Pow(float64(i+1), -s)
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}

func floorChecks() []Check {
	var checks []Check
	for _, c := range []struct {
		s float64
		m int
	}{{1, 50}, {1, 500}, {1, 2000}, {1.5, 500}} {
		for _, n := range []int64{100, 1000, 10000} {
			shares := Zipf(c.s, c.m)
			name := fmt.Sprintf("zipf %g, %d paths, N=%d ", c.s, c.m, n)
			reps := int(200000 / n)
			checks = append(checks,
				Check{Law: "ideal overlap", Case: name, Value: Floor(shares, n), Simulate: func(rng *rand.Rand) Estimate {
					return repeat(reps, func() float64 { return overlapOf(shares, draw(rng, shares, n)) }).meanEstimate()
				}},
				Check{Law: "ideal share of paths seen", Case: name, Value: FloorSeen(shares, n), Simulate: func(rng *rand.Rand) Estimate {
					return repeat(reps, func() float64 {
						seen := 0
						for _, k := range draw(rng, shares, n) {
							seen += int(indicator(k > 0))
						}
						return float64(seen)
					}).meanEstimate()
				}})
		}
	}
	return checks
}

func kendallChecks() []Check {
	shares := Zipf(1, 50)
	var checks []Check
	for _, n := range []int64{100, 1000, 10000} {
		checks = append(checks, Check{Law: "ideal Kendall τ", Case: fmt.Sprintf("zipf 1, 50 paths, N=%d", n), Value: FloorKendall(shares, n), Within: 0.02,
			Simulate: func(rng *rand.Rand) Estimate {
				return repeat(int(100000/n), func() float64 { return tauA(shares, draw(rng, shares, n)) }).meanEstimate()
			}})
	}
	return checks
}

// draw takes n independent samples.
func draw(rng *rand.Rand, shares []float64, n int64) []int64 {
	sums := make([]float64, len(shares))
	var sum float64
	for i, p := range shares {
		sum += p
		sums[i] = sum
	}
	counts := make([]int64, len(shares))
	for range n {
		counts[min(sort.SearchFloat64s(sums, rng.Float64()), len(shares)-1)]++
	}
	return counts
}

// overlapOf is the overlap of shares with counts, by definition.
func overlapOf(shares []float64, counts []int64) float64 {
	var n, sum float64
	for _, k := range counts {
		n += float64(k)
	}
	for i, k := range counts {
		sum += min(shares[i], float64(k)/n)
	}
	return sum
}

// tauA is Kendall's τ_a of shares and counts, pair by pair.
func tauA(shares []float64, counts []int64) float64 {
	var score, pairs float64
	for i := range shares {
		for j := range i {
			pairs++
			score += sign(shares[i]-shares[j]) * sign(float64(counts[i]-counts[j]))
		}
	}
	return score / pairs
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
