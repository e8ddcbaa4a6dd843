package theory

import (
	"math"
	"math/big"
	"testing"
	"time"
)

// row is a value that was printed elsewhere: worked out independently and
// rounded to its last digit.
type row struct {
	name      string
	got, want float64
	digit     float64 // one unit of want's last digit
}

func checkRows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		if math.Abs(r.got-r.want) > 0.5001*r.digit {
			t.Errorf("%s: %v, want %v", r.name, r.got, r.want)
		}
	}
}

// TestOneCall: the table of one systematically sampled call, T = 1.
func TestOneCall(t *testing.T) {
	for _, c := range []struct{ d, p, mean, variance, detected float64 }{
		{0.1, 0.1, 0.1, 0.09, 1}, {0.5, 0.5, 0.5, 0.25, 1}, {0.9, 0.9, 0.9, 0.09, 1}, {2.3, 1, 2.3, 0.21, 2.3}, {5.7, 1, 5.7, 0.21, 5.7},
	} {
		call := Call{ms(c.d), ms(1)}
		sd := inMS(call.StdDevReported())
		checkRows(t, []row{
			{"detected", call.Detected(), c.p, 1e-4},
			{"mean", inMS(call.MeanReported()), c.mean, 1e-4},
			{"variance", sd * sd, c.variance, 1e-4},
			{"if detected", inMS(call.MeanIfDetected()), c.detected, 1e-4},
		})
	}
	checkRows(t, []row{{"RMSE", inMS(DurationRMSE(ms(1))), 0.408, 1e-3}})
}

// TestGaps: a sleep of 1 with mean gap 1.35 and a call of 4.2.
func TestGaps(t *testing.T) {
	g := Sleep{ms(1), ms(0.35)}
	checkRows(t, []row{
		{"detected", Detected(g, ms(4.2)), 0.9999, 2e-4},
		{"count x nominal", inMS(CountTimesNominal(g, ms(1), ms(4.2))), 3.111, 1e-3},
		{"poisson", Detected(Poisson(ms(1)), ms(1)), 1 - math.Exp(-1), 1e-5},
		{"systematic", Detected(Sleep{Interval: ms(1)}, ms(0.3)), 0.3, 1e-9},
		{"systematic, long", Detected(Sleep{Interval: ms(1)}, ms(3)), 1, 1e-9},
	})
}

// TestTotals: standard errors of totals, T = 1.
func TestTotals(t *testing.T) {
	for _, c := range []struct {
		n                   int
		d                   float64
		systematic, poisson float64
		digit               float64
	}{{1, 50.37, 0.00959, 0.1409, 1e-5}, {10, 5.5, 0.02875, 0.1348, 1e-5}, {100, 0.5, 0.1, 0.1414, 1e-4}, {1000, 0.05, 0.1378, 0.1414, 1e-4}} {
		total := Total{c.n, ms(c.d), ms(1)}
		checkRows(t, []row{{"systematic", total.SystematicError(), c.systematic, c.digit}, {"poisson", total.PoissonError(), c.poisson, 1e-4}})
	}
}

// TestRecall: methods of short scattered calls.
func TestRecall(t *testing.T) {
	checkRows(t, []row{
		{"30 x 0.1", Total{30, ms(0.1), ms(1)}.Seen(), 0.9576, 1e-4},
		{"100 x 0.03", Total{100, ms(0.03), ms(1)}.Seen(), 0.9524, 1e-4},
		{"1000 x 0.001", Total{1000, ms(0.001), ms(1)}.Seen(), 0.6323, 1e-4},
		{"95 %", inMS(TimeForRecall(0.95, ms(1))), 3.0, 0.1},
		{"99 %", inMS(TimeForRecall(0.99, ms(1))), 4.6, 0.1},
		{"inverse", inMS(IntervalForRecall(0.95, TimeForRecall(0.95, ms(7)))), 7, 1e-5},
		{"A at 1 ms", inMS(TimeForRecall(0.95, ms(1.25))), 3.75, 0.02},
	})
}

// TestMerging: periodic and random loops.
func TestMerging(t *testing.T) {
	loop := func(on, off, interval float64) float64 { return Loop{ms(on), ms(off)}.ReportedPerTrue(ms(interval)) }
	checkRows(t, []row{
		{"1+1 at 1.5", loop(1, 1, 1.5), 0.3333, 1e-4},
		{"1+1 at 2", loop(1, 1, 2), 0, 1e-9},
		{"1+1 at 2.05", loop(1, 1, 2.05), 0.0244, 1e-4},
		{".9+.1 at .5", loop(0.9, 0.1, 0.5), 0.2, 1e-4},
		{".9+.1 at .97", loop(0.9, 0.1, 0.97), 0.0309, 1e-4},
		{".2+.8 at .7", loop(0.2, 0.8, 0.7), 0.2857, 1e-4},
		{".3+.2 at 2.17", loop(0.3, 0.2, 2.17), 0.0783, 1e-4},
		{"all seen", loop(3, 4, 2.9), 1, 1e-9}, // T ≤ both
		{"x=.2", Universal(0.2), 0.9063, 1e-4},
		{"x=1", Universal(1), 0.6321, 1e-4},
		{"x=4", Universal(4), 0.2454, 1e-4},
		{"x=60", Universal(60), 0.0167, 1e-4},
		{"x=0", Universal(0), 1, 1e-9},
	})
	// 5 µs at 95 % duty, sampled every ms: 1/(1−0.95) = 20 ms.
	callee := Alternating{On: 5 * time.Microsecond, Off: 5 * time.Microsecond * 5 / 95}
	checkRows(t, []row{{"mean reported", inMS(callee.MeanReported(ms(1))), 20, 0.2}})
}

