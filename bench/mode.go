package bench

import (
	"time"

	"artifice/bench/score"
	"artifice/device"
	"artifice/instrument"
	"artifice/sampler"
	"artifice/threadsampler"
	"artifice/trace"
	"artifice/tracer"
)

// Mode is one way of tracing. A new one is a value in modes.go and its name in
// [Modes]; tracers that [tools] can run are modes by themselves.
//
// Exactly one of sample, threads and record is set.
type Mode struct {
	Name        string // as the command line spells it
	Description string

	// Control tells that it exists in emulation only: it is there to be compared with, and
	// no advice names it.
	Control bool

	Costs tracer.Costs // what it takes from the app
	How   tracer.How   // how people record so; nil: not known
	Gone  string       // why it can no longer record; "": people can

	// sample is set for ways to sample: the configuration of one cell's sampler.
	// Such a mode has a row for every interval.
	sample func(c cellConfig) sampler.Config

	// threads is set for ways to sample threads one by one: the configuration of one
	// cell's tracer. Such a mode has a row for each of the sweep's intervals or, where none
	// were asked for, for each of its own.
	threads func(c cellConfig) threadsampler.Config
	own     []time.Duration

	// reading is what is made of the samples.
	reading score.Reading

	// wall is set for ways that are compared with others that know no CPU time.
	wall bool

	// record is set for ways to trace every call. Such a mode has no interval, and
	// nothing of it is random. The tracer reads the truth through state, perhaps by
	// way of a timeline.
	record func(truth *trace.Recording, state *score.TrueState, d device.Device) (recorded, error)
}

// recorded is what a tracer of every call makes of a truth.
type recorded struct {
	rec      *trace.Recording       // with the truth's symbols
	line     score.RecordedTimeline // through which it reads the truth
	event    time.Duration          // what each event of the truth takes from its thread
	unslowed bool                   // rec's times are the truth's: they do not show what tracing takes

	// calls is set where not all events of the truth take the same.
	calls *instrument.CallsReader
}

// cellConfig is what one tracer of a sweep is given.
type cellConfig struct {
	device   device.Device
	interval time.Duration
	index    int // which of the row's cells
	of       int // how many the row has
	seed     uint64
}

// phase returns the app time of the first sample: the middle of the index-th
// part of one gap.
func (c cellConfig) phase(gap time.Duration) time.Duration {
	return max(1, time.Duration((float64(c.index)+0.5)*float64(gap)/float64(c.of)))
}

// Modes returns every mode, in the order of artifice list.
func Modes() []Mode {
	return append([]Mode{
		ARTSampling, PoissonSampling, InstrumentedDual, InstrumentedWall, LongRunning,
		EndLastSampling, EndCappedSampling, EndMidSampling, ByLineSampling, ByCallSampling,
	}, tools()...)
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
