package dist

import (
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
	"time"
)

// cdfs are the distribution functions in closed form, times in us.
var cdfs = map[string]func(us float64) float64{
	"uniform 100us..300us": func(x float64) float64 { return min(max((x-100)/200, 0), 1) },
	"exp 100us":            func(x float64) float64 { return 1 - math.Exp(-x/100) },
	"lognormal 100us 0.7":  func(x float64) float64 { return (1 + math.Erf(math.Log(x/100)/(0.7*math.Sqrt2))) / 2 },
	"pareto 100us 2.5": func(x float64) float64 {
		if x < 100 {
			return 0
		}
		return 1 - math.Pow(100/x, 2.5)
	},
}

// TestDrawsFollowTheirDistribution: Kolmogorov and Smirnov's distance between
// 20000 draws and the distribution function stays below 1.95/sqrt(n), which
// chance exceeds once in 1000.
func TestDrawsFollowTheirDistribution(t *testing.T) {
	const n = 20_000
	for text, cdf := range cdfs {
		d, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		src := rand.NewPCG(1, 2)
		draws := make([]float64, n)
		for i := range draws {
			draws[i] = float64(d.Draw(src)) / 1000
		}
		sort.Float64s(draws)
		distance := 0.0
		for i, x := range draws {
			distance = max(distance, math.Abs(cdf(x)-float64(i)/n), math.Abs(cdf(x)-float64(i+1)/n))
		}
		if limit := 1.95 / math.Sqrt(n); distance > limit {
			t.Errorf("%s: distance %.4f, limit %.4f", text, distance, limit)
		}
	}
}

func TestFixedTimeIsExact(t *testing.T) {
	d, err := Parse("1234567ns")
	if got := d.Draw(nil); err != nil || got != 1234567*time.Nanosecond {
		t.Errorf("got %d, %v", got, err)
	}
}

// TestHugeDrawsAreBounded: a heavy tail cannot overflow a time.
func TestHugeDrawsAreBounded(t *testing.T) {
	for _, text := range []string{"pareto 10000h 1.01", "lognormal 10000h 5", "exp 100000h"} {
		d, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		src := rand.NewPCG(1, 2)
		for range 10_000 {
			if got := d.Draw(src); got < 0 || got > MaxDraw {
				t.Fatalf("%s: drew %d", text, got)
			}
		}
	}
}

// TestCountClosedForms: survive and rounds against sums over the range.
func TestCountClosedForms(t *testing.T) {
	for _, text := range []string{"0", "1", "7", "uniform 0..3", "uniform 2..9"} {
		c, err := ParseCount(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []float64{0, 0.3, 0.999, 1} {
			survive, rounds, n := 0.0, 0.0, 0.0
			for k := c.Least; k <= c.Most; k++ {
				n++
				survive += math.Pow(s, float64(k))
				for j := range k {
					rounds += math.Pow(s, float64(j))
				}
			}
			if got := c.Survive(s); math.Abs(got-survive/n) > 1e-9 {
				t.Errorf("%s, s = %v: survive %v, want %v", text, s, got, survive/n)
			}
			if got := c.Rounds(s); math.Abs(got-rounds/n) > 1e-9 {
				t.Errorf("%s, s = %v: rounds %v, want %v", text, s, got, rounds/n)
			}
		}
	}
}

func TestParseCountRefuses(t *testing.T) {
	for _, text := range []string{"", "-1", "uniform 3..2", "uniform 3", "ever", strings.Repeat("9", 30)} {
		if c, err := ParseCount(text); err == nil {
			t.Errorf("%q taken as %+v", text, c)
		}
	}
}
