package tracer

import (
	"slices"
	"time"

	"artifice/art"
	"artifice/diffstack"
	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer/device"
)

// threads completes a tracer that samples single threads. It adds the options common to all of
// these and the run, given its configuration on a device, which has the default interval.
func threads(t Tracer, config func(device.Device) thread.Config) Tracer {
	t.Uses = slices.Concat([]string{"seed", "device", "interval", "phase"}, t.Uses)
	t.New = func(_ *trace.Info, o *Options) Run {
		cfg := config(o.Device)
		cfg.Phase, cfg.Seed, cfg.TempDir = o.Phase, o.Seed, o.TempDir
		if o.Interval > 0 {
			cfg.Interval = o.Interval
		}
		if o.UnwindAtOnce {
			cfg.Buffer.Drain = o.Device.Tools.PerfUnwind
		}
		return Threads(cfg)
	}
	return t
}

// profilo is the CPU profiler of Facebook's profilo: a POSIX timer on each thread's CPU clock sends
// it SIGURG, and the thread walks its own stack in the handler (cpp/profiler/ThreadTimer.cpp,
// SamplingProfiler.cpp). The first expiration is at a random time in the first interval, so that
// threads are not sampled in phase. A stack of more than 512 frames is an error (STKERR) and no
// sample.
//
// The duration of a walk is not published. It is assumed to be the time that ART needs to walk one
// thread on the device. The 24 slots for waiting samples are not emulated: to fill them, the logger
// would have to be late by 20 samples, 57 ms with eight cores at work.
var profilo = threads(Tracer{
	Name:        "profilo",
	Description: "profilo: a signal makes each thread walk its own stack every 23 ms of its CPU time",
	Costs:       ofWalk,
	How:         library("profilo"),
	Intervals:   []time.Duration{23 * time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{
		Interval:    23 * time.Millisecond,
		RandomFirst: true,
		Cost:        walk(d),
		Deepest:     512,
	}
})

// walk returns the cost of a thread's walk of its own stack: ART's cost of walking one thread.
func walk(d device.Device) thread.Cost {
	return thread.Cost{Sample: d.Sampling.PerThread, PerFrame: d.Sampling.PerFrame}
}

// btrace3 is ByteDance's btrace 3 on Android. In hooks of the runtime, the thread walks its own
// stack if its last walk is more than a millisecond ago (SamplingCollector::request). Code without
// hooks is not sampled. Inlined frames are walked; a stack of more than 128 frames is discarded.
// The decoder ends calls 10 ns after the last sample that contains them (StackTraceConvertor).
//
// A walk is assumed to take as long as ART needs to walk one thread on the device. The frames that
// the decoder adds for monitors and the collector are not emulated: a truth has its own method
// where ART has none.
//
// The hook on allocations does nothing on Android 15 and later (bytedance/btrace issue 177), so
// coverage depends on the runtime.
var btrace3 = onRuntime(threads(Tracer{
	Name:        "btrace3",
	Description: "btrace 3: hooks make threads walk their own stacks when they allocate (up to Android 14), block or call native code, at most every 1 ms",
	Costs:       ofWalk,
	How:         library("btrace 3"),
	Intervals:   []time.Duration{time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{
		Interval: time.Millisecond, Timer: thread.Hooks, Cost: walk(d), Deepest: 128, Ends: diffstack.EndLast,
	}
}))

// onRuntime enables or disables the allocation hook according to the runtime.
func onRuntime(t Tracer) Tracer {
	t.Uses = append(t.Uses, "runtime")
	run := t.New
	t.New = func(truth *trace.Info, o *Options) Run {
		of := run(truth, o).(Threads)
		runtime := o.Start.Runtime
		if runtime == nil {
			runtime = art.Default()
		}
		of.NoAllocations = !runtime.ListensToAllocations
		return of
	}
	return t
}

// blockCanary is BlockCanaryX: a thread calls getStackTrace of the main thread at a fixed rate,
// whether that runs or not, and keeps the stacks of the last 20 s (StackSampler.java; one more than
// fits into that time). The time is read before the walk, for which the main thread is stopped. The
// walk is assumed to take ART's time for walking one thread on the device. There is no CPU time.
var blockCanary = threads(Tracer{
	Name:        "blockcanary",
	Description: "BlockCanaryX: samples the main thread every 50 ms, and keeps the last 20 s",
	Costs:       ofWalk,
	How:         library("BlockCanaryX"),
	Intervals:   []time.Duration{50 * time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{
		Interval: 50 * time.Millisecond, Timer: thread.WallTimer, MainOnly: true, Cost: walk(d), Keep: 20 * time.Second,
	}
})
