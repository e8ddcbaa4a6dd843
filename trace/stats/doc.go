// Package stats counts the contents of a trace and determines how it was recorded.
//
// [Summary] counts threads, methods, events and frames open at the end, and computes the time span.
// [Groups] determines from the timestamps alone whether the trace was sampled or instrumented, and
// estimates the sampling period ([Groups.Period]). The commands info and check report both,
// profiles state the period, and package tracer/device starts a calibration with it. Both types are
// [trace.Writer]s, so that any recording can be copied to them.
//
// The package reads events, not files, and retains no event. Package calltree computes times per
// method and stack. The invariants of a trace are in package trace ([trace.Checker]), the costs of
// tracing in package tracer/device.
package stats