// TestIsolated: durations of isolated exponential calls.
func TestIsolated(t *testing.T) {
	at := func(mean float64) Isolated { return Isolated{ms(mean), ms(1)} }
	checkRows(t, []row{
		{"recall .3", at(0.3).Recall(), 0.2893, 1e-4}, {"mean .3", inMS(at(0.3).MeanIfDetected()), 1.037, 1e-3}, {"KS .3", at(0.3).KS(), 0.9643, 1e-4},
		{"recall 3", at(3).Recall(), 0.8504, 1e-4}, {"mean 3", inMS(at(3).MeanIfDetected()), 3.528, 1e-3}, {"KS 3", at(3).KS(), 0.2835, 1e-4},
		{"KS 30", at(30).KS(), 0.0328, 1e-4},
		{"KS .1", Isolated{ms(1), ms(0.105)}.KS(), 0.1, 1e-2},
	})
}

// TestAliasing: standard deviations of a loop's share. The printed figures are
// simulations of a few hundred runs, so they hold to some percent.
func TestAliasing(t *testing.T) {
	want := map[string]float64{
		"T=1L σ=0L sleep": 0.456, "T=1L σ=0.01L sleep": 0.238, "T=1L σ=0.01L absolute": 0.455, "T=1L σ=0.03L sleep": 0.089, "T=1L σ=0.03L absolute": 0.427,
		"T=1L σ=0.1L sleep": 0.027, "T=1L σ=0.1L absolute": 0.317, "T=1L σ=0.3L sleep": 0.0115, "T=1L σ=0.3L absolute": 0.063,
		"T=1.0333L σ=0L sleep": 0.0017, "T=1.41421356L σ=0L sleep": 0.0004, "T=2.5L σ=0L sleep": 0.243,
	}
	for _, c := range aliasingCases() {
		got := c.ShareStdDev()
		w, ok := want[c.name]
		if !ok {
			t.Errorf("%s: nothing to compare with", c.name)
		}
		if math.Abs(got-w) > 0.03*w+0.00006 {
			t.Errorf("%s: %.5f, want %.4f", c.name, got, w)
		}
	}
}

// TestFrames: the 60-fps example in percentage points, printed with two digits:
// within 10 % and the rounding.
func TestFrames(t *testing.T) {
	want := []float64{9.9, 0.11, 5.2, 1.7, 0.13}
	for i, c := range frameCases() {
		got := 100 * c.ShareStdDev()
		digit := math.Pow(10, math.Floor(math.Log10(want[i]))-1)
		if math.Abs(got-want[i]) > 0.1*want[i]+0.5*digit {
			t.Errorf("%s: %.3f points, want %.2f", c.name, got, want[i])
		}
	}
	checkRows(t, []row{{"independent", 100 * ShareError(0.1, 3000), 0.55, 0.01}})
}

// TestPause: slowdowns and shares of a paused app.
func TestPause(t *testing.T) {
	us := func(x int) time.Duration { return time.Duration(x) * time.Microsecond }
	shares := func(x int) float64 {
		return WallShares([]Phase{{time.Second, Pause{us(x), us(50)}}, {time.Second, Pause{us(x), us(250)}}})[1]
	}
	both := func(x int) float64 { return (Pause{us(x), us(50)}.Slowdown() + Pause{us(x), us(250)}.Slowdown()) / 2 }
	checkRows(t, []row{
		{"shallow", Pause{us(1150), us(50)}.Slowdown(), 1.0435, 1e-4},
		{"deep", Pause{us(1150), us(250)}.Slowdown(), 1.2174, 1e-4},
		{"share", shares(1150), 0.5385, 1e-4},
		{"share, short interval", shares(180), 0.6515, 1e-4},
		{"slowdown, short interval", both(180), 1.833, 1e-3},
		{"A at .1 ms", Pause{us(350), us(1000)}.Slowdown(), 3.86, 0.01},
		{"A at 1 ms", Pause{us(1250), us(1000)}.Slowdown(), 1.8, 0.01},
		{"A at 1 ms, period", inMS(Pause{us(1250), us(1000)}.Period()), 2.25, 0.01},
		{"A at 5 ms", Pause{us(5250), us(1000)}.Slowdown(), 1.19, 0.01},
		{"A at 10 ms", Pause{us(10250), us(1000)}.Slowdown(), 1.098, 0.001},
		{"B at 1 ms", Pause{us(1130), us(200)}.Slowdown(), 1.18, 0.01},
		{"C at 1 ms", Pause{us(1070), us(30)}.Slowdown(), 1.028, 0.001},
	})
}

