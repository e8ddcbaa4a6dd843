package sampler

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Cost is the cost of sampling on a device. The zero value costs nothing and has exact clocks.
// Package device contains the costs of devices with known traces.
//
// A sample stops the app for PerTick, PerThread for each listed thread, PerFrame for each frame of
// their stacks, and Resume until the app runs again. No thread runs during that time, while wall
// time advances. The timestamp of a thread is the end of its walk, so timestamps within a sample
// increase along the list.
type Cost struct {
	// Overshoot is the time by which a sleep exceeds the interval: timer slack and scheduling
	// latency. The app runs meanwhile.
	Overshoot time.Duration

	// OvershootSpread is the standard deviation of a normal distribution around Overshoot. No sleep
	// ends early: negative values are set to 0, so a spread near or above Overshoot raises the
	// mean.
	OvershootSpread time.Duration

	// Overshoots, if not empty, is the measured distribution of the overshoot. Overshoot and
	// OvershootSpread are then only its summary: the mean and standard deviation
	// ([Quantiles.Moments]).
	Overshoots Quantiles

	// NoCore is the share of sleeps, from 0 to 1, that end while no core is free, if threads of the
	// app run. The sampling thread then gets a core when the next of these threads begins to wait
	// or ends, and after NoCoreMax at the latest, when the scheduler preempts one. Samples
	// therefore coincide with the beginnings of waits, and long computations without waits get too
	// few samples. NoCore applies to [SleepLoop] only. The overshoot is then that of sleeps that
	// end while a core is free. With 0 the overshoot does not depend on the app.
	NoCore    float64
	NoCoreMax time.Duration

	PerTick   time.Duration // stopping all threads, before the first is walked
	PerTicks  Quantiles     // if not empty: the distribution of PerTick, which is then its mean
	PerThread time.Duration // walking one thread and reading its clocks
	PerFrame  time.Duration // each frame walked

	// Resume is the time from the end of a pause until a running thread resumes: the sampling
	// thread already sleeps while the app's threads are still being scheduled. It is part of the
	// sleep, so it slows the app and does not lengthen the period. Like all pauses it is charged to
	// all threads.
	Resume time.Duration

	// Granularity is the resolution of both clocks: readings are rounded down to a multiple of it.
	// 0 is exact. ART's is 1 µs; kernels without high-resolution timers count in 30.5 µs.
	Granularity time.Duration

	// ClockOverhead is the cost of reading the clocks as stated in the trace, option
	// clock-call-overhead-nsec. It is part of PerThread, not added to it.
	ClockOverhead time.Duration
}

// TakesTime reports whether a sample stops the app.
func (c *Cost) TakesTime() bool {
	return c.PerTick+c.PerThread+c.PerFrame+c.Resume > 0 || len(c.PerTicks) > 0
}

// Check returns an error if a cost is invalid.
func (c Cost) Check() error {
	if err := errors.Join(c.Overshoots.check("overshoot"), c.PerTicks.check("cost per tick")); err != nil {
		return err
	}
	switch {
	case !(c.NoCore >= 0 && c.NoCore <= 1):
		return fmt.Errorf("share %v of sleeps that end without a free core: must be from 0 to 1", c.NoCore)
	case c.NoCore > 0 != (c.NoCoreMax > 0):
		return fmt.Errorf("share %v of sleeps that end without a free core, maximum wait %s: both must be above 0, or neither", c.NoCore, c.NoCoreMax)
	}
	fields := []struct {
		name  string
		value time.Duration
	}{
		{"overshoot", c.Overshoot}, {"overshoot spread", c.OvershootSpread},
		{"cost per tick", c.PerTick}, {"cost per thread", c.PerThread}, {"cost per frame", c.PerFrame}, {"resume", c.Resume},
		{"clock granularity", c.Granularity}, {"clock overhead", c.ClockOverhead},
		{"wait for a core", c.NoCoreMax},
	}
	for _, f := range fields {
		if f.value < 0 || f.value > maxCost {
			return fmt.Errorf("%s %s: must be from 0 to %s", f.name, f.value, maxCost)
		}
	}
	return nil
}

// maxCost bounds each cost, so that sums over threads and frames do not overflow 64 bits.
const maxCost = time.Minute

// Stop returns the time for which a sample stops the app, excluding PerTick.
func (c *Cost) Stop(threads, frames int64) time.Duration { return c.Walk(threads, frames) + c.Resume }

// Walk returns the time to walk threads and their frames.
func (c *Cost) Walk(threads, frames int64) time.Duration {
	return c.PerThread*time.Duration(threads) + c.PerFrame*time.Duration(frames)
}

// Read returns the reading of this device's clocks at t.
func (c *Cost) Read(t time.Duration) time.Duration {
	if c.Granularity > 1 {
		t -= t % c.Granularity
	}
	return t
}

// Pause returns the time for which a sample stops the app, given the number of threads and the
// total number of frames.
func (c *Cost) Pause(threads, frames int64) time.Duration { return c.PerTick + c.Stop(threads, frames) }

// Quantiles represents a distribution of times by its quantiles at equal steps of probability from
// 0, the minimum, to 1, the maximum. Between two quantiles the distribution is uniform. There are
// at least two.
type Quantiles []time.Duration

// At returns the p-quantile, for p from 0 to 1.
func (q Quantiles) At(p float64) time.Duration {
	x := p * float64(len(q)-1)
	i := min(int(x), len(q)-2)
	return q[i] + time.Duration(math.Round((x-float64(i))*float64(q[i+1]-q[i])))
}

// Moments returns the mean and the standard deviation.
func (q Quantiles) Moments() (mean, deviation time.Duration) {
	var sum, squares float64
	for i := range len(q) - 1 {
		a, b := float64(q[i]), float64(q[i+1])
		sum += (a + b) / 2
		squares += (a*a + a*b + b*b) / 3
	}
	steps := float64(len(q) - 1)
	m := sum / steps
	return time.Duration(math.Round(m)), time.Duration(math.Round(math.Sqrt(max(0, squares/steps-m*m))))
}

func (q Quantiles) check(of string) error {
	if len(q) == 1 {
		return fmt.Errorf("a single quantile of the %s: use none, or at least two", of)
	}
	last := time.Duration(0)
	for _, v := range q {
		if v < last || v > maxCost {
			return fmt.Errorf("quantile %s of the %s follows %s, but quantiles must ascend from 0 to %s", v, of, last, maxCost)
		}
		last = v
	}
	return nil
}
