package diff

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// Significant is the largest q-value of a significant change.
const Significant = 0.05

// Change is the change of a method's mean time per trace.
type Change struct {
	Old, New time.Duration
	P, Q     float64 // p-value, and corrected for the number of methods (FDR); NaN: not tested

	// Low and High are the 95 % confidence interval of New − Old, corrected as Q is: the interval
	// excludes 0 exactly when the change is significant. The exception is the Mann-Whitney test,
	// which computes P from ranks. [Sides.Conclude] sets the interval.
	Low, High time.Duration

	// Below and Above are the standard errors of New − Old towards shorter and longer times.
	// Freedom is their degrees of freedom; 0: the error is normal. Step is an additional bound
	// on the error: the duration of one sample, if a side has a single sampled trace.
	Below, Above, Step time.Duration
	Freedom            float64

	// Steady is set if no assignment of the traces to the two sides is significant (P ≤ 0.05),
	// because the standard deviation is taken as at least half a sample ([Student]). Such a method
	// is tested only if it is named beforehand: a test without power only costs power elsewhere.
	// Source: Tarone, A modified Bonferroni method for discrete data, Biometrics 46 (1990).
	Steady bool

	// Sampling is the share of sampling in the variance of the error, 0 to 1; the rest is
	// between-run variance.
	Sampling float64
}

// Difference returns New − Old.
func (c Change) Difference() time.Duration { return c.New - c.Old }

// IsSignificant reports whether Q is at most [Significant].
func (c Change) IsSignificant() bool { return c.Q <= Significant }

// MinimumDetectable returns the smallest change that a comparison with this error detects with 80 %
// power if tests methods are tested: (t(1−α/2) + t(0.8)) times the error, with α = 0.05/tests. It
// returns 0 if the error is unknown.
//
// An error estimated from a few traces is more often too small than too large: s²/σ² has the χ²
// distribution divided by its degrees of freedom, and its median is less than 1. The true error is
// taken to be the one for which the estimate is the median (9 % more for three traces a side, 4 %
// for five).
//
// A longer time also varies more ([Change.growth]), so the change solves an equation. If that has
// no solution below maxDetectable times the old time, MinimumDetectable returns this bound.
func (c Change) MinimumDetectable(tests int) time.Duration {
	if tests < 1 || c.toZero() == 0 {
		return 0
	}
	errs := detectableErrors(c.Freedom, tests) * c.medianError()
	if c.Old == 0 {
		return c.Step + time.Duration(errs)
	}
	from, to := 0., maxDetectable*float64(c.Old)
	for range 64 {
		middle := (from + to) / 2
		if middle < float64(c.Step)+errs*c.growth(middle/float64(c.Old)) {
			from = middle
		} else {
			to = middle
		}
	}
	return time.Duration(math.Round(to))
}

// maxDetectable bounds the search for the minimum detectable change, as a multiple of the old time.
const maxDetectable = 100

// growth returns the factor by which the error grows if the new time is longer than the old one by
// share. Both sides contribute equally to the variance. Sampling variance is proportional to the
// time, like the number of samples; between-run variance is proportional to its square, because the
// excess work of a run takes longer, too.
func (c Change) growth(share float64) float64 {
	longer := 1 + share
	now := c.Sampling*longer + (1-c.Sampling)*longer*longer
	return math.Sqrt((1 + now) / 2)
}

// detectableErrors returns the change that is detected with 80 % power, in standard errors.
func detectableErrors(freedom float64, tests int) float64 {
	return studentQuantile(freedom, 1-Significant/2/float64(tests)) + studentQuantile(freedom, 0.8)
}

// medianError returns the true error for which the estimated one is the median, in ns.
func (c Change) medianError() float64 {
	if c.Freedom <= 0 {
		return float64(c.toZero())
	}
	return float64(c.toZero()) * math.Sqrt(c.Freedom/distuv.ChiSquared{K: c.Freedom}.Quantile(0.5))
}

// toZero returns the standard error of New − Old towards 0.
func (c Change) toZero() time.Duration {
	if c.Difference() < 0 {
		return c.Above
	}
	return c.Below
}

// setInterval sets the interval that excludes the true change with probability alpha.
func (c *Change) setInterval(alpha float64) {
	t := studentQuantile(c.Freedom, 1-alpha/2)
	c.Low = c.Difference() - c.Step - time.Duration(math.Round(t*float64(c.Below)))
	c.High = c.Difference() + c.Step + time.Duration(math.Round(t*float64(c.Above)))
}

// studentQuantile returns a quantile of Student's t distribution, or of the normal distribution if
// freedom is 0.
func studentQuantile(freedom, p float64) float64 {
	if freedom <= 0 {
		return distuv.UnitNormal.Quantile(p)
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(p)
}
