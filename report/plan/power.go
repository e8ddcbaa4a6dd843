package plan

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Found is the share of comparisons that are to find a change, and alpha how often one is to be found where
// nothing has changed: of a method that is named before anything is recorded.
const (
	Found = 0.8
	alpha = 0.05
)

// MostTraces is how many traces a side are looked at.
const MostTraces = 1000

// studentPower returns how likely Student's test of n traces a side (2 and more) finds, with its direction, a difference of
// so many standard deviations of a trace. The test takes a standard deviation for least times
// the true one at least.
//
// It is the mean, over the standard deviation s that the traces show, of the probability
// that the difference is more than t(1−α/2) s √(2/n). s² (in units of σ²) has the
// distribution of χ² over its 2(n−1) degrees of freedom.
func studentPower(difference float64, n int, least float64) float64 {
	freedom := float64(2 * (n - 1))
	if n < 2 || math.IsNaN(difference) {
		return 0
	}
	critical := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(1 - alpha/2)
	shift := difference * math.Sqrt(float64(n)/2)
	logScale, _ := math.Lgamma(freedom / 2)
	logScale = math.Ln2 + freedom/2*math.Log(freedom/2) - logScale
	const steps = 400 // Simpson's rule, of what is smooth
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

// fewest returns the least number of traces a side for which power reaches [Found], from 2 to
// [MostTraces]; 0: there is none. Power rises with the number.
func fewest(power func(n int) float64) int {
	low, high := 1, 2
	for power(high) < Found {
		if low = high; low == MostTraces {
			return 0
		}
		high = min(2*high, MostTraces)
	}
	for high-low > 1 {
		if middle := (low + high) / 2; power(middle) < Found {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
