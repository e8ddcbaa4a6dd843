package law

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is a measured value with its standard error.
type Estimate struct {
	Value   float64
	StdErr  float64
	Freedom float64 // degrees of freedom of StdErr; 0 if StdErr is known exactly
}

// MaxZ is the maximum difference of a law and a measurement, in standard errors. At 4, one true law
// in 16000 fails by chance.
const MaxZ = 4

// ZScore is the difference of m and value in standard errors. If the error was itself measured, it
// is a [normalScore], so a limit has the same meaning for few values and for many. A measurement
// without randomness, with StdErr 0, has no z-score, or 0 if it equals value.
func ZScore(m Estimate, value float64) float64 {
	if m.Value == value {
		return 0
	}
	t := (m.Value - value) / m.StdErr
	if m.Freedom <= 0 {
		return t
	}
	return normalScore(t, m.Freedom)
}

// Largest corrects z, the largest of a number of z scores of either sign, for their number. It
// returns the score that a single one exceeds with the probability that the largest of
// independent ones exceeds z.
//
//	z' = sign(z)·Φ̄⁻¹(p'/2),  p' = 1 − (1 − p)ⁿ,  p = 2·Φ̄(|z|)
//
// Source: Z. Šidák, Rectangular Confidence Regions for the Means of Multivariate Normal
// Distributions, Journal of the American Statistical Association 62 (1967): scores that depend on
// each other exceed it less often.
//
// Example: the largest of seven is above 3 as often as a single one is above 2.35.
func Largest(z float64, of int) float64 {
	if of < 2 || z == 0 || math.IsInf(z, 0) || math.IsNaN(z) {
		return z
	}
	alone := 2 * distuv.UnitNormal.CDF(-math.Abs(z))
	if alone == 0 { // too far out for a correction to matter
		return z
	}
	any := -math.Expm1(float64(of) * math.Log1p(-alone))
	return math.Copysign(-distuv.UnitNormal.Quantile(any/2), z)
}

// normalScore turns t, a deviation in standard errors that were measured with this number of
// degrees of freedom, into the equivalent deviation with a known error: the z beyond which the
// normal distribution has the same probability as Student's beyond t.
//
//	z = sign(t)·Φ̄⁻¹(p),  p = ½·I_x(ν/2, ½),  x = ν/(ν + t²),  ν = freedom
//
// with I the regularised incomplete beta function and Φ̄ the upper tail of the
// normal distribution. A measured error is now and then much too small, so
// Student's tails are the longer ones and |z| < |t|. z rises with t and is
// infinite for an infinite t alone.
//
// Assumes values from a normal distribution, or many.
//
// Source: W. S. Gosset ("Student"), The Probable Error of a Mean, Biometrika 6
// (1908); the tail as in Abramowitz and Stegun, 26.7.1.
//
// Example: 24 values are 23 degrees of freedom. There Student's t is above 4
// once in 3555 times, as a normal value is above 3.45: normalScore(4, 23) = 3.45.
func normalScore(t, nu float64) float64 {
	if t == 0 || math.IsInf(t, 0) || math.IsNaN(t) {
		return t
	}
	p := distuv.StudentsT{Sigma: 1, Nu: nu}.CDF(-math.Abs(t))
	if p > smallTail {
		return math.Copysign(-distuv.UnitNormal.Quantile(p), t)
	}
	return math.Copysign(farQuantile(logStudentTail(math.Abs(t), nu)), t)
}

// smallTail is well above the smallest positive number: smaller tails are computed by their
// logarithms.
const smallTail = 1e-290

// logStudentTail is the logarithm of the tail above t, by the series
//
//	I_x(a, ½) = x^a/B(a, ½)·Σ (½)_k/k!·x^k/(a + k)
//
// (Abramowitz and Stegun, 26.5.4 with 15.1.1); all terms are positive. A tail below smallTail has t
// above 36, so some 30/(1 − x) < 30·(1 + ν/36²) terms are enough.
func logStudentTail(t, nu float64) float64 {
	a := nu / 2
	logX := -2 * math.Log(math.Hypot(1, t/math.Sqrt(nu))) // t² may overflow
	x := math.Exp(logX)
	sum, term := 0., 1.
	for k := 0.; ; k++ {
		next := sum + term/(a+k)
		if next == sum {
			return a*logX - mathext.Lbeta(a, 0.5) + math.Log(sum/2)
		}
		sum = next
		term *= (k + 0.5) / (k + 1) * x
	}
}

// farQuantile is the z above which a normal distribution has a tail with this logarithm, for tails
// below smallTail. There Φ̄(z) = φ(z)/z·(1 − 1/z² + 3/z⁴) to eight digits, which is solved for z².
func farQuantile(logTail float64) float64 {
	square := -2 * logTail
	for range 20 { // each step reduces the error by the factor z², 1300 or more
		square = -2*logTail - math.Log(2*math.Pi*square) + 2*math.Log1p((3/square-1)/square)
	}
	return math.Sqrt(square)
}

// Stratified is the mean of values that were measured at evenly spaced phases of one gap, in the
// order of the phases, with the standard error of that design:
//
//	SE² = Σ (x_{i+1} − x_i)² / (2n(n−1))
//
// Phases are not independent. If neighboring phases sample nearly the same events, the measure
// changes slowly from one to the next, and the mean over all phases is closer to the mean over a
// whole gap than the mean of as many random phases. Differences of neighbors contain only chance:
// the slow change, which the even spacing eliminates, is not included. For independent values SE
// is, on average, the usual standard error.
//
// The degrees of freedom are 2(n−1)²/(3n−4), about ⅔n, since neighbouring differences share a
// value. There are two values or more.
//
// Source: W. G. Cochran, Sampling Techniques, 8.11 (systematic sampling); J. von Neumann and
// others, The Mean Square Successive Difference, Annals of Mathematical Statistics 12 (1941), for
// the variance of the estimate.
//
// Example: 1, 2, 3, 4 has three differences of 1: SE² = 3/24, SE = 0.354, where independent values
// would have √(5/3/4) = 0.645. Freedom 18/8 = 2.25.
func Stratified(values []float64) Estimate {
	n := float64(len(values))
	var sum, squares float64
	for i, x := range values {
		sum += x
		if i > 0 {
			d := x - values[i-1]
			squares += d * d
		}
	}
	return Estimate{Value: sum / n, StdErr: math.Sqrt(squares / (2 * n * (n - 1))), Freedom: 2 * (n - 1) * (n - 1) / (3*n - 4)}
}
