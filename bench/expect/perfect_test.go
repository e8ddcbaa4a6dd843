package expect_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"artifice/bench/expect"
	"artifice/internal/testdata"
)

// simulate returns sorted overlaps of profiles that are drawn sample by sample.
func simulate(shares []float64, samples, profiles int) []float64 {
	rng := rand.New(rand.NewPCG(11, 12))
	overlaps := make([]float64, profiles)
	for i := range overlaps {
		counts := make([]int, len(shares))
		for range samples {
			x, at := rng.Float64(), 0
			for x >= shares[at] && at < len(shares)-1 {
				x -= shares[at]
				at++
			}
			counts[at]++
		}
		overlap := 1.
		for j, p := range shares {
			overlap -= math.Abs(p-float64(counts[j])/float64(samples)) / 2
		}
		overlaps[i] = overlap
	}
	slices.Sort(overlaps)
	return overlaps
}

// zipf returns shares proportional to 1/i.
func zipf(k int) (shares []float64) {
	var sum float64
	for i := range k {
		sum += 1 / float64(i+1)
	}
	for i := range k {
		shares = append(shares, 1/float64(i+1)/sum)
	}
	return shares
}

// TestPerfect compares the result with profiles drawn sample by sample. Mean and percentiles differ
// by at most 0.002. With few samples, percentiles may differ by one more step between values.
func TestPerfect(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, c := range []struct {
		shares            []float64
		samples, profiles int
	}{
		{zipf(50), 100, 40000}, {zipf(50), 1000, 8000}, {zipf(500), 300, 20000}, {zipf(3), 6000, 3000},
		{[]float64{0.9, 0.1}, 500, 20000}, {zipf(10), 25, 100000},
	} {
		p, ok := expect.NewPerfect(c.shares, int64(c.samples))
		if !ok {
			t.Fatal("no result")
		}
		overlaps := simulate(c.shares, c.samples, c.profiles)
		var mean float64
		for _, o := range overlaps {
			mean += o / float64(len(overlaps))
		}
		if math.Abs(p.Mean-mean) > 0.002 {
			t.Errorf("%d shares, %d samples: mean %.4f, simulated %.4f", len(c.shares), c.samples, p.Mean, mean)
		}
		for q, got := range map[float64]float64{0.05: p.Low, 0.95: p.High} {
			at := func(q float64) float64 { return overlaps[int(q*float64(len(overlaps)-1))] }
			if low, high := at(q-0.005), at(q+0.005); got < min(low, at(q)-0.002) || got > max(high, at(q)+0.002) {
				t.Errorf("%d shares, %d samples: percentile %g is %.4f, simulated %.4f (%.4f to %.4f)", len(c.shares), c.samples, 100*q, got, at(q), low, high)
			}
		}
	}
}

// TestPerfectByHand checks one sample of two equal methods, which attributes half of the truth
// correctly. A single method is always correct.
func TestPerfectByHand(t *testing.T) {
	if p, _ := expect.NewPerfect([]float64{0.5, 0.5}, 1); p != (expect.Perfect{Samples: 1, Mean: 0.5, Low: 0.5, High: 0.5}) {
		t.Error(p)
	}
	if p, _ := expect.NewPerfect([]float64{1}, 7); p != (expect.Perfect{Samples: 7, Mean: 1, Low: 1, High: 1}) {
		t.Error(p)
	}
	for _, shares := range [][]float64{nil, {1}} {
		if _, ok := expect.NewPerfect(shares, 0); ok {
			t.Error("NewPerfect without samples succeeds")
		}
	}
	if _, ok := expect.NewPerfect(nil, 5); ok {
		t.Error("NewPerfect without shares succeeds")
	}
}
