// Package thread emulates profilers that sample each thread separately: a timer that counts the
// thread's CPU time interrupts it, its stack is recorded, and no other thread is suspended.
// simpleperf, Perfetto's callstack sampling, profilo and desktop profilers work this way. Package
// sampler contains the profilers that suspend the app and walk all threads.
//
// [Record] turns a truth into the recording of such a profiler. A [Tracer] receives the truth's
// events one by one, so that package bench runs many of them in one pass. Nothing sleeps: the same
// truth, configuration and seed give the same events.
//
// # When samples are taken
//
// A kernel timer (perf_swevent_init_hrtimer, kernel/events/core.c) counts the time that its thread
// is on a CPU and expires at each multiple of the interval; a frequency is first converted into an
// interval. The timer also counts the time that samples take. The app therefore runs for the
// interval less that time between two samples, and a sample that takes longer than the interval
// makes the timer skip multiples (hrtimer_forward). A waiting thread has no samples.
//
// Perfetto's timer belongs to a core ([CoreTimer]): it also counts while the core is idle, and
// samples the thread that runs when it expires.
//
// Between two events a thread runs until it has used the CPU time of the second, and then waits. A
// sample at the instant of an event includes that event. If the truth has no CPU clock, a thread
// runs in methods that do not wait ([trace.Method.Waits]).
//
// # Contents of a sample
//
// Samples are joined to calls as in trace viewers: frames of two consecutive samples of a thread
// belong to one call if they and all their callers have the same methods, and a call ends at the
// first sample without it. The wall time of an event is that of its sample. Its CPU time is the
// number of earlier samples times the interval, as in simpleperf's event count.
//
// Samples delay their threads; package recorder contains the rules.
//
// # Example
//
//	sampled, err := thread.Record(truth, thread.Config{Interval: time.Millisecond})
//	_, err = writer.WriteFile("app.pb", "", sampled)
//
// # Units and errors
//
// Intervals are time.Durations, of CPU time or wall time as the timer counts. Record returns an
// error for an interval below 10 µs or another invalid configuration; errors of the truth are
// returned by the recording's reader.
package thread
