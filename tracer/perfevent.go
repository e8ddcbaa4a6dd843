package tracer

import (
	"fmt"
	"time"

	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer/device"
)

// simpleperf is Android's native profiler (system/extras/simpleperf), as "simpleperf
// record --app" and Android Studio's callstack sample run it: a timer per thread
// counts its CPU time, the kernel copies registers and stack, and the stack is unwound
// when the recording has ended.
//
// Java frames have the names that simpleperf gives them: those of compiled code from
// its symbols, those that are interpreted from the dex file, from Android 9 on. What
// the compiler has put into a caller has no symbol of its own, and the runtime's own
// functions are left out of reports (--show-art-frames shows them).
var simpleperf = threads(Tracer{
	Name:        "simpleperf",
	Description: "simpleperf: each thread is sampled by its CPU time, 4000 times a second (Android Studio: 1000); none is stopped",
	Costs:       Costs{Numbers: ofCopy},
	How:         howSimpleperf,
	Uses:        []string{"no-post-unwind"},
	Intervals:   []time.Duration{time.Second / 4000, time.Second / 1000},
}, func(d device.Device) thread.Config {
	return thread.Config{
		Interval: time.Second / 4000,
		Cost:     thread.Cost{Sample: d.Tools.PerfCopy, Most: d.Tools.PerfCopyMost},
		Buffer:   thread.Buffer{Slots: simpleperfBuffer / simpleperfSample, Drain: d.Tools.PerfWrite},
		Unseen:   trace.Inlined,
		Failures: ofUnwinding(d),
	}
})

// simpleperf's buffer between the thread that reads the kernel's buffers and the one
// that writes the file: 256 MB, and 64 MB on phones with 3 GB of memory and less
// (cmd_record.cpp; earlier versions have 64 MB everywhere). Samples are dropped
// when less than 5 MB are free (kDefaultCriticalBufferLevel in RecordReadThread.cpp). When
// less than 10 MB are, only 1 kB of stack is kept, from which, and from its neighbours, the
// call chain is put together again; it is taken to be whole here. A sample takes the
// stack that is in use, 16.8 kB on average where that was measured (see device.Tools).
const (
	simpleperfBuffer = (256 - 5) << 20
	simpleperfSample = 16764
)

// perfetto is Perfetto's callstack sampling (data source linux.perf, program
// traced_perf). It opens one counter for each core, not for each thread: whatever runs
// there when the counter's timer expires is sampled. Stacks are copied by the kernel and
// unwound by a thread of traced_perf with the library that simpleperf has, so Java
// frames are the same.
var perfetto = threads(Tracer{
	Name:        "perfetto",
	Description: "Perfetto's callstack sampling (linux.perf): what runs on each core, 100 times a second",
	Costs:       Costs{Numbers: ofCopy},
	How:         howPerfetto,
	Intervals:   []time.Duration{time.Second / 100},
}, ofPerfetto)

// ofPerfetto is how traced_perf samples.
func ofPerfetto(d device.Device) thread.Config {
	return thread.Config{
		Interval: time.Second / 100,
		Timer:    thread.CoreTimer,
		Cost:     thread.Cost{Sample: d.Tools.PerfCopy, Most: d.Tools.PerfCopyMost},
		Buffer:   thread.Buffer{Slots: perfettoQueue, Drain: d.Tools.PerfUnwind},
		Unseen:   trace.Inlined,
		Failures: withReasons(ofUnwinding(d)),
	}
}

// withReasons adds what traced_perf writes in place of the callers: libunwindstack's error. Of the errors INVALID_MAP is
// the most frequent one in the trace that the device's figures are of; a copy that is over is read beyond its end.
func withReasons(f []thread.Failure) []thread.Failure {
	for i, reason := range []string{"UNSUPPORTED", "MEMORY_INVALID", "INVALID_MAP"} {
		f[i].Reason = reason
	}
	return f
}

// ofUnwinding is how walks of native stacks fail: those of libunwindstack, which simpleperf has, too.
func ofUnwinding(d device.Device) []thread.Failure {
	u := d.Tools.Unwind
	return []thread.Failure{
		{Cause: "no frame found", Share: u.Unknown},
		{Cause: "truncated", Share: u.Truncated, Frames: u.Frames},
		{Cause: "error", Share: u.Error, Frames: u.Frames},
	}
}

// perfettoQueue is how many samples can wait to be unwound (kUnwindQueueCapacity in
// src/profiling/perf/unwinding.h; 2048 in versions that cannot yet unwind by frame
// pointers). At 100 samples a second and core it never fills.
const perfettoQueue = 1024

// profilingManager is what android.os.ProfilingManager records of an app that asks for
// PROFILING_TYPE_STACK_SAMPLING (Android 15 and later), as sentry-java and Datadog's SDK do in
// production in place of Debug.startMethodTracingSampling. The service (packages/modules/Profiling,
// Configs.java) runs Perfetto's data source linux.perf on the clock of a core for the app's package, so that all but
// its bounds is [perfetto]'s.
//
// Of the request's parameters the frequency is the interval here; 1 to 200 Hz, whole ones, outside of
// which the service takes the bound. The duration is its default, a minute: what comes after is not
// in the file. The size is its default, too, 64 MB that keep the beginning (DISCARD). A minute does not fill that:
// at 200 Hz eight cores take 96,000 samples, and with the name of its stack a sample has some 40 bytes.
//
// The service turns requests down when there were many, so that a fleet's profiles are of a choice of
// runs which is not at random. That is not emulated.
var profilingManager = granted(threads(Tracer{
	Name:        "profilingmanager",
	Description: "android.os.ProfilingManager's stack sampling: Perfetto's of the app itself, 100 times a second, for a minute",
	Costs:       Costs{Numbers: ofCopy},
	How:         howProfilingManager,
	Intervals:   []time.Duration{time.Second / 100},
}, func(d device.Device) thread.Config {
	cfg := ofPerfetto(d)
	cfg.Until = time.Minute
	return cfg
}))

// granted lets a tracer have the interval that the service makes of one that is asked for.
func granted(t Tracer) Tracer {
	run := t.New
	t.New = func(truth *trace.Info, o *Options) Run {
		of := *o
		if o.Interval > 0 {
			of.Interval = time.Second / time.Duration(min(hertz(o.Interval, 0), mostHertz))
		}
		return run(truth, &of)
	}
	return t
}

// mostHertz is the highest frequency that the service grants (KEY_FREQUENCY_HZ); the lowest is 1.
const mostHertz = 200

func howProfilingManager(interval time.Duration) string {
	return fmt.Sprintf("let the app ask for it: ProfilingManager.requestProfiling(PROFILING_TYPE_STACK_SAMPLING) with KEY_FREQUENCY_HZ %d (Android 15 and later)", min(hertz(interval, 100), mostHertz))
}
