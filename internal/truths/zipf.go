package truths

import "math"

// Zipf returns n shares that fall as 1/rank^s and sum to 1.
func Zipf(s float64, n int) []float64 {
	shares := make([]float64, n)
	var sum float64
	for i := range shares {
		shares[i] = math.Pow(float64(i+1), -s)
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}
