// Package coverage measures the coverage of the intervals of package report/estimate, and their
// width.
//
// 95 of 100 intervals should contain the true value. Emulated samplers of many phases record a
// truth with known times; each trace is estimated by itself, and every interval is compared with
// the truth. The compared rules differ in their estimate of the variance.
//
// The estimated quantity is the time in the recorded run, which includes the sampler's pauses. The
// truth therefore attributes each pause to the paused method.
package coverage