// TestHook: function bias and slowdown of instrumenting.
func TestHook(t *testing.T) {
	slow, gain := Hook{3350}.LeafShare(1e6, 50, 5050*time.Millisecond)
	fast, _ := Hook{200}.LeafShare(1e6, 50, 5050*time.Millisecond)
	checkRows(t, []row{
		{"leaf", slow, 0.289, 1e-3}, {"caller", gain, 0.285, 1e-3}, {"fast hook", fast, 0.046, 1e-3},
		{"0.05 µs", Hook{50}.Slowdown(1e5), 1.01, 0.01}, {"1.4 µs", Hook{1400}.Slowdown(1e5), 1.28, 0.01},
		{"3.35 µs", Hook{3350}.Slowdown(1e5), 1.67, 0.01}, {"10.9 µs", Hook{10900}.Slowdown(1e6), 22.8, 0.1},
	})
}

// TestFloor: expected overlap and Kendall τ of an ideal sampler, N = 100, 1000,
// 10000. Three of the printed values are one too high in their last digit.
func TestFloor(t *testing.T) {
	for _, c := range []struct {
		s    float64
		m    int
		want [3]float64
	}{{1, 50, [3]float64{0.762, 0.926, 0.977}}, {1, 500, [3]float64{0.502, 0.788, 0.934}}, {1, 2000, [3]float64{0.399, 0.658, 0.877}}, {1.5, 500, [3]float64{0.756, 0.892, 0.962}}} {
		for i, n := range []int64{100, 1000, 10000} {
			checkRows(t, []row{{"floor", Floor(Zipf(c.s, c.m), n), c.want[i], 2e-3}})
		}
	}
	shares := Zipf(1, 50)
	checkRows(t, []row{
		{"τ 100", FloorKendall(shares, 100), 0.447, 1e-3}, {"τ 1000", FloorKendall(shares, 1000), 0.719, 1e-3}, {"τ 10000", FloorKendall(shares, 10000), 0.896, 1e-3},
		{"frontier", 1e6 * Frontier(0.2, 50*time.Microsecond, time.Second), 8, 0.1},
	})
}

// meanDeviation sums |k − np| over the whole distribution, with a pmf by
// recurrence in numbers of 300 bits, which do not underflow.
func meanDeviation(n int64, p float64) float64 {
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	q := num(1)
	q.Sub(q, num(p))
	pmf := num(1)
	for range n {
		pmf.Mul(pmf, q)
	}
	sum := num(0)
	mean := num(p)
	mean.Mul(mean, num(float64(n)))
	for k := int64(0); k <= n; k++ {
		off := num(float64(k))
		off.Sub(off, mean)
		sum.Add(sum, off.Abs(off).Mul(off, pmf))
		pmf.Mul(pmf, num(float64(n-k)*p)) // rounds (n−k)p to 53 bits: 1e-16 a step
		pmf.Quo(pmf, num(float64(k+1)))
		pmf.Quo(pmf, q)
	}
	f, _ := sum.Float64()
	return f
}

// TestMeanDeviation compares the closed form with the sum, and with the normal
// limit √(2npq/π) where n is huge.
func TestMeanDeviation(t *testing.T) {
	for _, n := range []int64{1, 2, 7, 60, 500} {
		for _, p := range []float64{1e-6, 0.01, 0.3, 0.5, 0.77, 0.999} {
			want := meanDeviation(n, p)
			if got := MeanDeviation(n, p); math.Abs(got-want) > 1e-9*(1+want) {
				t.Errorf("n=%d p=%g: %v, want %v", n, p, got, want)
			}
		}
	}
	for _, n := range []int64{1e9, 1e12, 1e15} {
		want := math.Sqrt(2 * float64(n) * 0.3 * 0.7 / math.Pi)
		if got := MeanDeviation(n, 0.3); math.Abs(got/want-1) > 1e-6 {
			t.Errorf("n=%d: %v, want about %v", n, got, want)
		}
	}
	for _, p := range []float64{0, 1} {
		if got := MeanDeviation(10, p); got != 0 {
			t.Errorf("p=%g: %v", p, got)
		}
	}
	if Floor([]float64{1}, 0) != 0 || Floor(nil, 5) != 1 {
		t.Errorf("floor of nothing: %v, %v", Floor([]float64{1}, 0), Floor(nil, 5))
	}
}
