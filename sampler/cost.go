package sampler

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Cost is what sampling costs on a device. The zero value costs nothing and
// has exact clocks. Package device has those of devices whose traces are known.
//
// A sample stops the app for PerTick, PerThread for each listed thread, PerFrame
// for each frame of their stacks, and Resume until the app runs again. No thread
// runs during that time; wall time goes on. The timestamp of a thread is the end
// of its walk, so timestamps within a sample grow along the list.
type Cost struct {
	// Overshoot is how much longer than asked a sleep takes: timer slack and
	// the way back onto a core. The app runs meanwhile.
	Overshoot time.Duration

	// OvershootSpread is the standard deviation of a normal distribution around
	// Overshoot. No sleep ends early: what would be below 0 is 0, so a spread
	// near or above Overshoot raises the mean.
	OvershootSpread time.Duration

	// Overshoots, where there are any, are the distribution of the overshoot that
	// was measured. Overshoot and OvershootSpread are then its mean and standard
	// deviation ([Quantiles.Moments]) and no more than a summary.
	Overshoots Quantiles

	// NoCore is the share of sleeps, 0 to 1, that end while no core is free, if threads of the app run. The sampling
	// thread then gets a core when the next of them begins to wait or ends, and at the latest after NoCoreMost, when
	// the scheduler preempts one. Samples therefore fall on the beginnings of waits, and long computations without
	// waits have too few samples. NoCore applies to [SleepLoop] only; the overshoot is then that of sleeps that end
	// while a core is free. 0: the overshoot does not depend on the app.
	NoCore     float64
	NoCoreMost time.Duration

	PerTick   time.Duration // stopping all threads, before the first is walked
	PerTicks  Quantiles     // where there are any: the distribution of PerTick, which is then its mean
	PerThread time.Duration // walking one thread and reading its clocks
	PerFrame  time.Duration // each frame walked

	// Resume is how much longer than the pause a thread stands still that runs: the
	// sampling thread sleeps again while it is still on its way back onto a core. It
	// is part of the sleep, so it makes the app slower and no period longer. As all
	// pauses it is charged to all threads.
	Resume time.Duration

	// Granularity is the step of both clocks: readings are cut down to a
	// multiple of it. 0 is exact. ART's are 1 us; kernels without
	// high-resolution timers count in 30.5 us.
	Granularity time.Duration

	// ClockOverhead is what the trace says of the cost of the clocks it uses, the
	// option clock-call-overhead-nsec. It is part of PerThread, not added to it.
	ClockOverhead time.Duration
}

// TakesTime reports whether a sample stops the app.
func (c *Cost) TakesTime() bool {
	return c.PerTick+c.PerThread+c.PerFrame+c.Resume > 0 || len(c.PerTicks) > 0
}

// Check returns what is wrong with a cost.
func (c Cost) Check() error {
	if err := errors.Join(c.Overshoots.check("overshoot"), c.PerTicks.check("cost per tick")); err != nil {
		return err
	}
	switch {
	case !(c.NoCore >= 0 && c.NoCore <= 1):
		return fmt.Errorf("share %v of sleeps at whose end no core is free: must be from 0 to 1", c.NoCore)
	case c.NoCore > 0 != (c.NoCoreMost > 0):
		return fmt.Errorf("no core is free at the end of a share %v of sleeps, for %s at the most: either both are above 0 or none is", c.NoCore, c.NoCoreMost)
	}
	fields := []struct {
		name  string
		value time.Duration
	}{
		{"overshoot", c.Overshoot}, {"overshoot spread", c.OvershootSpread},
		{"cost per tick", c.PerTick}, {"cost per thread", c.PerThread}, {"cost per frame", c.PerFrame}, {"resume", c.Resume},
		{"clock granularity", c.Granularity}, {"clock overhead", c.ClockOverhead},
		{"wait for a core", c.NoCoreMost},
	}
	for _, f := range fields {
		if f.value < 0 || f.value > maxCost {
			return fmt.Errorf("%s %s: must be from 0 to %s", f.name, f.value, maxCost)
		}
	}
	return nil
}

// maxCost bounds each cost, so that sums over threads and frames stay far from
// the end of 64 bits.
const maxCost = time.Minute

// Stop returns how long a sample stops the app, without PerTick.
func (c *Cost) Stop(threads, frames int64) time.Duration { return c.Walk(threads, frames) + c.Resume }

// Walk returns how long a sample takes to walk threads and their frames.
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

// Pause returns for how long a sample stops the app, given the number of threads and of all their frames.
func (c *Cost) Pause(threads, frames int64) time.Duration { return c.PerTick + c.Stop(threads, frames) }

// Quantiles are a distribution of times: its quantiles at equal steps of
// probability from 0, the minimum, to 1, the maximum. Between two quantiles the
// distribution is uniform. It has at least two.
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
		return fmt.Errorf("one quantile of the %s: give none, or at least two", of)
	}
	last := time.Duration(0)
	for _, v := range q {
		if v < last || v > maxCost {
			return fmt.Errorf("quantile %s of the %s after %s: must be ascending times from 0 to %s", v, of, last, maxCost)
		}
		last = v
	}
	return nil
}
