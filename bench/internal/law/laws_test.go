package law

import (
	"math"
	"math/big"
	"testing"
	"time"

	"artifice/internal/testdata"
)

// row is a published value, computed independently and rounded to its last digit.
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

// TestMerging checks periodic and random loops.
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
	// A 5 µs callee at 95 % duty, sampled every ms, has a mean of 1/(1−0.95) = 20 ms.
	callee := Alternating{On: 5 * time.Microsecond, Off: 5 * time.Microsecond * 5 / 95}
	checkRows(t, []row{{"mean reported", inMS(callee.MeanReported(ms(1))), 20, 0.2}})
}

// TestPause checks the slowdowns of a paused app.
func TestPause(t *testing.T) {
	us := func(x int) time.Duration { return time.Duration(x) * time.Microsecond }
	both := func(x int) float64 { return (pause{us(x), us(50)}.slowdown() + pause{us(x), us(250)}.slowdown()) / 2 }
	checkRows(t, []row{
		{"shallow", pause{us(1150), us(50)}.slowdown(), 1.0435, 1e-4},
		{"deep", pause{us(1150), us(250)}.slowdown(), 1.2174, 1e-4},
		{"slowdown, short interval", both(180), 1.833, 1e-3},
		{"A at .1 ms", pause{us(350), us(1000)}.slowdown(), 3.86, 0.01},
		{"A at 1 ms", pause{us(1250), us(1000)}.slowdown(), 1.8, 0.01},
		{"A at 1 ms, period", inMS(pause{us(1250), us(1000)}.period()), 2.25, 0.01},
		{"A at 5 ms", pause{us(5250), us(1000)}.slowdown(), 1.19, 0.01},
		{"A at 10 ms", pause{us(10250), us(1000)}.slowdown(), 1.098, 0.001},
		{"B at 1 ms", pause{us(1130), us(200)}.slowdown(), 1.18, 0.01},
		{"C at 1 ms", pause{us(1070), us(30)}.slowdown(), 1.028, 0.001},
	})
}

// TestFloor checks the expected overlap of an ideal sampler for N = 100, 1000 and 10000. Three of
// the documented values are one too high in their last digit.
func TestFloor(t *testing.T) {
	for _, c := range []struct {
		s    float64
		m    int
		want [3]float64
	}{{1, 50, [3]float64{0.762, 0.926, 0.977}}, {1, 500, [3]float64{0.502, 0.788, 0.934}}, {1, 2000, [3]float64{0.399, 0.658, 0.877}}, {1.5, 500, [3]float64{0.756, 0.892, 0.962}}} {
		for i, n := range []int64{100, 1000, 10000} {
			checkRows(t, []row{{"floor", Floor(testdata.Zipf(c.s, c.m), n), c.want[i], 2e-3}})
		}
	}
}

// sumOfDeviations returns the sum of |k − np| over the whole distribution. It computes the pmf by
// recurrence with 300-bit numbers, which do not underflow.
func sumOfDeviations(n int64, p float64) float64 {
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
		pmf.Mul(pmf, num(float64(n-k)*p)) // rounds (n−k)p to 53 bits: error 1e-16 a step
		pmf.Quo(pmf, num(float64(k+1)))
		pmf.Quo(pmf, q)
	}
	f, _ := sum.Float64()
	return f
}

// TestMeanDeviation compares the closed form with the sum, and with the normal limit √(2npq/π) for
// huge n.
func TestMeanDeviation(t *testing.T) {
	for _, n := range []int64{1, 2, 7, 60, 500} {
		for _, p := range []float64{1e-6, 0.01, 0.3, 0.5, 0.77, 0.999} {
			want := sumOfDeviations(n, p)
			if got := meanDeviation(n, p); math.Abs(got-want) > 1e-9*(1+want) {
				t.Errorf("n=%d p=%g: %v, want %v", n, p, got, want)
			}
		}
	}
	for _, n := range []int64{1e9, 1e12, 1e15} {
		want := math.Sqrt(2 * float64(n) * 0.3 * 0.7 / math.Pi)
		if got := meanDeviation(n, 0.3); math.Abs(got/want-1) > 1e-6 {
			t.Errorf("n=%d: %v, want about %v", n, got, want)
		}
	}
	for _, p := range []float64{0, 1} {
		if got := meanDeviation(10, p); got != 0 {
			t.Errorf("meanDeviation(10, %g) = %v, want 0", p, got)
		}
	}
	if Floor([]float64{1}, 0) != 0 || Floor(nil, 5) != 1 {
		t.Errorf("Floor of no samples = %v, want 0; Floor of no methods = %v, want 1", Floor([]float64{1}, 0), Floor(nil, 5))
	}
}
