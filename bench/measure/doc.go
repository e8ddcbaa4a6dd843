// Package measure has the formulas that compare an observed trace with the truth, and the overhead
// of a live app that is traced. Each formula has its unit, range, source and a worked example,
// which TestExamples computes.
//
// A formula takes plain numbers. Most take two columns of the same length, the true and the
// observed value of every method, edge or calling context; [Cost], [Calls], [Durations] and
// [Timeline] are sums that package score fills while it reads. No formula knows traces, stacks or
// tracers. The table of measures in package bench chooses the columns.
package measure
