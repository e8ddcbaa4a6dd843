package sampler

import (
	"fmt"
	"time"
)

// Cost is what sampling costs on a device. The zero value costs nothing and
// has exact clocks. Package device has those of devices whose traces are known.
//
// One sample stops the app for PerTick + PerThread for every thread listed +
// PerFrame for every frame on a stack. No thread runs in that time; wall time
// goes on. A thread is stamped when its own walk is done, so stamps within a
// sample grow along the list.
type Cost struct {
	// Overshoot is how much longer than asked a sleep takes: timer slack and
	// the way back onto a core. The app runs meanwhile.
	Overshoot time.Duration

	// OvershootSpread is the standard deviation of a normal distribution around
	// Overshoot. No sleep ends early: what would be below 0 is 0, so a spread
	// near or above Overshoot raises the mean.
	OvershootSpread time.Duration

	PerTick   time.Duration // stopping all threads, before the first is walked
	PerThread time.Duration // walking one thread and reading its clocks
	PerFrame  time.Duration // each frame walked

	// Granularity is the step of both clocks: readings are cut down to a
	// multiple of it. 0 is exact. ART's are 1 us; kernels without
	// high-resolution timers count in 30.5 us.
	Granularity time.Duration

	// ClockOverhead is what the trace says of the clocks' cost, the option
	// clock-call-overhead-nsec. It is part of PerThread, not added to it.
	ClockOverhead time.Duration
}

func (c Cost) check() error {
	fields := []struct {
		name  string
		value time.Duration
	}{
		{"overshoot", c.Overshoot}, {"overshoot spread", c.OvershootSpread},
		{"cost per tick", c.PerTick}, {"cost per thread", c.PerThread}, {"cost per frame", c.PerFrame},
		{"clock granularity", c.Granularity}, {"clock overhead", c.ClockOverhead},
	}
	for _, f := range fields {
		if f.value < 0 || f.value > maxCost {
			return fmt.Errorf("%s %s: want 0 to %s", f.name, f.value, maxCost)
		}
	}
	return nil
}

// maxCost bounds each cost, so that sums over threads and frames stay far from
// the end of 64 bits.
const maxCost = time.Minute

// pause returns how long a sample of so many threads and frames stops the app.
// It is also when a thread is stamped, counted from the sample's begin, if
// threads and frames go up to and including its own.
func (c *Cost) pause(threads, frames int64) time.Duration {
	return c.PerTick + c.PerThread*time.Duration(threads) + c.PerFrame*time.Duration(frames)
}

// read returns what a clock of this device shows at t.
func (c *Cost) read(t time.Duration) time.Duration {
	if c.Granularity > 1 {
		t -= t % c.Granularity
	}
	return t
}
