package device

import (
	"slices"
	"time"
)

// Tools is what tracers take from the app that are no part of ART: Android's
// profilers and those that companies build into their apps. Stack walks in the
// process itself are not among them; they take what walking one thread takes the
// sampling runtime (ticks.Cost).
type Tools struct {
	PerfCopy     time.Duration // mean time in which the kernel copies the stack of a thread for simpleperf or Perfetto
	PerfCopyMost time.Duration // the longest; where it is longer than the mean the time is random
	PerfWrite    time.Duration // simpleperf's work for a sample that it unwinds later
	PerfUnwind   time.Duration // simpleperf's work for one that it unwinds at once

	Unwind Unwind // how the walks fail that simpleperf's and Perfetto's library makes of native stacks

	Marker     time.Duration // the begin or the end of a section of android.os.Trace
	RheaMarker time.Duration // the same when RheaTrace 1 takes it on its way to the kernel
	ExitRecord time.Duration // each half of a call for btrace 2
	Beat       time.Duration // each half of a call for Matrix
	Nanoscope  time.Duration // each half of a call for nanoscope
}

// Unwind is the share of stacks that libunwindstack does not walk to the outermost frame, by how they end. Which they
// are depends on the app more than on the phone: native code without unwind information is what walks fail at.
type Unwind struct {
	Unknown   float64 // no frame is found, and the sample shows none; from 0 to 1, and all three together
	Truncated float64 // the copy of the stack ends before the stack does, and nothing shows it
	Error     float64 // an error ends the walk; a Perfetto trace has a frame ERROR there
	Frames    int     // the innermost frames that a walk finds before it is truncated or meets its error
}

// published are the figures that are known of these tools. No device's own are, so
// all have the same.
var published = Tools{
	PerfCopy: 23 * us, PerfCopyMost: 103 * us, PerfWrite: 16 * us, PerfUnwind: 156 * us,
	Unwind: Unwind{Frames: 9},
	Marker: 3200, RheaMarker: 640, ExitRecord: 96, Beat: 20, Nanoscope: 20,
}

// publishedOrigins are where they come from.
var publishedOrigins = []Origin{
	{"perf-copy, perf-unwind", "simpleperf debug-unwind on a Pixel 2 (walleye), 2312 samples of an app, published by a developer of Perfetto in 2020: 23.1 us to copy 16.8 kB of stack, 155.6 us to unwind it", Published},
	{"perf-copy-most", "the same app while it was recorded: 102.7 us a sample on average; taken for the longest", Published},
	{"unwind-unknown, unwind-truncated, unwind-error, unwind-frames", "perfetto_trace_cpu_sampling_not_scoped.pftrace of Microsoft-Performance-Tools-Linux-Android, Android 12, linux.perf on all processes: of 196 samples of Java apps but Chrome none failed; of 130 of Chrome 79 ended in an error (invalid map 39, invalid ELF 28, no unwind information 11, memory invalid 1), after 9 frames (median); none was truncated or without a frame. simpleperf has the same library", Published},
	{"marker", "Perfetto's documentation of ATrace: 1 to 10 us an event, most of it the write to trace_marker; their geometric mean", Published},
	{"rhea-marker", "RheaTrace 1: what it writes to its ring is up to 400 % faster than systrace; a fifth of marker", Published},
	{"exit-record", "btrace 2: an app with all its methods instrumented loses 15 % in place of nearly 100 % with version 1; 15 % of rhea-marker", Published},
	{"beat", "no figure is published by Matrix: an assumption, as nanoscope's, which reads a counter where Matrix reads a number", Assumed},
	{"nanoscope", "nanoscope's README: about 20 ns a method on a Nexus 6P; taken for each of its two events, the upper bound", Published},
	{"perf-write", "change 5a5e92c7a4 of simpleperf: 0.3 s to write the samples of 30 s that took 3 s to unwind, so a tenth of perf-unwind", Published},
}

// withPublishedTools returns the device with the figures that are known of tools.
func (d Device) withPublishedTools() Device {
	d.Tools, d.Origins = published, slices.Concat(d.Origins, publishedOrigins)
	return d
}
