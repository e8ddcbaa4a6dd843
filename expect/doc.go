// Package expect tests profiles against their ground truth, with a stated rate of false alarms.
//
// A profile counts the samples of each method. If samples are independent and unbiased, the count
// of a method with the true share p is binomial. The tests, the ranges and the power stated by this
// package follow from this distribution. [Perfect] is the share that a perfect sampler attributes
// correctly. A profile exceeds it only by chance, or by sampling at regular intervals.
package expect
