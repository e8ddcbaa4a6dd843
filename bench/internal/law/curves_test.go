package law

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"artifice/internal/testdata"
)

func floorChecks() []check {
	var checks []check
	for _, c := range []struct {
		s float64
		m int
	}{{1, 50}, {1, 500}, {1, 2000}, {1.5, 500}} {
		for _, n := range []int64{100, 1000, 10000} {
			shares := testdata.Zipf(c.s, c.m)
			name := fmt.Sprintf("zipf %g, %d paths, N=%d ", c.s, c.m, n)
			reps := int(200000 / n)
			checks = append(checks,
				check{Law: "ideal overlap", Case: name, Value: Floor(shares, n), Simulate: func(rng *rand.Rand) Estimate {
					return repeat(reps, func() float64 { return overlapOf(shares, draw(rng, shares, n)) }).meanEstimate()
				}})
		}
	}
	return checks
}

// draw returns the counts of n independent samples.
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

// overlapOf returns the overlap of shares with counts, by definition.
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
