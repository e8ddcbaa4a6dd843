package machine

import (
	"math/rand/v2"
	"testing"
)

// TestChoicesFollowTheirWeights checks Pearson's chi-square of 100000 choices. The limits are the
// 99.9 % quantiles of 2 and 19 degrees of freedom.
func TestChoicesFollowTheirWeights(t *testing.T) {
	for name, c := range map[string]struct {
		upTo  []float64
		limit float64
	}{
		"three branches": {[]float64{0.5, 0.8, 1}, 13.82},
		"zipf of 20":     {zipf(20), 43.82},
	} {
		r := &runner{}
		r.pcg = *rand.NewPCG(3, 4)
		const n = 100_000
		counts := make([]float64, len(c.upTo))
		for range n {
			counts[r.choose(c.upTo)]++
		}
		square, from := 0.0, 0.0
		for i, got := range counts {
			want := n * (c.upTo[i] - from)
			square += (got - want) * (got - want) / want
			from = c.upTo[i]
		}
		if square > c.limit {
			t.Errorf("%s: chi-square %.1f, limit %.1f", name, square, c.limit)
		}
	}
}

// zipf returns the cumulative probabilities of Zipf's law with exponent 1, in which the probability
// of the i-th of n values is proportional to 1/i.
func zipf(n int) []float64 {
	upTo := make([]float64, n)
	sum := 0.0
	for i := range upTo {
		sum += 1 / float64(i+1)
		upTo[i] = sum
	}
	for i := range upTo {
		upTo[i] /= sum
	}
	return upTo
}
