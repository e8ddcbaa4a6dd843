package law

import "math"

// Stratified is the mean of values that were measured at evenly spaced phases of one
// gap, in the order of the phases, with the standard error of that design:
//
//	SE² = Σ (x_{i+1} − x_i)² / (2n(n−1))
//
// Phases are not independent. What is measured changes slowly from one to the next
// where each sees nearly the same as its neighbour, and the mean over all of them is
// then closer to the mean over a whole gap than so many random phases would come.
// Neighbours differ by chance alone; the slow change, which the spacing takes out,
// is not counted. For independent values it is the usual standard error, on average.
//
// The degrees of freedom are 2(n−1)²/(3n−4), about ⅔n, since neighbouring
// differences share a value. There are two values or more.
//
// Source: W. G. Cochran, Sampling Techniques, 8.11 (systematic sampling); J. von
// Neumann and others, The Mean Square Successive Difference, Annals of Mathematical
// Statistics 12 (1941), for the variance of the estimate.
//
// Example: 1, 2, 3, 4 has three differences of 1: SE² = 3/24, SE = 0.354, where
// independent values would have √(5/3/4) = 0.645. Freedom 18/8 = 2.25.
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
