package tracer

import (
	"time"

	"artifice/device"
	"artifice/diffstack"
	"artifice/threadsampler"
)

// btrace3 is ByteDance's btrace 3 on Android: hooks in the runtime, in each of which the
// thread walks its own stack if its last walk is more than a millisecond ago
// (SamplingCollector::request). What it cannot see is what runs without a hook. Inlined
// frames are walked; a stack of more than 128 frames is thrown away. Its decoder ends
// calls 10 ns after the last sample that saw them (StackTraceConvertor).
//
// A walk is taken to take what walking one thread takes ART on the device. The frames
// that the decoder adds for monitors and the collector are left out: where ART has none, a
// truth has a method of its own.
var btrace3 = threads(Tracer{
	Name:        "btrace3",
	Description: "btrace 3: threads walk their own stacks where they allocate, block or leave native code, every 1 ms at most",
	Costs:       ofWalk,
	How:         library("btrace 3"),
	Intervals:   []time.Duration{time.Millisecond},
}, func(d device.Device) threadsampler.Config {
	return threadsampler.Config{
		Interval: time.Millisecond, Timer: threadsampler.Hooks, Cost: walk(d), Deepest: 128, Ends: diffstack.EndLast,
	}
})
