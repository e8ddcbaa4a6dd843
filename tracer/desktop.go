package tracer

import (
	"fmt"
	"time"

	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer/device"
)

// This file contains the profilers of programs on desktops and servers. They trace no Android app.
// They are included because they run on any Linux machine next to a program that records its own
// calls: predictions of artifice can be validated against their profiles ("go run
// ./research/reality -profilers"), and published results against the emulation.
//
// The duration of a sample is not published for any of them. It is assumed to be zero or, if a
// thread walks its own stack, the time that ART needs to walk one thread on the device.

// kernelTick is the time between two ticks of Debian's kernels (CONFIG_HZ=250), at which the kernel
// checks the CPU clocks of POSIX timers (run_posix_cpu_timers, kernel/time/posix-cpu-timers.c).
const kernelTick = time.Second / 250

// desktop makes a thread tracer a desktop profiler.
func desktop(t Tracer) Tracer {
	t.Desktop = true
	return t
}

// free is the cost of tools with unknown costs.
var free = Costs{Borrowed: true}

// perf is "perf record -e cpu-clock -g" of Linux. It uses simpleperf's timers, of the same kernel
// code, but the kernel itself follows the frame pointers, and keeps the innermost 127 frames
// (/proc/sys/kernel/perf_event_max_stack). A timer begins with its thread, or when perf attaches to
// an existing thread, which is at any time of the thread's first interval.
var perf = desktop(threads(Tracer{
	Name:        "perf",
	Description: "Linux perf record -e cpu-clock -g: samples each thread 4000 times per second of its CPU time",
	Costs:       free,
	How: func(interval time.Duration) string {
		return fmt.Sprintf("perf record -e cpu-clock -F %d -g COMMAND (Linux)", hertz(interval, 4000))
	},
	Intervals: []time.Duration{perfInterval},
}, func(device.Device) thread.Config {
	return thread.Config{Interval: perfInterval, RandomFirst: true, Jitter: perfJitter, Deepest: 127, Cut: true}
}))

// perfInterval is the interval of 4000 Hz, the default of perf record.
const perfInterval = time.Second / 4000

// Jitter between two samples on a PC with two cores, measured by "go run ./research/reality
// -profilers": of perf's intervals of 1.003 ms, 80 % are within 10 µs; half of V8's are up to 1.09
// ms for 1 ms asked, and half of JFR's up to 10.2 ms for 10 ms.
const (
	perfJitter   = 10 * time.Microsecond
	v8Overshoot  = 90 * time.Microsecond
	jfrOvershoot = 200 * time.Microsecond
)

