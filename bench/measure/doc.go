// Package measure has the formulas by which an observed trace is held against the
// truth: one a file, each with its unit, range, source and a worked example, which
// TestExamples computes.
//
// A formula takes plain numbers. Most take two columns of the same length, the
// true and the observed value of every method, edge or calling context; [Cost],
// [Calls], [Durations] and [Timeline] are sums that package score fills while it
// reads. Nothing here knows a trace, a stack or a tracer. What is computed of which
// column is the table in package bench.
package measure
