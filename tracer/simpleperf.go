package tracer

import (
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
