// Package instrument emulates the tracers of Android that are told of every call:
// the instrumented mode (Debug.startMethodTracing), where the running thread
// reports each enter, exit and unwind and loses time by it, and the tracing of
// long-running methods, which keeps only calls of 341 ms and more.
//
// Both are filters, truth in and recording out: [Record] and [RecordLongRunning].
// [Cost] says what an event takes; [Config] which runtime and how the trace was
// started. Time is data: nothing sleeps, and the same truth and seed give the
// same recording.
//
// What a runtime does with an event once it has happened (buffers, ids, tables)
// belongs to package art, the sampling mode to package sampler. The package opens no
// files and invents no app: truths come from packages workload and input.
package instrument
