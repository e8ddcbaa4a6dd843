// Package measure contains the formulas that compare an observed trace with the truth, and measures
// the overhead of tracing a live app. Each formula has its unit, range, source and a worked
// example, which TestExamples computes.
//
// A formula takes plain numbers. Most take two columns of the same length, the true and the
// observed value of every method, edge or calling context; [Cost], [Calls], [Durations] and
// [Timeline] are sums that package score fills while it reads. The formulas do not depend on
// traces, stacks or tracers. The table of measures in package bench chooses the columns.
//
// # Example
//
//	truth := []time.Duration{70 * time.Millisecond, 30 * time.Millisecond}
//	seen := []time.Duration{60 * time.Millisecond, 40 * time.Millisecond}
//	fmt.Println(measure.Overlap(truth, seen)) // 0.9
//
// # Units and errors
//
// Times are time.Durations, results are shares from 0 to 1 unless stated otherwise. Formulas
// return no errors: each documents its value for empty columns.
package measure
