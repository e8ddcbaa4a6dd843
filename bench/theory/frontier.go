package theory

import "time"

// Frontier is the price of accuracy under sampling: for short scattered calls
// the squared error of a share p times the overhead P/X is
//
//	RMSE² · overhead = p(1−p)·P/W
//
// for every interval. Halving the error costs four times the overhead, or four
// times the run length W, and run length is free. The error of instrumenting is
// a bias that no run length removes, so the two curves cross.
//
// Source: variance p(1−p)/N of a share with N = W/X samples.
//
// Example: p = 0.2, P = 50 µs, W = 1 s: 8.0e-6.
func Frontier(share float64, pause, run time.Duration) float64 {
	return share * (1 - share) * ratio(pause, run)
}
