package sampler

import (
	"fmt"
	"math"
	"time"
)

// Quantiles are a distribution of times: its quantiles at equal steps of
// probability from 0, the least value, to 1, the greatest. Between two of them
// it is uniform. Two and more make a distribution.
type Quantiles []time.Duration

// At returns the p-quantile, for p from 0 to 1.
func (q Quantiles) At(p float64) time.Duration {
	x := p * float64(len(q)-1)
	i := min(int(x), len(q)-2)
	return q[i] + time.Duration(math.Round((x-float64(i))*float64(q[i+1]-q[i])))
}

// Moments returns the mean and the standard deviation.
func (q Quantiles) Moments() (mean, deviation time.Duration) {
	var sum, squares float64
	for i := range len(q) - 1 {
		a, b := float64(q[i]), float64(q[i+1])
		sum += (a + b) / 2
		squares += (a*a + a*b + b*b) / 3
	}
	steps := float64(len(q) - 1)
	m := sum / steps
	return time.Duration(math.Round(m)), time.Duration(math.Round(math.Sqrt(max(0, squares/steps-m*m))))
}

func (q Quantiles) check(of string) error {
	if len(q) == 1 {
		return fmt.Errorf("one quantile of the %s: give none, or at least two", of)
	}
	last := time.Duration(0)
	for _, v := range q {
		if v < last || v > maxCost {
			return fmt.Errorf("quantile %s of the %s after %s: must be ascending times from 0 to %s", v, of, last, maxCost)
		}
		last = v
	}
	return nil
}
