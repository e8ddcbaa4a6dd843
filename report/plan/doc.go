// Package plan says, before anything is recorded, how many traces of two builds it takes to see that
// a method got slower, and at which interval: what package report will find, by the test that it
// uses. It reads traces of the app as it is ([Read]) and returns a [Plan].
//
// # What a comparison finds
//
// [artifice/report/diff.Compare] tells two sides of n traces apart by Student's test with pooled variances. Where a
// method's time differs by d and has the standard deviation σ from trace to trace, its statistic has the
// noncentral t distribution with 2(n−1) degrees of freedom and the noncentrality d/σ √(n/2), so that the
// change is found with the probability of studentPower (Cohen, Statistical Power Analysis for the Behavioral
// Sciences, 1988, chapter 2; R's power.t.test). The method is named beforehand: α is 0.05, for one test.
//
// # How much the time of a method varies
//
// σ² has two parts. One is how much runs of the app differ. Within a run, the method comes in bursts:
// the trace is cut in parts, which may overlap, and the variance of their means
// says that of the whole (overlapping batch means: Meketon and Schmeiser, 1984, Proceedings of the Winter
// Simulation Conference, 227; its estimate has 3/2 as many degrees of freedom as parts that do not overlap,
// less one). The more parts, the better it is known, unless bursts are longer than a part: up to an 80th of the trace is taken where that says
// the same as a 20th. That assumes an app that goes on and on with the same: where it does one thing after the other, as while
// it starts, parts differ more than runs do. And runs differ as a whole, by temperature, by what was
// compiled, by what else runs: that level is in no single trace. It is stated, or measured by the
// variance between several traces, which has bursts in it and needs no parts. Where a few traces differ by no more than their bursts
// let them (Snedecor's F), the bursts are taken alone, as their variance is known much better.
//
// The other part is sampling. A trace sampled every T is what a sampler makes of the finer one that was
// read: by the law of total variance, the variance at T is that of the finer trace and, on top, that of samples
// every T of the finer trace, over their phases. The latter is found by sampling the stretches of time in
// which the finer trace shows the method ([stretches.misses]); it is right for periodic apps too. The gaps
// between samples are those of the device ([sampler.Gaps]), in the app's own time. For intervals shorter
// than that of the trace itself nothing can be sampled; there what sampling adds to the trace (the
// interval of [estimate.Profile]) is taken to fall in proportion to the interval. It does so for
// stretches much shorter than it, and faster for others: the variance is that or less.
//
// Where a method goes on and off at random, with exponential lengths, all of this has a closed form,
// which the tests hold it against: D (1−ρ) X coth(X/B) for the time D of the method, its share ρ of its thread, the
// app's time X between two samples, and B twice the correlation time. It is the sum of an exponential autocorrelation over
// all lags (Bayley and Hammersley, 1946, Supplement to the Journal of the Royal Statistical Society 8, 184).
package plan
