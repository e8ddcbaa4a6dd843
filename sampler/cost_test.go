package sampler

import (
	"math"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// PhoneCost is a cost similar to that of a phone, for tests and benchmarks: a sample of 61 threads
// stops the app for 1 ms.
var PhoneCost = Cost{Overshoot: 250 * us, PerTick: 24 * us, PerThread: 16 * us, Granularity: us, ClockOverhead: 3348}

// table has a quarter of its values at 100 us, and a quarter each from 100 to 200 us, from 200 to
// 600 us and from 600 us to 1 ms.
var table = Quantiles{100 * us, 100 * us, 200 * us, 600 * us, 1000 * us}

// TestQuantiles checks the moments of a table. Four equally likely parts with means of 100, 150,
// 400 and 800 us have a mean of 362.5 us. The mean squares of the parts, (a²+ab+b²)/3, are 10000,
// 23333.3, 173333.3 and 653333.3: 215000 on average. Minus 362.5², this is 83593.75, the square of
// 289.126 us.
func TestQuantiles(t *testing.T) {
	for p, want := range map[float64]time.Duration{0: 100 * us, 0.25: 100 * us, 0.375: 150 * us, 0.5: 200 * us, 0.9: 840 * us, 1: 1000 * us} {
		if got := table.At(p); got != want {
			t.Errorf("At(%g) = %s, want %s", p, got, want)
		}
	}
	if mean, deviation := table.Moments(); mean != 362500 || deviation != 289126 {
		t.Errorf("mean %d, deviation %d, want 362500 and 289126", mean, deviation)
	}
}

// TestGapsOfATable checks gaps drawn from the table. Of 20000 gaps, a quarter is the interval plus
// 100 µs. Mean and standard deviation are the values computed above.
func TestGapsOfATable(t *testing.T) {
	s := newTicker(&Config{Interval: ms, Cost: Cost{Overshoots: table}, Seed: 3})
	if s.Constant() {
		t.Error("Constant() = true for gaps of a table")
	}
	const n = 20000
	var sum, square float64
	least := 0
	for range n {
		gap := s.Gap()
		if gap < 1100*us || gap > 2*ms {
			t.Fatalf("gap %s is out of range", gap)
		}
		if gap == 1100*us {
			least++
		}
		x := gap.Seconds() * 1e6
		sum, square = sum+x, square+x*x
	}
	mean := sum / n
	if deviation := math.Sqrt(square/n - mean*mean); math.Abs(mean-1362.5) > 4*289/math.Sqrt(n) || math.Abs(deviation-289.1) > 6 {
		t.Errorf("mean %.1f us, deviation %.1f us, want 1362.5 and 289.1", mean, deviation)
	}
	if share := float64(least) / n; math.Abs(share-0.25) > 0.0125 {
		t.Errorf("%.3f of the gaps are minimum gaps, want 0.25", share)
	}
}

func TestQuantilesRefused(t *testing.T) {
	truth := &trace.Recording{Symbols: &trace.Symbols{}, Events: trace.NewSliceReader(nil)}
	for want, q := range map[string]Quantiles{
		"a single quantile": {us}, "2µs of the overshoot follows 3µs": {us, 3 * us, 2 * us}, "-1µs": {-us, us}, "1m0.000001s": {0, time.Minute + us},
	} {
		if _, err := New(truth, Config{Cost: Cost{Overshoots: q}}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", q, err, want)
		}
	}
}
