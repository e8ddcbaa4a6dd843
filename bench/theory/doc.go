// Package theory holds what can be said about a sampled method trace without
// running a sampler: closed forms, one law a file, each with its assumptions,
// its source and a worked example, and a simulation it is checked against.
//
// It is not a statistics library and knows no file. Its neighbours are bench,
// which puts a law's value beside each measurement, and bench/metric, which
// defines what is measured.
//
// # Words
//
// T is the nominal interval of a sampler, X = T + overshoot the time the app
// runs between two samples, P the pause of one sample. An ideal sampler has
// X = T and P = 0. Where a law says interval it means X: detection and variance
// depend on X, time stamps on X + P, slowdown is 1 + P/X.
//
// Times are on one thread's own axis: the time it would have run unobserved.
package theory
