package device

import (
	"slices"
	"time"
)

// Tools is what tracers take from the app that are no part of ART: Android's
// profilers and those that companies build into their apps. Stack walks in the
// process itself are not among them; they take what walking one thread takes the
// sampling runtime (sampler.Cost).
type Tools struct {
	PerfCopy     time.Duration // mean time in which the kernel copies the stack of a thread for simpleperf or Perfetto
	PerfCopyMost time.Duration // the longest; where it is longer than the mean the time is random
	PerfWrite    time.Duration // simpleperf's work for a sample that it unwinds later
	PerfUnwind   time.Duration // simpleperf's work for one that it unwinds at once
}

// published are the figures that are known of these tools. No device's own are, so
// all have the same.
var published = Tools{
	PerfCopy: 23 * us, PerfCopyMost: 103 * us, PerfWrite: 16 * us, PerfUnwind: 156 * us,
}

// publishedOrigins are where they come from.
var publishedOrigins = []Origin{
	{"perf-copy, perf-unwind", "simpleperf debug-unwind on a Pixel 2 (walleye), 2312 samples of an app, published by a developer of Perfetto in 2020: 23.1 us to copy 16.8 kB of stack, 155.6 us to unwind it"},
	{"perf-copy-most", "the same app while it was recorded: 102.7 us a sample on average; taken for the longest"},
	{"perf-write", "change 5a5e92c7a4 of simpleperf: 0.3 s to write the samples of 30 s that took 3 s to unwind, so a tenth of perf-unwind"},
}

// withPublishedTools returns the device with the figures that are known of tools.
func (d Device) withPublishedTools() Device {
	d.Tools, d.Origins = published, slices.Concat(d.Origins, publishedOrigins)
	return d
}
