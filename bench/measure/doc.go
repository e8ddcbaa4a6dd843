// Package measure contains the formulas that compare an observed trace with the truth, and measures
// the overhead of tracing a live app. Each formula has its unit, range, source and a worked
// example, which TestExamples computes.
//
// A formula takes plain numbers. Most take two columns of the same length, the true and the
// observed value of every method, edge or calling context; [Cost], [Calls], [Durations] and
// [Timeline] are sums that package score fills while it reads. The formulas do not depend on
// traces, stacks or tracers. The table of measures in package bench chooses the columns.
package measure
