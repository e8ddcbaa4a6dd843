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

var unobserved = Tracer{
	Name:        "truth",
	Description: "what happened, with exact times and no tracer",
	Uses:        []string{"seed"},
	Record:      func(truth *trace.Recording, _ *Options) (*trace.Recording, error) { return truth, nil },
}

var instrumented = Tracer{
	Name:        "instrument",
	Description: "the instrumented mode: every enter and exit is recorded",
	Costs:       OfCalls,
	How:         HowInstrumented,
	Uses:        slices.Concat(ofDevices, []string{"release-build", "again"}),
	Record: func(truth *trace.Recording, o *Options) (*trace.Recording, error) {
		return instrument.Record(truth, instrument.Config{
			Runtime: o.Start.Runtime, Clock: o.Start.Clock, Streaming: o.Start.Streaming, V2: o.Start.V2, BufferSize: o.Start.BufferSize,
			Cost: o.Device.Instrumented, Seed: o.Seed, NotDebuggable: o.NotDebuggable, Again: o.Again, TempDir: o.TempDir,
		})
	},
}

var sampled = Tracer{
	Name:        "sample",
	Description: "the sampling mode: stacks are compared at every tick",
	Costs:       OfSampling,
	How:         HowSampled,
	Uses:        slices.Concat(ofDevices, ofTicks, []string{"schedule", "safepoint-bias", "identity", "slice-end"}),
	Record: func(truth *trace.Recording, o *Options) (*trace.Recording, error) {
		clock := o.Start.Clock
		if !truth.Info.Clock.HasCPU() {
			clock = trace.Wall
		}
		cfg := sampler.Config{
			Interval: o.Interval, Phase: o.Phase, Seed: o.Seed, Cost: o.Device.Using(clock).Sampling,
			Schedule: o.Schedule, Leaves: o.Leaves, Identity: o.Identity, SliceEnd: o.SliceEnd,
			Runtime: o.Start.Runtime, Clock: o.Start.Clock, Streaming: o.Start.Streaming, V2: o.Start.V2, BufferSize: o.Start.BufferSize,
		}
		if o.Profile {
			cfg.KeepSymbols, cfg.BufferSize = true, 0
		}
		return sampler.Record(truth, cfg)
	},
}

var longRunning = Tracer{
	Name:        "longrun",
	Description: "ART's tracing of long-running methods: calls of 341.3 ms and longer (Android 16; 170.7 ms as art-longrun-2025-02)",
	Costs:       OfCompiled,
	Uses:        []string{"seed", "threshold", "counter-hz"},
	Record: func(truth *trace.Recording, o *Options) (*trace.Recording, error) {
		return instrument.RecordLongRunning(truth, instrument.LongRunningConfig{
			Format: o.Format, Threshold: o.Threshold, CounterHz: o.CounterHz,
		})
	},
}

// dumpInterval is the time between two dumps unless another is asked for:
// BlockCanaryX's default.
const dumpInterval = 50 * time.Millisecond

var dumped = Tracer{
	Name:        "dump",
	Description: "stack dumps, as ANR files (default), jstack output, folded stacks or JSON lines",
	Uses:        slices.Concat([]string{"seed"}, ofTicks),
	Dumps:       true,
	Record: func(truth *trace.Recording, o *Options) (*trace.Recording, error) {
		interval := o.Interval
		if interval == 0 {
			interval = dumpInterval
		}
		return sampler.Record(truth, sampler.Config{
			Interval: interval, Phase: o.Phase, Clock: truth.Info.Clock, KeepSymbols: true, Dumps: true,
		})
	},
}

var again = Tracer{
	Name:        "rediff",
	Description: "check the form of a sampled trace: compare its stacks again",
	Again:       true,
	Record:      func(sampled *trace.Recording, _ *Options) (*trace.Recording, error) { return sampler.Rediff(sampled) },
}