// goThreads is runtime/pprof of Go 1.18 and later on Linux: a POSIX timer on each thread's CPU
// clock sends it SIGPROF, and the thread walks its own stack in the handler (setThreadCPUProfiler,
// runtime/os_linux.go). The first expiration is at a random time in the first interval. A profile
// has the innermost 64 frames (maxCPUProfStack, runtime/cpuprof.go).
var goThreads = desktop(threads(Tracer{
	Name:        "go",
	Description: "Go's runtime/pprof: samples each thread 100 times per second of its CPU time, at the next tick of the kernel",
	Costs:       ofWalk,
	How:         func(time.Duration) string { return "call pprof.StartCPUProfile of runtime/pprof (Go 1.18 and later)" },
	Intervals:   []time.Duration{10 * time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{Interval: 10 * time.Millisecond, RandomFirst: true, Tick: kernelTick, Cost: walk(d), Deepest: 64, Cut: true}
}))

// goProcess is the same up to Go 1.17, and on other systems. setitimer(ITIMER_PROF) counts the CPU
// time of the whole process, and its signal goes to the thread that runs where the kernel's tick
// notices it. Threads are sampled too rarely if their cores tick soon after another thread's core
// (golang/go 14434: 80 to 20 for two goroutines with the same work).
var goProcess = desktop(threads(Tracer{
	Name:        "go-itimer",
	Description: "Go's runtime/pprof up to 1.17: samples one running thread 100 times per second of the process's CPU time",
	Costs:       free,
	How:         func(time.Duration) string { return "call pprof.StartCPUProfile of runtime/pprof (Go 1.17 and earlier)" },
	Intervals:   []time.Duration{10 * time.Millisecond},
}, func(device.Device) thread.Config {
	return thread.Config{Interval: 10 * time.Millisecond, Timer: thread.ProcessTimer, Tick: kernelTick, Deepest: 64, Cut: true}
}))

// jfr is the JDK's Flight Recorder: a thread wakes every 20 ms, 10 ms with settings=profile, and
// suspends up to 5 threads that run Java code and one that runs native code, one after another, in
// turn (MAX_NR_OF_JAVA_SAMPLES, MAX_NR_OF_NATIVE_SAMPLES of jfrThreadSampler.cpp). A stack has the
// innermost 64 frames (stackdepth of jcmd JFR.configure).
var jfr = desktop(threads(Tracer{
	Name:        "jfr",
	Description: "JDK Flight Recorder: every 20 ms, samples up to 5 threads in Java code and one in native code, in turn",
	Costs:       free,
	How: func(time.Duration) string {
		return "java -XX:StartFlightRecording=filename=FILE (with settings=profile every 10 ms)"
	},
	Intervals: []time.Duration{20 * time.Millisecond, 10 * time.Millisecond},
}, func(device.Device) thread.Config {
	return thread.Config{Interval: 20 * time.Millisecond, Timer: thread.SamplerThread, Overshoot: jfrOvershoot, Turns: 5, NativeTurns: 1, Deepest: 64, Cut: true}
}))

// jfrCPU is JFR's CPU-time sampling of JDK 25 (JEP 509): a POSIX timer for each thread's CPU clock,
// as in Go. Samples wait in a queue of 500 per thread, which is not emulated: at 10 ms it takes
// five seconds to fill.
var jfrCPU = desktop(threads(Tracer{
	Name:        "jfr-cpu",
	Description: "CPU-time sampling of JFR, JDK 25: samples each thread every 10 ms of its CPU time, at the next tick of the kernel",
	Costs:       ofWalk,
	How: func(time.Duration) string {
		return "java -XX:StartFlightRecording=jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=10ms (JDK 25, Linux)"
	},
	Intervals: []time.Duration{10 * time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{Interval: 10 * time.Millisecond, Tick: kernelTick, Cost: walk(d), Deepest: 64, Cut: true}
}))

// v8 is "node --cpu-prof", and the profiler of Chrome's developer tools: a thread sends the main
// thread a signal every millisecond, whether it runs or not, and the main thread walks its own
// stack in the handler. A stack has the innermost 255 frames (TickSample::kMaxFramesCount,
// src/profiler/tick-sample.h). V8 reports an inlined function as a frame if it has the position;
// here its time is attributed to its caller.
var v8 = desktop(threads(Tracer{
	Name:        "v8",
	Description: "node --cpu-prof, Chrome's JavaScript profiler: samples the main thread every 1 ms, whether it runs or waits",
	Costs:       ofWalk,
	How: func(interval time.Duration) string {
		return fmt.Sprintf("node --cpu-prof --cpu-prof-interval %d FILE", max(interval, time.Millisecond).Microseconds())
	},
	Intervals: []time.Duration{time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{Interval: time.Millisecond, Timer: thread.WallTimer, Overshoot: v8Overshoot, MainOnly: true, Cost: walk(d), Deepest: 255, Cut: true, Unseen: trace.Inlined}
}))

// safepoints is a Java profiler that uses the language's own means, thread dumps: hprof, VisualVM's
// sampler, and the four that Mytkowicz, Diwan, Hauswirth and Sweeney compare (Evaluating the
// accuracy of Java profilers, PLDI 2010, section 4). A thread stops at its next yield point and is
// sampled there. 10 ms is hprof's default (interval=10).
var safepoints = desktop(threads(Tracer{
	Name:        "safepoints",
	Description: "profilers that use thread dumps (hprof, VisualVM): sample each thread every 10 ms of its CPU time, at its next yield point (safepoint)",
	Costs:       free,
	How: func(time.Duration) string {
		return "sample it in VisualVM, or with java -agentlib:hprof=cpu=samples,interval=10 (JDK 8 and earlier)"
	},
	Intervals: []time.Duration{10 * time.Millisecond},
}, func(device.Device) thread.Config {
	return thread.Config{Interval: 10 * time.Millisecond, AtYields: true}
}))

// async is async-profiler with its default, a kernel timer for each thread (-e cpu), and 10 ms.
// AsyncGetCallTrace finds no stack in 13.83 % of samples; async-profiler repairs most of these and
// fails in 1.88 % (openjdk/jdk pull request 4436). A stack has 2048 frames (-j).
var async = desktop(threads(Tracer{
	Name:        "async",
	Description: "async-profiler: samples each thread every 10 ms of its CPU time; 1.88 % of stack walks fail",
	Costs:       ofWalk,
	How: func(interval time.Duration) string {
		return fmt.Sprintf("asprof -e cpu -i %s PID", max(interval, time.Millisecond))
	},
	Intervals: []time.Duration{10 * time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{
		Interval: 10 * time.Millisecond, Cost: walk(d), Deepest: 2048, Cut: true,
		Failures: []thread.Failure{{Cause: "no stack found", Share: 0.0188}},
	}
}))
