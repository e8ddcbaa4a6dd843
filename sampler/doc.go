// Package sampler emulates the sampling profiler of ART and Dalvik
// (Debug.startMethodTracingSampling) and variants of it. A thread of the runtime wakes at
// intervals, suspends the app, walks the stacks of all threads and records their differences from
// the last sample.
//
// [Record] turns a truth into the recording of one sampler. [Run] serves sweeps: it drives any
// number of samplers in one pass over the truth, each with an output or an [Observer]. The samplers
// of a pass share the stacks of the threads. A sampler remembers the last sampled stack of each
// thread, and a tick compares only threads with an event since then. The cost of a pass is
// therefore nearly independent of the number of samplers, and the cost of a sample is proportional
// to the number of changes.
//
// Time is data: nothing sleeps, nothing runs concurrently, and the same truth, configuration and
// seed give the same events.
//
// The package does not open files and does not generate truths (package workload). Package
// diffstack compares stacks, package art lays out the runtime's file, and package recorder computes
// delays. Samplers of single threads (simpleperf, Perfetto) are in sampler/thread, tracers of every
// call in package instrument.
//
// # App time and wall time
//
// App time is the time of the truth. Wall time is the time of the trace: app time plus the delay of
// the thread. A pause delays the threads that run managed code. Waiting threads and native code
// continue, and a deadline wait absorbs an earlier delay (package recorder). In wall time the
// sampling period is the interval T, plus the overshoot o of the sleep, plus the pause. A thread
// that never waits is delayed by all pauses: its n-th sample has the app time n*(T+o), whatever the
// length of the pauses. With [Config.OneClock] that holds for all threads. The CPU time of a thread
// does not increase during a pause.
//
// # How a pass runs
//
// A pass replays the truth event by event ([Run]). With one clock all threads have the same delay,
// so a tick has one app time and comes before the first event after it (tick.go). Otherwise each
// thread has its own delay, which is followed from event to event (delay.go). A tick has one wall
// time; a thread meets the tick when its app time plus its delay equals that wall time. A tick is
// computed when the first thread reaches it (ticktimes.go).
//
// # Waiting for a core
//
// If an app runs while it is sampled, the sampling thread competes for its cores
// (Trace::RunSamplingThread, with the priority of the thread that started tracing). The overshoot
// is then that of a sleep that ends while a core is free; the wait for a core is added
// ([Stats].Late).
//
// For a recorded or generated truth a device states how often and how long the sampling thread
// waits ([Cost].NoCore). A tick that finds no free core comes when a thread of the app begins to
// wait or ends (coreticks.go).
//
// # Example
//
//	sampled, err := sampler.Record(truth, sampler.Config{Interval: 5 * time.Millisecond, Seed: 1})
//	_, err = writer.WriteFile("app.trace", "", sampled)
//
// # Units and errors
//
// Intervals and costs are time.Durations. Record returns an error for a configuration that the
// runtime rejects; errors of the truth, such as events out of order, are returned by the
// recording's reader.
package sampler
