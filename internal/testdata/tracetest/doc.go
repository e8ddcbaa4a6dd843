// Package tracetest provides recordings to tests: truths of built-in workloads, real traces, stack
// dumps given as text, and files written from a recording. Helpers report errors to the test.
//
//	rec := tracetest.Workload(t, "scroll-60hz", time.Second)
//	events := tracetest.Events(t, rec.Events)
//
// Package testdata locates and builds files, without importing packages of formats.
package tracetest
