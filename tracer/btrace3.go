package tracer

import (
	"time"

	"artifice/art"
	"artifice/diffstack"
	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer/device"
)

// btrace3 is ByteDance's btrace 3 on Android: hooks in the runtime, in each of which the
// thread walks its own stack if its last walk is more than a millisecond ago
// (SamplingCollector::request). What it cannot see is what runs without a hook. Inlined
// frames are walked; a stack of more than 128 frames is thrown away. Its decoder ends
// calls 10 ns after the last sample that saw them (StackTraceConvertor).
//
// A walk is assumed to take as long as ART needs to walk one thread on the device. The frames
// that the decoder adds for monitors and the collector are left out: where ART has none, a
// truth has a method of its own.
//
// The hook on allocations does nothing on Android 15 and later (bytedance/btrace issue 177), so that
// the runtime decides how much is seen.
var btrace3 = onRuntime(threads(Tracer{
	Name:        "btrace3",
	Description: "btrace 3: threads walk their own stacks where they allocate (up to Android 14), block or call native code, every 1 ms at most",
	Costs:       ofWalk,
	How:         library("btrace 3"),
	Intervals:   []time.Duration{time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{
		Interval: time.Millisecond, Timer: thread.Hooks, Cost: walk(d), Deepest: 128, Ends: diffstack.EndLast,
	}
}))

// onRuntime lets a runtime decide whether the hook on allocations works.
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
