package device

import (
	"time"

	"artifice/instrument"
	"artifice/sampler"
)

const us = time.Microsecond

// Sources of the numbers. Files are named with the public project that contains them. "Gap" is the
// time between two adjacent events of a thread, p1 its 1 % quantile.
const (
	fromOption  = "option clock-call-overhead-nsec of "
	fromStamps  = "distances of timestamps of adjacent threads within a sample, "
	wallOfPhone = "about 50 ns on phones; the clock option is the sum of both clock reads"
	byReality   = "research/reality -art, with a core each for program and sampling thread: "
	noFigure    = "no published figure: an assumption, between 50 and 200 ns"
	noInterp    = "Dalvik's value, because none is published for ART on a phone: " + byDalvik
	byDalvik    = "FibonacciSlow on Dalvik of Android 2.2 takes 8.16 s interpreted and 2.80 s compiled (commit 5cc61d70 of platform/dalvik)"
	noCode      = "no published figure for phones: 0; for ART 11's interpreter on a PC see device art11"
	noResume    = "no published figure for phones: 0; for a PC with two cores see device art11"
	usClock     = "ART reads both clocks in whole microseconds up to Android 15"
)

// phoneB is the sampling cost on phone B. It is also used for devices without a sampled trace.
var phoneB = sampler.Cost{
	Overshoot: 130 * us, OvershootSpread: 60 * us,
	PerTick: 4 * us, PerThread: 7 * us, Granularity: us, ClockOverhead: 1696,
}

