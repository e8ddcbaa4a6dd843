// Package plan computes sample sizes: how many traces of two builds detect, with the test of
// package report/diff, that a method got slower, and at which sampling interval. [Read] reads
// traces of the app as it is, and the result is a [Plan]. The package neither records nor compares
// traces.
//
// # Power of a comparison
//
// [artifice/report/diff.Compare] compares two sides of n traces by Student's t test with pooled
// variances. Where a method's time differs by d and has the standard deviation σ from trace to
// trace, the statistic has the noncentral t distribution with 2(n−1) degrees of freedom and the
// noncentrality d/σ √(n/2). That gives the power (studentPower; Cohen, Statistical Power Analysis
// for the Behavioral Sciences, 1988, chapter 2; R's power.t.test). The method is named beforehand:
// α is 0.05, for one test.
//
// # Between-run variance
//
// σ² has two parts. The first is the variance between runs of the app. Within a run, the method
// occurs in bursts: the trace is cut into batches, which may overlap, and the variance of their
// means estimates that of the whole (overlapping batch means: Meketon and Schmeiser, 1984,
// Proceedings of the Winter Simulation Conference, 227; the estimate has 3/2 times the degrees of
// freedom of batches that do not overlap, less one). More batches are more precise, unless bursts
// are longer than a batch. A batch is a 20th of the trace, or shorter, down to an 80th, if the
// result is the same. This assumes a stationary app: if an app does one thing after the other, as
// during its start, batches differ more than runs do.
//
// Runs also differ as a whole, by temperature, compiled code and other load, which no single trace
// contains. This variance is stated by the caller, or measured between several traces, which
// includes bursts and needs no batches. Where a few traces differ by no more than bursts explain
// (Snedecor's F test), the variance of bursts is used alone, because it is known much more
// precisely.
//
// # Sampling variance
//
// The second part is sampling. A trace sampled every T is modeled as samples of the finer trace
// that was read. By the law of total variance, the variance at T is that of the finer trace plus
// that of samples every T of the finer trace, over their phases. The latter is computed by sampling
// the stretches of time in which the finer trace shows the method ([stretches.misses]), which is
// right for periodic apps, too. The gaps between samples are those of the device ([sampler.Gaps]),
// in the app's own time. For intervals shorter than that of the trace itself nothing can be
// sampled: there the sampling error of the trace (the interval of [estimate.Profile]) is assumed to
// be proportional to the interval. That is right for stretches much shorter than the interval, and
// an upper bound for others.
//
// For a method that is on and off for random, exponential times all of this has a closed form,
// against which the tests validate it: D (1−ρ) X coth(X/B) for the time D of the method, its share
// ρ of its thread, the app's time X between two samples, and B twice the correlation time. It is
// the sum of an exponential autocorrelation over all lags (Bayley and Hammersley, 1946, Supplement
// to the Journal of the Royal Statistical Society 8, 184).
//
// # Example
//
//	p, err := plan.New(traces, plan.Config{Change: 0.1, Intervals: []time.Duration{time.Millisecond}})
//	change, row := p.Smallest()
//	fmt.Println(change, row)
//
// # Units and errors
//
// Changes, levels and budgets are shares: 0.1 is 10 %. New returns an error for a configuration
// that Check rejects, without traces, and for traces with too few samples of the method.
package plan
