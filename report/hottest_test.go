package report

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/report/estimate"
)

// TestHottest checks probabilities by hand. Two normal times with means 130 and 104 and standard
// deviations of 12 differ by 26 ± 16.97, which is above 0 with Φ(1.532) = 0.937. Each of three
// equal times is the longest with a probability of a third.
func TestHottest(t *testing.T) {
	at := func(value, sd float64) estimate.Time {
		half := time.Duration(Z95 * sd * 1e6)
		return estimate.Time{Value: time.Duration(value * 1e6), Low: time.Duration(value*1e6) - half, High: time.Duration(value*1e6) + half}
	}
	for _, c := range []struct {
		times []estimate.Time
		want  float64
	}{
		{[]estimate.Time{at(130, 12), at(104, 12)}, 0.937},
		{[]estimate.Time{at(100, 5), at(100, 5), at(100, 5)}, 1. / 3},
		{[]estimate.Time{at(100, 5), at(50, 0)}, 1},
		{[]estimate.Time{at(100, 0), at(100, 5)}, 0.5},
		{[]estimate.Time{at(100, 5)}, 1},
		{nil, 0},
	} {
		if got, usable := Hottest(c.times); math.Abs(got-c.want) > 0.003 || usable != (c.want >= 0.8) {
			t.Errorf("%v: %.4f, usable %v, want %.4f", c.times, got, usable, c.want)
		}
	}
}

// TestHottestProbabilityCoverage checks that the stated probability that the first of several
// methods is the hottest equals the share of trials in which it is. Each true time is random, and
// its number of samples has a Poisson distribution.
func TestHottestProbabilityCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var stated, hottest, trials [10]float64
	for range testdata.Times(8000, 20000) {
		truth, times := [4]float64{}, make([]estimate.Time, 4)
		for i := range truth {
			truth[i] = 50 + 100*rng.Float64()
			n := poisson(rng, truth[i])
			half := Z95 * math.Sqrt(n)
			times[i] = estimate.Time{Value: time.Duration(n * 1e6), Low: time.Duration((n - half) * 1e6), High: time.Duration((n + half) * 1e6)}
		}
		first := 0
		for i := range times {
			if times[i].Value > times[first].Value {
				first = i
			}
		}
		times[0], times[first], truth[0], truth[first] = times[first], times[0], truth[first], truth[0]
		p, _ := Hottest(times)
		bin := min(9, int(10*p))
		trials[bin]++
		stated[bin] += p
		if truth[0] >= max(truth[1], truth[2], truth[3]) {
			hottest[bin]++
		}
	}
	for bin, n := range trials {
		if n < 200 {
			continue
		}
		// The prior and the normal approximation shift the share slightly: three standard errors
		// and 0.03 are allowed.
		if p, got := stated[bin]/n, hottest[bin]/n; math.Abs(p-got) > 0.03+3*math.Sqrt(p*(1-p)/n) {
			t.Errorf("stated probability %.3f, share %.3f of %.0f trials", p, got, n)
		}
	}
}

// poisson returns a Poisson-distributed count with this mean (Knuth).
func poisson(rng *rand.Rand, mean float64) float64 {
	n := 0.
	for p := rng.Float64(); p > math.Exp(-mean); p *= rng.Float64() {
		n++
	}
	return n
}
