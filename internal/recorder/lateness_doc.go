// Package lateness says what becomes of an app's threads when a tracer takes time
// from them: who loses time to what, and what a wait does with the time that was lost
// before it.
//
// A thread's life is stretches of work and waits. Work is pushed back by what the
// thread loses, entire. A wait ends by its cause, and the cause decides:
//
//   - a time that has gone by since the wait began (Thread.sleep, a request to a
//     server) begins later and ends later: the thread stays as late as it was;
//   - an instant (a vsync, a fixed-rate timer) comes when it comes: the wait is shorter,
//     and the thread is on time again, unless it misses the instant ([Wait]).
//
// A third kind ends when another thread has done something (a monitor, a future, a message), so
// that thread's lateness is inherited: the maximum of both counts, not the sum ([Gifts]).
//
// So lateness is a number for each thread, and no sum over them. While a tracer stops
// all threads ([Pause]) those that wait go on waiting and those in native code go on
// running, as in ART, whose SuspendAll waits for threads in the state kRunnable alone; one that
// wants to go on in managed code meanwhile does so when all are resumed.
//
// An app whose threads are late by these rules does, event for event, what it does when it runs while the tracer takes
// time from it ([App]), as long as that changes no order in which threads get a lock or a core.
//
// The package knows no event and no stack, but what a truth says of a method ([Of]). Packages sampler, threadsampler and instrument
// use it, and so does a truth that is made while a tracer watches ([artifice/workload]).
package recorder
