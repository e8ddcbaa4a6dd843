package plan

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Power is the power of a plan: the probability to detect the change. alpha is the false-alarm rate
// of a method named before recording.
const (
	Power = 0.8
	alpha = 0.05
)

// MaxTraces is the maximum number of traces a side.
const MaxTraces = 1000

// studentPower returns the power of Student's t test of n ≥ 2 traces a side to detect a difference,
// in units of the true standard deviation of a trace, with its direction. The test takes the
// standard deviation as at least least times the true one.
//
// The power is the mean, over the estimated standard deviation s, of the probability that the
// difference exceeds t(1−α/2) s √(2/n). s² (in units of σ²) has the χ² distribution with 2(n−1)
// degrees of freedom, divided by these.
func studentPower(difference float64, n int, least float64) float64 {
	freedom := float64(2 * (n - 1))
	if n < 2 || math.IsNaN(difference) {
		return 0
	}
	critical := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(1 - alpha/2)
	shift := difference * math.Sqrt(float64(n)/2)
	logScale, _ := math.Lgamma(freedom / 2)
	logScale = math.Ln2 + freedom/2*math.Log(freedom/2) - logScale
	const steps = 400 // of Simpson's rule; the integrand is smooth
	from, to := max(0, 1-8/math.Sqrt(2*freedom)), 1+8/math.Sqrt(2*freedom)
	sum, h := 0.0, (to-from)/steps
	for i := range steps + 1 {
		s := from + float64(i)*h
		if s <= 0 {
			continue
		}
		weight := 2.
		switch {
		case i == 0 || i == steps:
			weight = 1
		case i%2 == 1:
			weight = 4
		}
		density := math.Exp(logScale + (freedom-1)*math.Log(s) - freedom*s*s/2)
		sum += weight * density * distuv.UnitNormal.CDF(shift-critical*max(s, least))
	}
	return min(1, sum*h/3)
}

// fewest returns the minimum number of traces a side for which power, an increasing function,
// reaches [Power], from 2 to [MaxTraces]; 0: none.
func fewest(power func(n int) float64) int {
	low, high := 1, 2
	for power(high) < Power {
		if low = high; low == MaxTraces {
			return 0
		}
		high = min(2*high, MaxTraces)
	}
	for high-low > 1 {
		if middle := (low + high) / 2; power(middle) < Power {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
