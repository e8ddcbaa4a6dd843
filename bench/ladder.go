package bench

import (
	"artifice/art"
	"artifice/bench/score"
	"artifice/sampler"
	"artifice/tracer"
	"artifice/tracer/device"
)

// ladder returns the steps of the error ladder as modes. Each of the first seven steps has the
// error sources of the previous step and one more. The last three are other readers of the trace of
// the seventh.
func ladder() []Mode {
	return []Mode{
		step("ideal", "a sampler without cost, with exact clocks", score.AllSamples, free),
		step("+ overshoot", "sleeps take longer than asked", score.AllSamples, overshoot),
		step("+ pause", "samples stop the app", score.AllSamples, pause),
		step("+ clock", "clocks have a step", score.AllSamples, nil),
		step("+ leaves", "samples miss compiled leaf methods", score.AllSamples, leaves),
		step("+ tail", "the trace ends at each thread's last event", score.ExactStamps, leaves),
		step("+ overflow", "the buffer has 8 MiB", score.ExactStamps, overflow),
		step("re-sampled", "read as by the Firefox Profiler: one sample of the timeline per period", score.Resampled, overflow),
		step("rounded up", "read in ticks of 10 ms, rounded up", score.RoundedUp, overflow),
		step("count x T", "read as number of samples times the nominal interval", score.CountTimesInterval, leaves),
	}
}

func step(name, description string, reading score.Reading, fix func(*tracer.Options)) Mode {
	m := like("sample", name, description, fix)
	m.reading, m.wall = reading, true
	return m
}

func free(o *tracer.Options) { o.Device = device.Device{} }

func overshoot(o *tracer.Options) {
	cost := &o.Device.Sampling
	o.Device = device.Device{Sampling: sampler.Cost{Overshoot: cost.Overshoot, OvershootSpread: cost.OvershootSpread, Overshoots: cost.Overshoots, NoCore: cost.NoCore, NoCoreMax: cost.NoCoreMax}}
}

func pause(o *tracer.Options) { o.Device.Sampling.Granularity = 0 }

func leaves(o *tracer.Options) { o.Leaves = sampler.LeavesHidden }

func overflow(o *tracer.Options) {
	leaves(o)
	o.Start.BufferSize = art.DefaultBuffer
}

// Step is the effect of one step of the ladder.
type Step struct {
	Mode, Device, Description string
	Value                     float64 // mean of the measure
	// from the previous step; for the last three from the step "+ overflow"
	Change Difference
	First  bool // there is no previous step
}

// LadderSteps reads a sweep over [ladder] as steps of one measure.
func (r *Result) LadderSteps(m Measure) []Step {
	names := ladder()
	var steps []Step
	for _, row := range r.Rows {
		for i, mode := range names {
			if mode.Name != row.Mode {
				continue
			}
			s := Step{Mode: row.Mode, Device: row.Device, Description: mode.Description, Value: row.Mean[m], First: i == 0}
			if before := min(i, 7) - 1; before >= 0 {
				s.Change, _ = r.compare(Key{names[before].Name, row.Device, row.Interval}, row.Key(), m)
			}
			steps = append(steps, s)
		}
	}
	return steps
}
