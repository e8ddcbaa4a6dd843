// Package instrument emulates the instrumented mode of Android's method tracer
// (Debug.startMethodTracing): every enter, exit and unwind of every method is
// reported by the thread that runs, which thereby loses time.
//
// It is a filter from what an app does unobserved to what the runtime would
// have recorded of it. [Cost] says what an event takes; [Config] which runtime
// and how the trace was started. Time is data: nothing sleeps, and the same
// truth and seed give the same recording.
//
// What a runtime does with an event once it has happened (buffers, ids, tables)
// is package art's; the sampling mode is package sampler's; where the truth
// comes from is package workload's and reader's business.
package instrument
