package bench

import (
	"time"

	"artifice/device"
	"artifice/sampler"
	"artifice/trace"
)

// Mode is one way of tracing, as a value. To add one is to write one file with
// a Mode in it.
//
// Exactly one of watch and record is set.
type Mode struct {
	Name        string // as the command line spells it
	Description string

	// watch is set for ways to sample: how one cell's sampler is configured. Such
	// a mode has a row for every interval.
	watch func(c cellConfig) sampler.Config

	// reading is what is made of the samples.
	reading Reading

	// record is set for ways to trace every call: what is recorded of a truth,
	// with the truth's symbols, and what an event takes from the app. Such a mode
	// has no interval, and nothing of it is random.
	record func(truth *trace.Recording, d device.Device) (*trace.Recording, time.Duration, error)
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
	return []Mode{
		ARTSampling, PoissonSampling, InstrumentedDual, InstrumentedWall,
		EndLastSampling, EndCappedSampling, EndMidSampling, ByCallSampling,
	}
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
