package bench

import (
	"time"

	"artifice/bench/score"
	"artifice/tracer"
	"artifice/tracer/device"
)

// Mode is a way of tracing, as a sweep has it: one of package tracer, and options that are
// fixed. Every tracer is a mode by itself, unless it is unmeasured or there are modes of it
// in modes.go.
type Mode struct {
	tracer.Tracer

	// fix sets the options that make the mode; nil: there are none.
	fix func(o *tracer.Options)

	// reading is what is made of the samples.
	reading score.Reading

	// wall is set for ways that are compared with others that know no CPU time.
	wall bool
}

// run sets up the index-th of so many cells of a row: one of another phase of its first
// sample, where it has one.
func (m *Mode) run(cfg *Config, d device.Device, interval time.Duration, index, of int) tracer.Run {
	o := tracer.Options{Device: d, Interval: interval, Seed: seedOf(cfg.Seed, index), Compared: true, OneClock: cfg.OneClock}
	if m.fix != nil {
		m.fix(&o)
	}
	run := m.New(&cfg.truth, &o)
	if s, ok := run.(tracer.Sampling); ok && s.Gap() > 0 {
		o.Phase = phase(s.Gap(), index, of)
		run = m.New(&cfg.truth, &o)
	}
	return run
}

// phase returns the app time of the first sample: the middle of the index-th
// part of one gap.
func phase(gap time.Duration, index, of int) time.Duration {
	return max(1, time.Duration((float64(index)+0.5)*float64(gap)/float64(of)))
}

// Modes returns every mode, in the order of artifice list.
func Modes() []Mode {
	list := []Mode{
		ARTSampling, PoissonSampling, InstrumentedDual, InstrumentedWall, longRunning,
		endLastSampling, endCappedSampling, endMidSampling, byLineSampling, byCallSampling, legacySampling, btrace3Android14,
	}
	known := map[string]bool{"sample": true, "instrument": true, "longrun": true}
	for _, t := range tracer.All() {
		if !t.Unmeasured && !known[t.Name] {
			list = append(list, Mode{Tracer: t})
		}
	}
	return list
}

// ModeByName returns the mode of that name.
func ModeByName(name string) (Mode, bool) {
	for _, m := range Modes() {
		if m.Name == name {
			return m, true
		}
	}
	return Mode{}, false
}
