// Package stats counts what a trace holds and tells how it was recorded.
//
// [Summary] counts threads, methods, events and frames open at the end, and
// gives the span of time. [Groups] takes in events and tells from their stamps alone whether the trace
// was sampled or instrumented, and the sampling period ([Groups.Period]). It is
// what artifice info and check report, what a profile states as its period, and
// what package device begins a calibration with. Both are writers of events
// ([trace.Writer]), so that any recording can be copied to them.
//
// The package reads events, not files, and keeps no event. Times per method and
// stack are in package calltree, the rules that a good trace follows in package
// trace ([trace.Checker]) and check, and the cost of tracing in package device.
package stats
