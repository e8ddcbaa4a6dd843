// Package threadsampler emulates profilers that sample each thread by itself: a
// timer that runs with the thread's CPU time interrupts it, its stack is taken while
// it stands, and no other thread is stopped. simpleperf, Perfetto's callstack
// sampling and profilo work so; package sampler has those that stop the app and walk
// all threads.
//
// [Record] is the filter from a truth to what such a profiler records. A [Tracer] is
// told of the truth's events one by one, so that package bench runs many over one
// reading. Nothing sleeps: the same truth, configuration and seed give the same
// events.
//
// # When samples come
//
// A timer of the kernel (perf_swevent_init_hrtimer, kernel/events/core.c) counts the
// time that its thread is on a CPU and expires at each multiple of the interval; a
// frequency is turned into an interval first. What a sample takes is time of its
// thread too, so the app itself runs for the interval less that between two samples,
// and a sample that takes longer than the interval makes the timer miss multiples
// (hrtimer_forward). A thread that waits has no samples.
//
// Perfetto's timer is a core's ([CoreTimer]): it goes on when nothing runs there, and
// samples what runs when it expires.
//
// Between two events a thread runs until it has used the CPU time of the second, and
// waits for the rest. A sample at the instant of an event sees it. Where the truth has
// no CPU clock a thread is taken to run in methods that do not wait
// ([trace.Method.Waits]).
//
// # What a sample says
//
// Samples are joined to calls as viewers do it: frames of two samples of a thread that
// follow each other are one call when they and all frames below show the same
// methods, and calls end where the first sample does not find them any more. The
// wall time of an event is that of its sample. Its CPU time is what the samples before
// it stand for: their number times the interval, as simpleperf's event count.
//
// The thread falls behind the truth by what its samples take. Waits last as long as in the
// truth, but for those that a truth says end at an instant, or when another thread has done
// something (package lateness).
package thread
