package measure

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/internal/testdata"
)

// TestTop10OfIdealSampler compares the top-10 agreement of an ideal random sampler with published
// simulations, with 100, 1000 and 10000 samples.
func TestTop10OfIdealSampler(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for _, c := range []struct {
		s    float64
		m    int
		want [3]float64
	}{{1, 50, [3]float64{0.72, 0.90, 1}}, {1, 500, [3]float64{0.65, 0.90, 0.99}}, {1, 2000, [3]float64{0.62, 0.89, 0.97}}, {1.5, 500, [3]float64{0.74, 0.93, 1}}} {
		shares := testdata.Zipf(c.s, c.m)
		truth := make([]time.Duration, c.m)
		for i, p := range shares {
			truth[i] = time.Duration(p * 1e12)
		}
		for i, n := range []int{100, 1000, 10000} {
			var sum float64
			reps := 300000 / n / 10
			for range reps {
				sum += TopK(truth, drawTimes(rng, shares, n), 10)
			}
			// The published figures break ties in one order, and TopK averages over all orders.
			if got := sum / float64(reps); math.Abs(got-c.want[i]) > 0.05 {
				t.Errorf("zipf %g, %d methods, %d samples: top 10 %.3f, want %.2f", c.s, c.m, n, got, c.want[i])
			}
		}
	}
}

// drawTimes draws n independent samples of 1 ns each.
func drawTimes(rng *rand.Rand, shares []float64, n int) []time.Duration {
	times := make([]time.Duration, len(shares))
	for range n {
		x := rng.Float64()
		i := 0
		for i < len(shares)-1 && x >= shares[i] {
			x -= shares[i]
			i++
		}
		times[i]++
	}
	return times
}

// TestInOrder checks orders by hand. 110 does not exceed 1.1 times 100, and 111 does.
func TestInOrder(t *testing.T) {
	all := []int64{1, 1, 1, 1}
	for _, c := range []struct {
		truth, seen []time.Duration
		calls       []int64
		want        bool
	}{
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 30, 20}, all, true},
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 45, 20}, all, false},
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 40, 20}, all, false}, // ties have no order
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 30, 90}, all, true},  // the fourth method is not among the first three
		{[]time.Duration{100, 95, 50, 10}, []time.Duration{40, 60, 30, 20}, []int64{1, 1, 0, 1}, false},
		{[]time.Duration{110, 100}, []time.Duration{1, 2}, all, true},
		{[]time.Duration{111, 100}, []time.Duration{1, 2}, all, false},
		{[]time.Duration{0, 7, 0}, []time.Duration{3, 1, 3}, []int64{0, 1, 0}, true}, // only one method has time
		{[]time.Duration{0, 7, 0}, []time.Duration{3, 0, 3}, []int64{0, 0, 0}, false},
		{[]time.Duration{5, 9, 5, 5}, []time.Duration{1, 3, 2, 2}, []int64{1, 1, 1, 0}, true}, // the first two of three equal methods
		{nil, nil, nil, true},
	} {
		if got := InOrder(c.truth, c.seen, c.calls, 3, 1.1); got != c.want {
			t.Errorf("truth %d, seen %d, calls %d: %t", c.truth, c.seen, c.calls, got)
		}
	}
}
