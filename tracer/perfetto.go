package tracer

import (
	"time"

	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer/device"
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
