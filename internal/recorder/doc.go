// Package recorder is the common part of event-driven tracers, those invoked on method calls, timer
// expirations or hooks, and the model of how tracing overhead delays the threads of an app.
//
// A [Reader] turns a truth into the recording of a [Tracer]: it passes the truth's events to the tracer and
// delivers the events that the tracer keeps. A recording is a [Source]: besides its events it gives the app
// time at which each of them happened, so that scorers can compare it with the truth. An [trace.LiveApp] runs while it
// is traced: the time that its [trace.Watcher] takes delays what follows (the closed loop).
//
// # Delays
//
// A thread alternates between work and waits. Overhead delays work in full. What it does to a wait depends on
// what ends the wait ([WaitRule]):
//
//   - A timeout (Thread.sleep, a request to a server) is relative: a wait that begins late ends late.
//   - A deadline (a vsync, a fixed-rate timer) is absolute: a thread that begins to wait late waits for less
//     time, unless it misses the deadline.
//   - A handoff (a lock, a future, an item of a queue) comes from another thread, whose delay the waiting
//     thread inherits: the maximum of both delays counts, not their sum ([Handoffs]).
//
// A delay therefore belongs to one thread ([Delay]); delays of threads do not add up. While a tracer suspends
// all threads ([Pause]), waits and native code go on, as in ART, whose SuspendAll waits for threads in the state
// kRunnable only. A thread that returns to managed code during a pause resumes at its end.
//
// An app delayed by these rules does the same, event for event, as one that runs while the tracer takes time
// from it, as long as the order in which threads get locks and cores does not change.
//
// Recorded traces do not state what ends a wait; [RecordedWaits] classifies their waits.
//
// Packages sampler, sampler/thread, instrument and workload use this package. It does not sample stacks
// (package sampler), and it emulates no particular tracer (package tracer lists them).
package recorder
