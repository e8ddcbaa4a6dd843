package tracer

import (
	"time"

	"artifice/sampler/thread"
	"artifice/tracer/device"
)

// blockCanary is BlockCanaryX: a thread calls getStackTrace of the main thread at a fixed
// rate, whether that runs or not, and keeps the stacks of the last 20 s
// (StackSampler.java; one more than go into that time). The time is read before the walk,
// for which the main thread is stopped; it is taken to take what walking one thread takes
// ART on the device. There is no CPU time.
var blockCanary = threads(Tracer{
	Name:        "blockcanary",
	Description: "BlockCanaryX: the main thread's stack every 50 ms, of the last 20 s",
	Costs:       ofWalk,
	How:         library("BlockCanaryX"),
	Intervals:   []time.Duration{50 * time.Millisecond},
}, func(d device.Device) thread.Config {
	return thread.Config{
		Interval: 50 * time.Millisecond, Timer: thread.WallTimer, MainOnly: true, Cost: walk(d), Keep: 20 * time.Second,
	}
})
