package diff

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// Significant is the q-value up to which a change counts as one.
const Significant = 0.05

// Change is how a method's time differs, per trace on average.
type Change struct {
	Old, New time.Duration
	P, Q     float64 // probability by chance, and corrected for the number of methods; NaN: unknown

	// Low and High are the interval of New − Old with 95 %, corrected as Q is: it leaves out 0
	// where the change is significant, and nowhere else (but for Mann and Whitney's test, whose P
	// is of ranks). [Sides.Conclude] sets it.
	Low, High time.Duration

	// Below and Above are the standard errors of New − Old towards less and towards more, and
	// Freedom the degrees of freedom of both; 0: so many that the error is normal.
	// By Step it can be off besides, where it is counted in samples of one trace.
	Below, Above, Step time.Duration
	Freedom            float64

	// Steady: the times differ so little that the change could not be significant (P ≤ 0.05) whichever of the traces were
	// the old ones, as half a sample is their standard deviation at least ([Student]). Among others such a method is not tested,
	// since a test that cannot find anything only makes the others harder: Tarone, A modified Bonferroni method for
	// discrete data, Biometrics 46 (1990).
	Steady bool

	// Sampling is the part of the errors' variance that is of sampling, 0 to 1; the rest is of runs
	// that differ.
	Sampling float64
}

// Difference returns New − Old.
func (c Change) Difference() time.Duration { return c.New - c.Old }

// IsSignificant reports whether the change is more than chance.
func (c Change) IsSignificant() bool { return c.Q <= Significant }

// Seen returns the smallest change that a comparison of this error finds in 80 of 100 cases, where
// it is one of so many that are tested: (t(1−α/2) + t(0.8)) times the error, with
// α = 0.05/tests. 0: the error is not known.
//
// The error of a few traces is too small more often than too great: s²/σ² is distributed as χ² over its degrees of freedom, whose
// median is less than 1. So it is taken for what it is in the middle of all cases (9 % more with three traces a side, 4 % with five).
//
// A method that takes longer also varies more ([Change.growth]), so that the change is the solution of an equation. Where
// that has none below mostSeen times the old time, it is that.
func (c Change) Seen(tests int) time.Duration {
	if tests < 1 || c.toZero() == 0 {
		return 0
	}
	errs := seenErrors(c.Freedom, tests) * c.middleError()
	if c.Old == 0 {
		return c.Step + time.Duration(errs)
	}
	from, to := 0., mostSeen*float64(c.Old)
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

// mostSeen is the largest change that is looked at, as a multiple of the old time.
const mostSeen = 100

// growth is how many times larger the error is where the new time is longer than the old one by a share of it. Both sides
// have the same part in its variance. That of sampling grows as the time does, for there are so many more ends of calls or samples
// that count them; that of the runs with its square, for what one run has more than another takes longer, too.
func (c Change) growth(share float64) float64 {
	longer := 1 + share
	now := c.Sampling*longer + (1-c.Sampling)*longer*longer
	return math.Sqrt((1 + now) / 2)
}

// seenErrors is how many true errors a change has that is found in 80 of 100 cases.
func seenErrors(freedom float64, tests int) float64 {
	return studentQuantile(freedom, 1-Significant/2/float64(tests)) + studentQuantile(freedom, 0.8)
}

// middleError is the true error of which the one that was found is the median, in ns.
func (c Change) middleError() float64 {
	if c.Freedom <= 0 {
		return float64(c.toZero())
	}
	return float64(c.toZero()) * math.Sqrt(c.Freedom/distuv.ChiSquared{K: c.Freedom}.Quantile(0.5))
}

// toZero is the standard error of New − Old towards no change.
func (c Change) toZero() time.Duration {
	if c.Difference() < 0 {
		return c.Above
	}
	return c.Below
}

// setInterval sets the interval that leaves out the true change with a probability of alpha.
func (c *Change) setInterval(alpha float64) {
	t := studentQuantile(c.Freedom, 1-alpha/2)
	c.Low = c.Difference() - c.Step - time.Duration(math.Round(t*float64(c.Below)))
	c.High = c.Difference() + c.Step + time.Duration(math.Round(t*float64(c.Above)))
}

// studentQuantile is that of Student's distribution with so many degrees of freedom, or with 0 of
// the normal one.
func studentQuantile(freedom, p float64) float64 {
	if freedom <= 0 {
		return distuv.UnitNormal.Quantile(p)
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(p)
}
