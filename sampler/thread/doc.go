// Package thread emulates profilers that sample each thread on its own: a timer that
// counts the thread's CPU time interrupts it, its stack is taken, and no other thread is
// suspended. simpleperf, Perfetto's callstack sampling, profilo and the profilers of
// desktops work so. Package sampler has the profilers that suspend the app and walk all
// threads.
//
// [Record] is the filter from a truth to the recording of such a profiler. A [Tracer]
// receives the truth's events one by one, so that package bench runs many of them in one
// pass. Nothing sleeps: the same truth, configuration and seed give the same events.
//
// # When samples are taken
//
// A timer of the kernel (perf_swevent_init_hrtimer, kernel/events/core.c) counts the
// time that its thread is on a CPU and expires at each multiple of the interval; a
// frequency is converted into an interval first. The time of a sample is its thread's
// too. So the app runs for the interval less that time between two samples, and a sample
// that takes longer than the interval makes the timer miss multiples (hrtimer_forward).
// A waiting thread has no samples.
//
// Perfetto's timer is a core's ([CoreTimer]): it runs while nothing runs on the core, and
// samples the thread that runs when it expires.
//
// Between two events a thread runs until it has used the CPU time of the second, and
// waits for the rest. A sample at the instant of an event sees it. Without a CPU clock in
// the truth a thread runs in methods that do not wait ([trace.Method.Waits]).
//
// # What a sample shows
//
// Samples are joined to calls as in viewers: frames of two consecutive samples of a
// thread are one call if they and all frames below show the same methods, and a call ends
// at the first sample without it. The wall time of an event is that of its sample. Its
// CPU time is the number of the samples before it times the interval, as simpleperf's
// event count.
//
// Samples delay their threads; package recorder has the rules.
package thread