// builtin returns the devices, in the order of artifice list.
func builtin() []Device {
	return []Device{
		{
			Name: "ideal", Description: "tracing costs nothing, exact clocks",
			Origins: []Origin{{"all", "the baseline: a tracer without cost and with exact clocks", Defined}},
		},
		{
			Name: "A", Description: "phone: a sample stops an app of 61 threads for 1 ms",
			Sampling: sampler.Cost{
				Overshoot: 250 * us, OvershootSpread: 190 * us,
				PerTick: 8 * us, PerThread: 16 * us, Granularity: us, ClockOverhead: 3348,
			},
			Instrumented: instrument.Cost{
				CPURead: 3298, WallRead: 50, Hook: 1500, Compiled: 200, Interpreted: 1914, Granularity: us,
			},
			Origins: []Origin{
				{"overshoot", "art-trace-streaming of the Firefox Profiler: the app runs 1.2 to 1.4 ms between samples of nominally 1 ms", Measured},
				{"overshoot-spread", "the same trace: periods of 1.97 ms (p1) and 2.42 ms (p50), so (p50-p1)/2.33", Measured},
				{"per-thread", fromStamps + "the same trace: 12 to 20 us; main has a timestamp 1.0 ms before that of the last of 61 threads", Measured},
				{"per-tick, per-frame", "the same trace: the shortest distances of timestamps hardly grow up to a depth of 30 frames; the part before the first thread is not observable", Measured},
				{"resume", noResume, Unknown},
				{"clock-overhead, cpu-read", fromOption + "art-trace-regular of the Firefox Profiler: 3348", Measured},
				{"wall-read", wallOfPhone, Assumed},
				{"hook", "no instrumented trace of this phone; the ratio of hook to clock is that of char2", Assumed},
				{"compiled", noFigure, Assumed},
				{"code", noCode, Unknown},
				{"interpreted", noInterp, Assumed},
				{"granularity", usClock, Published},
			},
		},
		{
			Name: "B", Description: "phone: a sample stops an app of 27 threads for 0.2 ms",
			Sampling: phoneB,
			Instrumented: instrument.Cost{
				CPURead: 1646, WallRead: 50, Hook: 750, Compiled: 200, Interpreted: 1914, Granularity: us,
			},
			Origins: []Origin{
				{"overshoot", "a trace of the app ProfilerTester: the app runs 1.13 ms between samples of nominally 1 ms", Measured},
				{"overshoot-spread", "the same trace: periods of 1.21 ms (p1) and 1.35 ms (p50), so (p50-p1)/2.33", Measured},
				{"per-thread", "the same trace: wall minus CPU time of the busiest thread in a period, 114 us (p5) to 245 us (p50), divided by 27 threads and the sampling thread", Measured},
				{"per-tick, per-frame", "not distinguishable from per-thread", Measured},
				{"resume", noResume, Unknown},
				{"clock-overhead, cpu-read", fromOption + "the same trace: 1696", Measured},
				{"wall-read", wallOfPhone, Assumed},
				{"hook", "no instrumented trace of this phone; the ratio of hook to clock is that of char2", Assumed},
				{"compiled", noFigure, Assumed},
				{"code", noCode, Unknown},
				{"interpreted", noInterp, Assumed},
				{"granularity", usClock, Published},
			},
		},
		{
			Name: "C", Description: "ART on a PC: a sample stops an app of 14 threads for 0.03 ms",
			Sampling: sampler.Cost{
				Overshoot: 70 * us, OvershootSpread: 5 * us,
				PerTick: 0, PerThread: 2 * us, Resume: 11 * us, Granularity: us, ClockOverhead: 144,
			},
			Instrumented: instrument.Cost{
				CPURead: 110, WallRead: 34, Hook: 66, Compiled: 50, Granularity: us,
			},
			Origins: []Origin{
				{"overshoot, overshoot-spread", "usleep on a PC with two cores: sleeps of 0.1 to 10 ms end 64 to 80 us late; this range is taken as four standard deviations", Assumed},
				{"per-thread", "legacy.trace of android-methods-profiler: wall minus CPU time in a period, 12 us (p5) to 58 us (p50), divided by 14 threads and the sampling thread", Measured},
				{"per-tick, per-frame", "not distinguishable from per-thread", Measured},
				{"resume", "the value of art11, another PC with ART and two cores", Assumed},
				{"clock-overhead, cpu-read", fromOption + "the same trace: 144", Measured},
				{"wall-read", "CLOCK_MONOTONIC on a PC: 34 ns", Assumed},
				{"hook", "no instrumented trace of this PC; the ratio of hook to clock is that of char2", Assumed},
				{"compiled", noFigure, Assumed},
				{"code", noCode, Unknown},
				{"interpreted", "no measurement of compiled code on this PC: 0, as for code", Unknown},
				{"granularity", usClock, Published},
			},
		},
		{
			Name: "art11", Description: "ART 11 on a PC with two cores: a sample stops an app of 7 threads for 0.03 ms",
			Sampling: sampler.Cost{
				Overshoot: 28 * us, OvershootSpread: 4 * us,
				PerTick: 13 * us, PerThread: us, Resume: 11 * us, Granularity: us, ClockOverhead: 309,
			},
			Instrumented: instrument.Cost{CPURead: 259, WallRead: 50, Compiled: 50, Granularity: us, Code: 2100},
			Origins: []Origin{
				{"overshoot, overshoot-spread", byReality + "sleeps of 1 ms are 28 us too long, p1 13 us and p50 22 us, (p50-p1)/2.33", Measured},
				{"per-tick", byReality + "21 us between two sleeps, minus the stack walks of 8 threads", Measured},
				{"per-thread, per-frame", "distances of timestamps within samples: 1 us, including 0.05 us per frame", Measured},
				{"resume", byReality + "a running thread is suspended for 11.3 us longer than the time between two sleeps, with a standard error of 0.8 us, over 3096 samples every 1 to 10 ms", Measured},
				{"clock-overhead, cpu-read", fromOption + "its trace: 309", Measured},
				{"wall-read", wallOfPhone, Assumed},
				{"hook", "assumed 0: in interpreted code, no cost beyond reading the clocks is measurable", Assumed},
				{"compiled", noFigure, Assumed},
				{"code", byReality + "loops of 80000 and 200000 iterations without a call take 277 and 720 us in a sampled trace, and 872 and 2196 us in an instrumented one (interpreted; for compiled code see instrument.Cost)", Measured},
				{"interpreted", "0: code was measured on interpreted programs and includes it", Measured},
				{"granularity", usClock, Published},
			},
		},
		instrumented("eastern", "phone with a fast clock: recording an entry or exit takes 1.1 us", 791, 309, us,
			"the trace of easternHong: gaps between events of 1 us (p1 to p25) and 2 us (p50); leaf calls of 1 us (p10) and 2 us (p50) of CPU time"),
		instrumented("char2", "phone: recording an entry or exit takes 2 us", 1371, 629, us,
			"char_2_bytes.trace of Android Studio's perflib: gaps between events of 2 us (p1), 3 us (p10) and 5 us (p50)"),
		instrumented("launcher", "phone with a very slow clock: recording an entry or exit takes 19.4 us", 19407, 0, us,
			"a trace of a launcher: gaps between events of 15 us (p1) to 18 us (p50), less than the stated clock cost"),
		withOrigin(instrumented("jag", "phone with Dalvik: recording an entry or exit takes 0.7 us", 681, 0, us,
			"a trace of Dalvik: gaps between events of 0 us (p10) and 1 us (p25, p50)"),
			Origin{"interpreted", byDalvik, Published}),
		withOrigin(instrumented("tick30", "old phone: its clocks advance in steps of 30.5 us", 2146, 0, 30518,
			"BurrOak's trace: 86 % of the gaps between events are 0, the others 30 or 31 us, so the clock has 32768 Hz"),
			Origin{"clock-overhead, cpu-read", fromOption + "Dalvik traces of that time", Assumed}),
	}
}

// instrumented returns a device with numbers from instrumented traces only: except for its clocks
// it samples like phone B.
func instrumented(name, description string, overhead, hook, granularity time.Duration, gaps string) Device {
	s := phoneB
	s.ClockOverhead, s.Granularity = overhead, granularity
	return Device{
		Name: name, Description: description, Sampling: s,
		Instrumented: instrument.Cost{
			CPURead: overhead - 50, WallRead: 50, Hook: hook, Compiled: 200, Interpreted: 1914, Granularity: granularity,
		},
		Origins: []Origin{
			{"overshoot, overshoot-spread, per-thread, per-tick, per-frame", "the values of B, because there is no sampled trace of this phone", Assumed},
			{"clock-overhead, cpu-read", fromOption + "the trace below", Measured},
			{"resume", noResume, Unknown},
			{"wall-read", wallOfPhone, Assumed},
			{"hook, granularity", gaps, Measured},
			{"compiled", noFigure, Assumed},
			{"code", noCode, Unknown},
			{"interpreted", noInterp, Assumed},
		},
	}
}

// withOrigin returns a device with another origin of the same numbers.
func withOrigin(d Device, o Origin) Device {
	for i := range d.Origins {
		if d.Origins[i].Numbers == o.Numbers {
			d.Origins[i] = o
		}
	}
	return d
}
