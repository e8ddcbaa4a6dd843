package dist

import (
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
	"time"
)

// cdfs are the distribution functions in closed form, with times in us.
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

// TestDrawsFollowTheirDistribution checks that the Kolmogorov-Smirnov distance between 20000 draws
// and the distribution function is below 1.95/sqrt(n), which chance exceeds once in 1000.
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

// TestHugeDrawsAreBounded checks that a heavy tail cannot overflow a time.
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

// TestCountClosedForms checks that Survive and Rounds equal sums over the range.
func TestCountClosedForms(t *testing.T) {
	for _, text := range []string{"0", "1", "7", "uniform 0..3", "uniform 2..9"} {
		c, err := ParseCount(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []float64{0, 0.3, 0.999, 1} {
			survive, rounds, n := 0.0, 0.0, 0.0
			for k := c.Min; k <= c.Max; k++ {
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
			t.Errorf("%q is parsed as %+v, want an error", text, c)
		}
	}
}

// TestCountDraws checks that each number of a range is drawn, including both ends, about as often
// as any other, and that no other number is drawn. Chi-squared with 6 degrees of freedom is above
// 22.5 once in 1000.
func TestCountDraws(t *testing.T) {
	c, err := ParseCount("uniform 2..8")
	if err != nil {
		t.Fatal(err)
	}
	const n = 7000
	src := rand.NewPCG(1, 2)
	drawn := map[int64]float64{}
	for range n {
		drawn[c.Draw(src)]++
	}
	chi := 0.0
	for k := int64(2); k <= 8; k++ {
		chi += (drawn[k] - n/7) * (drawn[k] - n/7) / (n / 7)
	}
	if len(drawn) != 7 || chi > 22.5 {
		t.Errorf("%v were drawn, chi-squared %.1f", drawn, chi)
	}
}

// TestMeans checks means by formula: exp(mu + sigma²/2) for a log-normal distribution, and
// least·alpha/(alpha−1) for Pareto's. Multiplying a distribution multiplies its mean.
func TestMeans(t *testing.T) {
	for text, want := range map[string]float64{
		"250us": 250, "exp 100us": 100, "uniform 100us..300us": 200,
		"lognormal 100us 0.7": 100 * math.Exp(0.7*0.7/2), "pareto 100us 2.5": 100 * 2.5 / 1.5,
	} {
		d, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, factor := range []float64{1, 1.2, 3} {
			times := d
			times.Multiply(factor)
			if got := times.Mean() / 1000; math.Abs(got-factor*want) > 1e-6*want {
				t.Errorf("%s times %g: mean %g us, want %g", text, factor, got, factor*want)
			}
		}
	}
}

// TestParse checks the minimum and maximum values, and values beyond them.
func TestParse(t *testing.T) {
	for text, ok := range map[string]bool{
		"0s": true, "-1ns": false, "640511h": true, "640512h": false, // 1<<61 ns are 640,511.9 hours
		"exp 1ns": true, "exp 0s": false, "exp": false, "uniform 1ms..1ms": true, "uniform 2ms..1ms": false, "uniform 1ms": false, "uniform 0s..x": false,
		"lognormal 1ms 5": true, "lognormal 1ms 5.1": false, "lognormal 1ms 0": false, "lognormal 1ms x": false, "lognormal 0s 1": false,
		"pareto 1ms 1000": true, "pareto 1ms 1001": false, "pareto 1ms 1.01": true, "pareto 1ms 1": false, "pareto 1ms x": false, "pareto -1ms 2": false,
		"gauss 1ms 2ms": false, "": false,
	} {
		if _, err := Parse(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
