package estimate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWindows compares the variance over windows of 32 samples with that of counts made sample by
// sample, for runs of any length. The last window is incomplete and does not count.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var w windows
	const samples = 60*window + 7
	counts := make([]float64, samples/window+1)
	for at := int64(0); ; {
		from := at + rng.Int64N(40)
		to := from + 1 + rng.Int64N(100)
		if to > samples {
			break
		}
		w.add(from, to)
		for i := from; i < to; i++ {
			counts[i/window]++
		}
		at = to
	}
	mean, want := 0.0, 0.0
	for _, n := range counts[:60] {
		mean += n / 60
	}
	for _, n := range counts[:60] {
		want += (n - mean) * (n - mean)
	}
	if got, ok := w.variance(samples); !ok || math.Abs(got-want*60/59) > 1e-6*want {
		t.Errorf("%v, %t; want %v", got, ok, want*60/59)
	}
	if _, ok := w.variance(39*window + 31); ok {
		t.Error("39 windows are accepted, want at least 40")
	}
}

// TestWindowsOfRegularCalls checks a call of 0.9 periods in every 3.7 periods. Its error has the
// variance r(1 − r) T² = 0.09 T² with r = 0.9, while the rule by runs has T² for each sampled call.
// The bound by windows is in between.
func TestWindowsOfRegularCalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var w windows
	runs, calls := 0.0, 0.0
	at := 0.0
	for at < 8000 {
		at += 2 + 1.6*rng.Float64()
		if first := math.Ceil(at); first < at+0.9 {
			w.add(int64(first), int64(first)+1)
			runs++
		}
		at += 0.9
		calls++
	}
	v, ok := w.variance(8000)
	if !ok || v < 0.09*calls || v > runs/2 {
		t.Errorf("%.0f, %t; want %.0f to %.0f", v, ok, 0.09*calls, runs/2)
	}
}

// TestQuantile95 checks 1.96 without bounds, 1.645 for distant bounds, and c with Φ(c + 1) − Φ(−c)
// = 0.95. A table of Φ encloses c: Φ(2.68) − Φ(−1.68) = 0.99632 − 0.04648 = 0.9498, Φ(2.69) −
// Φ(−1.69) = 0.99643 − 0.04551 = 0.9509.
func TestQuantile95(t *testing.T) {
	for _, c := range []struct{ apart, low, high float64 }{{0, z95, z95}, {100, z90, z90 + 1e-5}, {1, 1.68, 1.69}} {
		if got := quantile95(c.apart); got < c.low-1e-6 || got > c.high+1e-6 {
			t.Errorf("%v standard deviations apart: %v, want %v to %v", c.apart, got, c.low, c.high)
		}
	}
}
