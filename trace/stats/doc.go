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
//
// # Example
//
//	s := stats.NewSummary(rec)
//	_, err = trace.Copy(s, rec.Events)
//	first, last := s.Span()
//	technique, evidence := s.Technique()
//	fmt.Println(first, last, technique, evidence)
//
// # Units and errors
//
// Times are time.Durations since the start of the trace; counts are numbers of events. Writing to
// a Summary or to Groups never fails.
package stats
