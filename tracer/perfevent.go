package tracer

import (
	"fmt"
	"time"

	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer/device"
)

// simpleperf is Android's native profiler (system/extras/simpleperf), as run by "simpleperf record
// --app" and Android Studio's callstack sample. A timer per thread counts its CPU time, the kernel
// copies registers and stack, and the stack is unwound when the recording has ended.
//
// Java frames have simpleperf's names: compiled code from its symbols, interpreted code from the
// dex file, from Android 9 on. Inlined methods have no symbols, and reports omit the runtime's own
// functions (--show-art-frames includes them).
var simpleperf = threads(Tracer{
	Name:        "simpleperf",
	Description: "simpleperf: samples each thread 4000 times per second of its CPU time (Android Studio: 1000); suspends no thread",
	Costs:       Costs{Numbers: ofCopy},
	How:         howSimpleperf,
	Uses:        []string{"no-post-unwind"},
	Intervals:   []time.Duration{time.Second / 4000, time.Second / 1000},
}, func(d device.Device) thread.Config {
	return thread.Config{
		Interval: time.Second / 4000,
		Cost:     thread.Cost{Sample: d.Tools.PerfCopy, SampleMax: d.Tools.PerfCopyMax},
		Buffer:   thread.Buffer{Slots: simpleperfBuffer / simpleperfSample, Drain: d.Tools.PerfWrite},
		Unseen:   trace.Inlined,
		Failures: ofUnwinding(d),
	}
})

// Size of simpleperf's buffer between the thread that reads the kernel's buffers and the one that
// writes the file: 256 MB, and 64 MB on phones with at most 3 GB of memory (cmd_record.cpp; earlier
// versions have 64 MB everywhere). Samples are dropped if less than 5 MB are free
// (kDefaultCriticalBufferLevel in RecordReadThread.cpp). If less than 10 MB are free, only 1 kB of
// stack is kept, from which, and from adjacent samples, the call chain is joined; here it is
// assumed to be complete. A sample takes the used part of the stack, 16.8 kB on average in a
// measurement (see device.Tools).
const (
	simpleperfBuffer = (256 - 5) << 20
	simpleperfSample = 16764
)

// perfetto is Perfetto's callstack sampling (data source linux.perf, program traced_perf). It opens
// one counter per core, not per thread: it samples the thread that runs on the core when the
// counter's timer expires. The kernel copies stacks, and a thread of traced_perf unwinds them with
// simpleperf's library, so Java frames are the same.
var perfetto = threads(Tracer{
	Name:        "perfetto",
	Description: "Perfetto's callstack sampling (linux.perf): samples the running thread of each core, 100 times a second",
	Costs:       Costs{Numbers: ofCopy},
	How:         howPerfetto,
	Intervals:   []time.Duration{time.Second / 100},
}, ofPerfetto)

// ofPerfetto returns the sampling configuration of traced_perf.
func ofPerfetto(d device.Device) thread.Config {
	return thread.Config{
		Interval: time.Second / 100,
		Timer:    thread.CoreTimer,
		Cost:     thread.Cost{Sample: d.Tools.PerfCopy, SampleMax: d.Tools.PerfCopyMax},
		Buffer:   thread.Buffer{Slots: perfettoQueue, Drain: d.Tools.PerfUnwind},
		Unseen:   trace.Inlined,
		Failures: withReasons(ofUnwinding(d)),
	}
}

// withReasons adds the frame that traced_perf writes instead of the callers: libunwindstack's
// error. INVALID_MAP is the most frequent error in the trace from which the device's values are
// derived; if the copy of a stack is truncated, it is read beyond its end.
func withReasons(f []thread.Failure) []thread.Failure {
	for i, reason := range []string{"UNSUPPORTED", "MEMORY_INVALID", "INVALID_MAP"} {
		f[i].Reason = reason
	}
	return f
}

// ofUnwinding returns the failing walks of native stacks by libunwindstack, which simpleperf also
// uses.
func ofUnwinding(d device.Device) []thread.Failure {
	u := d.Tools.Unwind
	return []thread.Failure{
		{Cause: "no frame found", Share: u.Unknown},
		{Cause: "truncated", Share: u.Truncated, Frames: u.Frames},
		{Cause: "error", Share: u.Error, Frames: u.Frames},
	}
}

// perfettoQueue is the number of samples that can wait to be unwound (kUnwindQueueCapacity in
// src/profiling/perf/unwinding.h; 2048 in versions without unwinding by frame pointers). At 100
// samples per second and core it never fills.
const perfettoQueue = 1024

// profilingManager is the recording of android.os.ProfilingManager for an app that requests
// PROFILING_TYPE_STACK_SAMPLING (Android 15 and later), as sentry-java and Datadog's SDK do in
// production instead of Debug.startMethodTracingSampling. The service (packages/modules/Profiling,
// Configs.java) runs Perfetto's data source linux.perf on the clock of a core for the app's
// package. Everything but its limits is the same as in [perfetto].
//
// The request's frequency is the interval here: whole values from 1 to 200 Hz; the service clamps
// others. The duration is the default, one minute; later samples are not in the file. The size is
// the default, too, 64 MB that keep the beginning (DISCARD). A minute does not fill it: at 200 Hz
// eight cores take 96,000 samples, and a sample with the name of its stack has about 40 bytes.
//
// The service rejects requests when there were many, so that a fleet's profiles come from a
// non-random selection of runs. That is not emulated.
var profilingManager = granted(threads(Tracer{
	Name:        "profilingmanager",
	Description: "android.os.ProfilingManager: Perfetto's callstack sampling of one app, 100 times a second for a minute",
	Costs:       Costs{Numbers: ofCopy},
	How:         howProfilingManager,
	Intervals:   []time.Duration{time.Second / 100},
}, func(d device.Device) thread.Config {
	cfg := ofPerfetto(d)
	cfg.Until = time.Minute
	return cfg
}))

// granted makes a tracer use the interval that the service grants for a requested one.
func granted(t Tracer) Tracer {
	run := t.New
	t.New = func(truth *trace.Info, o *Options) Run {
		of := *o
		if o.Interval > 0 {
			of.Interval = time.Second / time.Duration(min(hertz(o.Interval, 0), maxHertz))
		}
		return run(truth, &of)
	}
	return t
}

// maxHertz is the highest frequency that the service grants (KEY_FREQUENCY_HZ); the lowest is 1.
const maxHertz = 200

func howProfilingManager(interval time.Duration) string {
	return fmt.Sprintf("request it in the app: ProfilingManager.requestProfiling(PROFILING_TYPE_STACK_SAMPLING) with KEY_FREQUENCY_HZ %d (Android 15 and later)", min(hertz(interval, 100), maxHertz))
}
