// Package instrument emulates tracers that are called at every method entry and exit:
//
//   - [Record] is the instrumented mode of ART and Dalvik (Debug.startMethodTracing): the running
//     thread reports each enter, exit and unwind, and is delayed by the report.
//   - [RecordLongRunning] is ART's tracing of long-running methods, which keeps only calls of 341
//     ms and more.
//   - [RecordCalls] is a tracer that is called by code that a build plug-in or a modified runtime
//     inserts into methods, such as those of package tracer.
//
// They are filters from a truth to a recording. [Cost] is the cost of an event, [Config] the
// runtime and the options of the trace. [Clean] removes the overhead of an instrumented trace from
// its times. Time is data: nothing sleeps, and the same truth and seed give the same recording.
//
// Package art emulates the runtime's processing of events (buffers, ids, tables), package recorder
// the delays of threads, package sampler the sampling mode. This package does not open files and
// does not generate truths.
//
// # Example
//
//	traced, err := instrument.Record(truth, instrument.Config{
//		Cost: instrument.Cost{WallRead: 50 * time.Nanosecond, Hook: 2 * time.Microsecond},
//	})
//	_, err = writer.WriteFile("app.trace", "", traced)
//
// # Units and errors
//
// Costs are time.Durations of one event, thresholds time.Durations of wall time. Record returns an
// error for a configuration that the runtime does not have; errors of the truth are returned by
// the recording's reader.
package instrument
