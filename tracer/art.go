package tracer

import (
	"slices"
	"time"

	"artifice/instrument"
	"artifice/sampler"

	"artifice/trace"
)

// Options that several tracers use.
var (
	ofDevices = []string{"seed", "device", "runtime", "clock", "streaming", "buffer"}
	ofTicks   = []string{"interval", "phase"}
)

// SamplingIntervals are nominal intervals from 0.1 to 20 ms.
var SamplingIntervals = []time.Duration{
	100 * time.Microsecond, 200 * time.Microsecond, 500 * time.Microsecond,
	1 * time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond,
	10 * time.Millisecond, 20 * time.Millisecond,
}

var unobserved = Tracer{
	Name:        "truth",
	Description: "no tracer: the ground truth itself, with exact times",
	Uses:        []string{"seed"},
	Unmeasured:  true,
	New: func(*trace.Info, *Options) Run {
		return Filter(func(truth *trace.Recording) (*trace.Recording, error) { return truth, nil })
	},
}

var instrumented = Tracer{
	Name:        "instrument",
	Description: "ART's instrumented mode: every method entry and exit",
	Costs:       OfCalls,
	How:         HowInstrumented,
	Uses:        slices.Concat(ofDevices, []string{"count-allocs", "release-build", "again"}),
	New: func(truth *trace.Info, o *Options) Run {
		cfg := instrument.Config{
			OneClock: o.OneClock,
			Runtime:  o.Start.Runtime, Clock: o.Start.Clock, Streaming: o.Start.Streaming, V2: o.Start.V2, BufferSize: o.Start.BufferSize,
			ExactNames: o.Start.ExactNames, HostBuild: o.Start.HostBuild,
			Cost: o.Device.Instrumented, Seed: o.Seed, NotDebuggable: o.NotDebuggable, Again: o.Again, CountObjects: o.CountObjects, TempDir: o.TempDir,
		}
		if o.Compared {
			cfg.Streaming, cfg.KeepSymbols, cfg.Unmerged = true, true, true
			if !truth.Clock.HasCPU() {
				cfg.Clock = trace.Wall
			}
		}
		return everyCall{cfg: cfg}
	},
}

var sampled = Tracer{
	Name:        "sample",
	Description: "ART's sampling mode: stops the app at every interval, and records how stacks changed",
	Costs:       OfSampling,
	How:         HowSampled,
	Uses:        slices.Concat(ofDevices, ofTicks, []string{"count-allocs", "again", "schedule", "safepoint-bias", "identity", "slice-end"}),
	Intervals:   SamplingIntervals,
	New: func(truth *trace.Info, o *Options) Run {
		clock := o.Start.Clock
		if !truth.Clock.HasCPU() {
			clock = trace.Wall
		}
		cfg := sampler.Config{
			Interval: o.Interval, Phase: o.Phase, Seed: o.Seed, Cost: o.Device.Using(clock).Sampling,
			Schedule: o.Schedule, Leaves: o.Leaves, Identity: o.Identity, SliceEnd: o.SliceEnd,
			Runtime: o.Start.Runtime, Clock: o.Start.Clock, Streaming: o.Start.Streaming, V2: o.Start.V2, BufferSize: o.Start.BufferSize,
			ExactNames: o.Start.ExactNames, HostBuild: o.Start.HostBuild,
			OneClock: o.OneClock, CountObjects: o.CountObjects, Again: o.Again,
		}
		if o.Profile {
			cfg.KeepSymbols, cfg.BufferSize = true, 0
		}
		return Samples(cfg)
	},
}

var longRunning = Tracer{
	Name:        "longrun",
	Description: "ART's tracing of long-running methods (Android 16): only calls of 341.3 ms and longer",
	Costs:       OfCompiled,
	Uses:        []string{"seed", "threshold", "counter-hz"},
	New: func(_ *trace.Info, o *Options) Run {
		cfg := instrument.LongRunningConfig{Format: o.Format, Threshold: o.Threshold, CounterHz: o.CounterHz, Event: o.Device.Instrumented.Compiled}
		return longCalls{cfg: cfg}
	},
}

// dumpInterval is the default time between two dumps: BlockCanaryX's default.
const dumpInterval = 50 * time.Millisecond

var dumped = Tracer{
	Name:        "dump",
	Description: "stack dumps at every interval, as ANR files (default), jstack output, folded stacks or JSON lines",
	Uses:        slices.Concat([]string{"seed"}, ofTicks),
	Dumps:       true,
	Unmeasured:  true,
	New: func(truth *trace.Info, o *Options) Run {
		interval := o.Interval
		if interval == 0 {
			interval = dumpInterval
		}
		return Samples{Interval: interval, Phase: o.Phase, Clock: truth.Clock, KeepSymbols: true, Dumps: true}
	},
}

var again = Tracer{
	Name:        "rediff",
	Description: "no tracer: compares consecutive stacks of a sampled trace, and writes entries and exits, as ART's sampler does",
	Again:       true,
	Unmeasured:  true,
	New:         func(*trace.Info, *Options) Run { return rediff{} },
}
