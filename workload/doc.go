// Package workload generates truths (ground truth): all calls of an app that is not traced.
//
// A [Program] is a model of an app: methods with bodies, and threads that run them. Its
// [Program.Truth] is a trace of every call with exact times on both clocks. It is generated as it
// is read and can have any length. Programs are YAML files ([ReadYAML]) or built in ([Builtin]); a
// truth of a few calls can be written as a tree ([ReadTree]).
//
// Packages sampler and instrument trace truths, package bench compares the recordings with them.
// This package emulates no tracer and writes no files.
//
// # Tracers that delay the app
//
// With a [machine.Tracer] in [Config] the program runs while the tracer takes time from it, at
// times known in advance. With Live it runs with any tracer: the tracer receives each event as it
// happens and returns its overhead ([trace.LiveApp], the closed loop). If threads neither share
// cores nor wait for each other, the recording equals, event for event, that of the untraced truth
// with the delays added: research/internal/verify tests it for all built-in programs and all
// tracers, up to the first garbage collection. Only programs with such interactions need the closed
// loop ([Program.Interacts]).
//
// # Example
//
//	app, err := workload.ByName("scroll-60hz")
//	truth, err := app.Truth(workload.Config{Seed: 1, Duration: time.Second})
//	_, err = writer.WriteFile("truth.trace", "", truth)
//
// # Units and errors
//
// Times are time.Durations with a resolution of 1 ns. ByName returns an error that lists the
// names. ReadYAML and ReadTree return errors with name, line and column. An error that occurs only
// when threads run, such as a deadlock, is returned by the truth's reader, in the same form.
package workload
