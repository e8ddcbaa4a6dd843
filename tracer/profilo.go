package tracer

import (
	"time"

	"artifice/sampler/thread"
	"artifice/tracer/device"
)

// profilo is the CPU profiler of Facebook's profilo: a POSIX timer on each thread's CPU
// clock sends it SIGURG, and the thread walks its own stack in the handler
// (cpp/profiler/ThreadTimer.cpp, SamplingProfiler.cpp). The first expiry is at random in
// the first interval, so that threads do not sample in step. A stack of more than 512
// frames is an error (STKERR) and no sample.
//
// How long a walk takes is not published. It is assumed to be the time that ART needs to
// walk one thread on the device. The 24 slots that samples wait in are left out: the
// logger would have to be late by 20 samples, 57 ms with eight cores at work.
var profilo = threads(Tracer{
	Name:        "profilo",
	Description: "profilo: each thread walks its own stack every 23 ms of its CPU time",
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

// walk is what it takes a thread to walk its own stack: what ART takes for one thread.
func walk(d device.Device) thread.Cost {
	return thread.Cost{Sample: d.Sampling.PerThread, PerFrame: d.Sampling.PerFrame}
}
