package resample_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"artifice/internal/resample"
)

// TestInterval95 checks the interval of the numbers from 1 to 1000, in any order: 25 are below 26,
// and 25 above 975.
func TestInterval95(t *testing.T) {
	values := make([]int, 1000)
	for i := range values {
		values[i] = (i*7)%1000 + 1
	}
	if low, high := resample.Interval95(values); low != 26 || high != 975 {
		t.Errorf("%d to %d, want 26 to 975", low, high)
	}
}

// TestInterval95Sorted checks that the ends are the elements at the same indices of a sorted list,
// for any values and any number of values. NaN is less than all numbers.
func TestInterval95Sorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 2; n <= 1000; n += 1 + n/8 {
		for _, different := range []int{1, 2, 5, 1 << 40} {
			values := make([]float64, n)
			for i := range values {
				if values[i] = float64(rng.IntN(different)); rng.IntN(20) == 0 {
					values[i] = math.NaN()
				}
			}
			sorted := slices.Sorted(slices.Values(values))
			low, high := resample.Interval95(values)
			wantLow, wantHigh := sorted[n*25/1000], sorted[n*975/1000-1]
			if cmp.Compare(low, wantLow) != 0 || cmp.Compare(high, wantHigh) != 0 {
				t.Errorf("%d values, %d different ones: %v to %v, want %v to %v", n, different, low, high, wantLow, wantHigh)
			}
		}
	}
}

// TestDraw checks the mean of 100 values, half of them 0 and half 1. Its standard deviation is
// sqrt(0.25/100) = 0.05, and a 95 % interval extends 1.96 standard deviations to either side.
func TestDraw(t *testing.T) {
	var means []float64
	for places := range resample.Draw(100, 100, 10000, 1, 2) {
		sum := 0
		for _, p := range places {
			sum += p % 2
		}
		means = append(means, float64(sum)/100)
	}
	if low, high := resample.Interval95(means); low < 0.39 || low > 0.41 || high < 0.59 || high > 0.61 {
		t.Errorf("%v to %v, want 0.402 to 0.598 in steps of 0.01", low, high)
	}
}
