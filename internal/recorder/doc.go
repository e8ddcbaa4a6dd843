// Package recorder is the common part of event-driven tracers, those invoked on method calls, timer
// expirations or hooks, and the model of how tracing overhead delays the threads of an app.
//
// A [Reader] converts a truth to the recording of a [Tracer]: it passes the truth's events to the
// tracer and delivers the events that the tracer keeps. A recording is a [Source]: it also
// contains the app time of each event, so that scorers can compare it with the truth. A
// [trace.LiveApp] runs while it is traced: the time that its [trace.Watcher] takes delays the
// following events (a closed loop).
//
// # Delays
//
// A thread alternates between work and waits. Overhead delays work in full. Its effect on a wait
// depends on the cause that ends the wait ([WaitRule]):
//
//   - A timeout (Thread.sleep, a request to a server) is relative: a wait that begins late ends
//     late.
//   - A deadline (a vsync, a fixed-rate timer) is absolute: a thread that begins to wait late waits
//     less, unless it misses the deadline.
//   - A handoff (a lock, a future, an item of a queue) comes from another thread. The waiting
//     thread inherits that thread's delay: the maximum of both delays counts, not their sum
//     ([Handoffs]).
//
// A delay therefore belongs to one thread ([Delay]); delays of threads do not add up. While a
// tracer suspends all threads ([Pause]), waits and native code continue, as in ART: its SuspendAll
// waits only for threads in state kRunnable. A thread that returns to managed code during a pause
// resumes at its end.
//
// Applying these rules to a recorded app gives the same events as running the app while the tracer
// takes time from it, as long as the order in which threads get locks and cores does not change.
//
// Recorded traces do not state the cause that ends a wait; [RecordedWaits] classifies their waits.
//
// Packages sampler, sampler/thread, instrument and workload use this package. It does not sample
// stacks (package sampler), and it emulates no particular tracer (package tracer lists them).
package recorder
