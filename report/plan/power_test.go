package plan

import (
	"math"
	"testing"
)

// TestPower compares sample sizes with Cohen, Statistical Power Analysis for the Behavioral
// Sciences, second edition, table 2.4.1. The table has the number of observations per group that a
// two-sided test of two means with α = 0.05 and 80 % power needs for a difference in standard
// deviations. The powers are those of R's power.t.test(n, delta, sd = 1), to four digits.
func TestPower(t *testing.T) {
	for _, c := range []struct {
		difference float64
		n          int
		want       float64
	}{
		{0.2, 393, 0.80}, {0.5, 64, 0.80}, {0.8, 26, 0.80}, {0.5, 85, 0.90}, {0.8, 34, 0.90},
	} {
		got := studentPower(c.difference, c.n, 0)
		if math.Abs(got-c.want) > 0.008 {
			t.Errorf("d = %g, n = %d: power %.4f, want %.2f", c.difference, c.n, got, c.want)
		}
		if c.want == Power {
			if n := fewest(func(n int) float64 { return studentPower(c.difference, n, 0) }); n < c.n-1 || n > c.n+1 {
				t.Errorf("d = %g: sample size %d a side, want %d as in Cohen", c.difference, n, c.n)
			}
		}
	}
	// Without a change, a test detects a change in a given direction with probability 2.5 %, for
	// any n.
	for _, n := range []int{2, 3, 10, 200} {
		if got := studentPower(0, n, 0); math.Abs(got-alpha/2) > 1e-4 {
			t.Errorf("no difference, n = %d: %.5f", n, got)
		}
	}
	// If a test assumes a standard deviation of at least twice the true one, it has less power:
	// with many traces, the probability that z > 1.96 × 2 − d √(n/2).
	if got, want := studentPower(0.1, 800, 2), math.Erfc((2*1.96-2)/math.Sqrt2)/2; math.Abs(got-want) > 0.002 {
		t.Errorf("twice the standard deviation: power %.4f, want %.4f", got, want)
	}
	if studentPower(5, 1, 0) != 0 {
		t.Error("the power of one trace a side is not 0")
	}
}

// TestMinimumSampleSize checks the minimum sample size, which is 0 if no number suffices.
func TestMinimumSampleSize(t *testing.T) {
	if n := fewest(func(int) float64 { return 0.5 }); n != 0 {
		t.Errorf("%d", n)
	}
	for want := 2; want <= MaxTraces; want += 37 {
		if n := fewest(func(n int) float64 { return map[bool]float64{true: 1}[n >= want] }); n != want {
			t.Errorf("%d, want %d", n, want)
		}
	}
}

// TestRangeOfSampling: if only the sampling variance is uncertain, by a factor of 1.5, the numbers of
// traces differ by about this factor: for a standard deviation of 20 % and a change of 10 %, 2 · 7.85
// · 0.2²/0.1² = 63 traces (normal quantiles 1.96 and 0.84), with a limit of 42 and one of 94. Growing
// by 10 % adds a twentieth to the variance, and Student's quantiles one trace.
func TestRangeOfSampling(t *testing.T) {
	p := &Plan{Change: 0.1}
	row := &Row{model: model{time: 1e9, more: 0.2 * 0.2 * 1e18}}
	p.finish(row, 0)
	for _, c := range []struct{ got, want int }{{row.Needed.Low, 42}, {row.Needed.Traces, 63}, {row.Needed.High, 94}} {
		if low, high := c.want, c.want+c.want/20+3; c.got < low || c.got > high {
			t.Errorf("%+v: %d traces, want %d to %d", row.Needed, c.got, low, high)
		}
	}
}
