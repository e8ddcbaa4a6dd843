// Package expect tests profiles against their ground truth, with a stated rate of false alarms.
//
// A sampler counts how many of its samples show a method. If samples are independent and unbiased,
// the count of a method with the true share p is binomial; from that follow the tests, the ranges
// and the power that this package states. [Perfect] is the share that a perfect sampler attributes
// correctly: only chance, or sampling at regular intervals, exceeds it.
package expect
