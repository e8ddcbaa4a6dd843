// Package expect tests profiles against their ground truth, with a stated rate of false alarms.
//
// A profile counts the samples of each method. If samples are independent and unbiased, the count
// of a method with the true share p is binomial. The tests, the ranges and the power stated by this
// package follow from this distribution. [Perfect] is the share that a perfect sampler attributes
// correctly. A profile exceeds it only by chance, or by sampling at regular intervals.
//
// # Example
//
//	truth, err := expect.OpenTruth("truth.txt", format.Config{})
//	profile, err := expect.OpenProfile("cpu.pb.gz", format.Config{})
//	expect.Test(t, truth, profile, expect.Options{})
//
// # Units and errors
//
// Shares and rates are from 0 to 1. The variables below are the errors of inputs that cannot be
// tested; compare with errors.Is. A profile that fails is not an error but a Verdict, which Test
// reports to t. docs/expect.md explains the tests.
package expect
