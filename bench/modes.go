package bench

import (
	"artifice/art"
	"artifice/bench/score"
	"artifice/device"
	"artifice/diffstack"
	"artifice/instrument"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
)

// ARTSampling is Debug.startMethodTracingSampling: a sleep loop that stops the
// app and compares stacks. Phases are spread evenly over one gap, interval plus
// overshoot.
var ARTSampling = Mode{
	Name:        "sample",
	Description: "ART's sampling: sleep, stop all threads, compare stacks",
	Costs:       tracer.OfSampling,
	How:         tracer.HowSampled,
	sample:      artConfig,
}

// PoissonSampling is the control: samples at random times that cost nothing, on
// any device. What it gets wrong is due to the number of samples alone.
var PoissonSampling = Mode{
	Name:        "poisson",
	Description: "ideal random sampling without cost, the control",
	Control:     true,
	sample: func(c cellConfig) sampler.Config {
		return sampler.Config{Interval: c.interval, Seed: c.seed, Schedule: sampler.Poisson}
	},
}

// The same samples as [ARTSampling]'s, read with another rule for the end of the
// calls that a sample does not find any more.
var (
	EndLastSampling   = sliceEnd("end-last", "ART's samples; calls end at the last sample that saw them (btrace 3 on Android)", diffstack.EndLast)
	EndCappedSampling = sliceEnd("end-capped", "ART's samples; calls end 1 ms after the last sample that saw them at most (btrace 3 on iOS)", diffstack.EndCapped)
	EndMidSampling    = sliceEnd("end-mid", "ART's samples; calls end midway between the last sample that saw them and the next", diffstack.EndMid)
)

// The same samples, read with another rule for which frames of two samples are
// one call.
var (
	// ByLineSampling is BlockCanaryX's rule. Lines are the call sites of a truth
	// ([trace.Event]); a recorded trace has none, and there this mode reports what
	// ARTSampling does.
	ByLineSampling = identity("by-line", "ART's samples; calls from two lines of one caller are told apart, of a workload (BlockCanaryX)", diffstack.BySite)

	// ByCallSampling never takes two calls for one: the bound of what a better
	// identity of frames can gain.
	ByCallSampling = identity("by-call", "ART's samples; calls are told apart as only the truth can: the bound for by-line", diffstack.ByCall)
)

// The instrumented modes are Debug.startMethodTracing on the default runtime, in
// streaming mode, so that no buffer overflows.
var (
	InstrumentedDual = instrumented("instrument-dual", "every call reported, wall and thread CPU clock", trace.Dual, tracer.OfCalls, tracer.HowInstrumented)
	InstrumentedWall = instrumented("instrument-wall", "every call reported, wall clock only: written by compiled code", trace.Wall, tracer.OfCompiled, tracer.HowWall)
)

// LongRunning is ART's long-running-methods tracing of Android 16, which compiled
// code writes and which keeps calls of 341 ms and more. Every call
// pays for the look at the clock, kept or not.
var LongRunning = Mode{
	Name:        "longrun",
	Description: "calls of 341 ms and more (Android 16), written by compiled code",
	Costs:       tracer.OfCompiled,
	record: func(truth *trace.Recording, state *score.TrueState, d device.Device) (recorded, error) {
		line := score.NewKeptTimeline(state)
		truth.Events = line
		rec, err := instrument.RecordLongRunning(truth, instrument.LongRunningConfig{Observer: line})
		return recorded{rec: rec, line: line, event: d.Instrumented.Compiled, unslowed: true}, err
	},
}

// artConfig is ART's sampler for one cell.
func artConfig(c cellConfig) sampler.Config {
	return sampler.Config{
		Interval: c.interval,
		Phase:    c.phase(c.interval + c.device.Sampling.Overshoot - c.device.Sampling.Resume),
		Seed:     c.seed,
		Cost:     c.device.Sampling,
	}
}

// sampled is a mode whose samples are ARTSampling's, but for what change does. No runtime
// samples so.
func sampled(name, description string, change func(*sampler.Config)) Mode {
	return Mode{Name: name, Description: description, Control: true, Costs: tracer.OfSampling, sample: func(c cellConfig) sampler.Config {
		cfg := artConfig(c)
		change(&cfg)
		return cfg
	}}
}

func sliceEnd(name, description string, end diffstack.SliceEnd) Mode {
	return sampled(name, description, func(cfg *sampler.Config) { cfg.SliceEnd = end })
}

func identity(name, description string, same diffstack.Identity) Mode {
	return sampled(name, description, func(cfg *sampler.Config) { cfg.Identity = same })
}

func instrumented(name, description string, clock trace.Clock, costs tracer.Costs, how tracer.How) Mode {
	return Mode{Name: name, Description: description, Costs: costs, How: how, record: func(truth *trace.Recording, state *score.TrueState, d device.Device) (recorded, error) {
		clock, line := clock, score.NewMatchedTimeline(state)
		truth.Events = line
		if !truth.Info.Clock.HasCPU() {
			clock = trace.Wall
		}
		rec, err := instrument.Record(truth, instrument.Config{
			Clock: clock, Cost: d.Instrumented, Streaming: true, KeepSymbols: true, Unmerged: true,
		})
		return recorded{rec: rec, line: line, event: d.Instrumented.Event(art.Default(), clock)}, err
	}}
}
