package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"artifice/bench/expect"
	"artifice/format"
)

// logProb returns the logarithm of the binomial probability of x.
func logProb(x, n int, p float64) float64 {
	lg := func(v int) float64 { g, _ := math.Lgamma(float64(v + 1)); return g }
	log := lg(n) - lg(x) - lg(n-x)
	if x > 0 {
		log += float64(x) * math.Log(p)
	}
	if x < n {
		log += float64(n-x) * math.Log1p(-p)
	}
	return log
}

// above returns P(X >= x) by summing probabilities.
func above(x, n int, p float64) (sum float64) {
	for k := max(0, x); k <= n; k++ {
		q := math.Exp(logProb(k, n, p))
		sum += q
		if float64(k) > float64(n)*p && q < sum*1e-17 {
			break
		}
	}
	return min(1, sum)
}

// bestBias returns the smallest bias that the most powerful test of a level detects with 95 %
// probability: by Neyman and Pearson, the randomized one-sided binomial test. up is its direction;
// NaN: none is detected.
func bestBias(n int, p, level float64, up bool) float64 {
	if !up {
		p = 1 - p
	}
	critical := int(float64(n) * p)
	for above(critical, n, p) > level {
		critical++
	}
	exact := math.Exp(logProb(critical-1, n, p))
	random := (level - above(critical, n, p)) / exact
	detects := func(b float64) bool {
		q := p + b
		if q >= 1 {
			return true
		}
		return above(critical, n, q)+random*math.Exp(logProb(critical-1, n, q)) >= 0.95
	}
	low, high := 0., 1-p
	if critical > n || !detects(high) {
		return math.NaN()
	}
	for range 40 {
		if mid := (low + high) / 2; detects(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// statedBias returns the smallest bias that expect states for a share p of n samples, at a rate of
// an assertion.
func statedBias(folder string, n int, p, rate float64) (float64, error) {
	x := int(math.Round(float64(n) * p))
	truthFile, profileFile := filepath.Join(folder, "truth.folded"), filepath.Join(folder, "profile.folded")
	const scale = 1_000_000
	if err := os.WriteFile(truthFile, fmt.Appendf(nil, "a.f %d\na.g %d\n", int(p*scale), scale-int(p*scale)), 0o644); err != nil {
		return 0, err
	}
	if err := os.WriteFile(profileFile, fmt.Appendf(nil, "a.f %d\na.g %d\n", x, n-x), 0o644); err != nil {
		return 0, err
	}
	truth, err := expect.OpenTruth(truthFile, format.Config{})
	if err != nil {
		return 0, err
	}
	profile, err := expect.OpenProfile(profileFile, format.Config{})
	if err != nil {
		return 0, err
	}
	runs, err := expect.ParseRunLength("random")
	if err != nil {
		return 0, err
	}
	v, err := expect.Check(truth, profile, expect.Options{Rate: 2 * rate, RunLength: runs, Rules: &expect.Rules{List: []expect.Rule{{Self: "a.f"}}}})
	if err != nil {
		return 0, err
	}
	return float64(v.Assertions[0].Bias), nil
}

// largerBest is the larger of the best biases of both directions that exist, as expect states it.
func largerBest(n int, p, level float64) float64 {
	up, down := bestBias(n, p, level, true), bestBias(n, p, level, false)
	switch {
	case math.IsNaN(up):
		return down
	case math.IsNaN(down):
		return up
	}
	return max(up, down)
}

// ratios are smallest biases of expect over those of the best tests.
type ratios struct {
	atLeast10, atLeast1, below1 [2]float64 // smallest and largest, by the expected number of samples
	price                       [2]float64 // where it is at least 10
}

// powerOf compares the smallest biases at a rate of k assertions.
func powerOf(folder string, ns []int, ps []float64, rate float64, k int) (r ratios, err error) {
	empty := [2]float64{math.Inf(1), 0}
	r = ratios{empty, empty, empty, empty}
	widen := func(of *[2]float64, x float64) { *of = [2]float64{min(of[0], x), max(of[1], x)} }
	for _, n := range ns {
		for _, p := range ps {
			one := rate / float64(k)
			bias, err := statedBias(folder, n, p, one)
			if err != nil {
				return r, err
			}
			best := largerBest(n, p, one/2)
			if math.IsNaN(bias) || math.IsNaN(best) {
				continue
			}
			switch np := float64(n) * min(p, 1-p); {
			case np >= 10:
				widen(&r.atLeast10, bias/best)
				widen(&r.price, bias/largerBest(n, p, rate))
			case np >= 1:
				widen(&r.atLeast1, bias/best)
			default:
				widen(&r.below1, bias/best)
			}
		}
	}
	return r, nil
}

// printPower prints the table of powerOf.
func printPower(w io.Writer, ns []int, ps []float64) error {
	folder, err := os.MkdirTemp("", "expect")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fmt.Fprintf(w, "%-6s %10s  %-9s  %-9s  %-9s  %s\n", "rate", "assertions", "np >= 10", "1 to 10", "np < 1", "price, np >= 10")
	for _, rate := range []float64{1e-2, 1e-4, 1e-6} {
		for _, k := range []int{1, 10, 50} {
			r, err := powerOf(folder, ns, ps, rate, k)
			if err != nil {
				return err
			}
			text := func(x [2]float64) string { return fmt.Sprintf("%.2f-%.2f", x[0], x[1]) }
			fmt.Fprintf(w, "%-6.0e %10d  %-9s  %-9s  %-9s  %s\n", rate, k, text(r.atLeast10), text(r.atLeast1), text(r.below1), text(r.price))
		}
	}
	return nil
}
