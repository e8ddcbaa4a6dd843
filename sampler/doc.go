// Package sampler emulates ART's and Dalvik's sampling profiler
// (Debug.startMethodTracingSampling) and variations of it: a thread of the
// runtime wakes at intervals, suspends the app, walks the stacks of all threads
// and records how they differ from the last sample.
//
// [Record] is the filter from a truth to the recording of one sampler. [Run] is
// for sweeps: any number of samplers in one pass over the truth, each with an
// output or an [Observer]. Samplers of a pass share the stacks of the threads; a
// sampler remembers the last stack it saw of each thread, and a tick compares
// only threads with an event since then. So a pass costs about the same for one
// sampler as for many, and a sample costs its changes.
//
// Time is data: nothing sleeps, nothing runs concurrently, and the same truth,
// configuration and seed give the same events.
//
// The package does not open files and does not generate truths (package
// workload). Package diffstack compares stacks, package art lays out the
// runtime's file, and package recorder computes delays. Samplers of single
// threads (simpleperf, Perfetto) are in sampler/thread, tracers of every call in
// package instrument.
//
// # App time and wall time
//
// App time is the truth's. Wall time is the trace's: app time plus the delay of
// the thread. A pause delays the threads that run managed code. Waiting threads
// and native code go on, and a wait with a deadline makes up for an earlier delay
// (package recorder). In wall time the sampling period is the interval T, plus
// the overshoot o of the sleep, plus the pause. A thread that never waits loses
// all pauses: its n-th sample has the app time n*(T+o), whatever the pauses are.
// With [Config.OneClock] that holds for all threads. The CPU time of a thread
// does not grow during a pause.
//
// # How a pass runs
//
// A pass replays the truth event by event ([Run]). With one clock all threads
// have the same delay, so a tick has one app time and comes before the first
// event after it (tick.go). Otherwise each thread has a delay of its own, which
// is followed from event to event (delay.go). A tick has one wall time; a thread
// meets it when its app time plus its delay is that time. Ticks are computed when
// the first thread reaches them (ticktimes.go).
//
// # Waiting for a core
//
// If an app runs while it is sampled, its sampling thread competes for its cores
// (Trace::RunSamplingThread, with the priority of the thread that started
// tracing). The overshoot is then that of a sleep that ends while a core is free;
// the wait for a core is added ([Stats].Late).
//
// For a recorded or generated truth a device states how often and for how long
// the sampling thread waits ([Cost].NoCore). A tick that finds no core comes when
// a thread of the app begins to wait or ends (coreticks.go).
package sampler
