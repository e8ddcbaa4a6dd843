package sampler

import (
	"errors"
	"fmt"
	"time"

	"artifice/art"
	"artifice/diffstack"
	"artifice/trace"
)

// defaultInterval is the sampling interval of a zero Config: 1 ms, as in the
// example of Android's "am profile start --sampling 1000".
const defaultInterval = time.Millisecond

// Waits says how waits end in a recorded truth, which does not tell.
type Waits uint8

const (
	WaitsByRule Waits = iota // at the ticks of a clock, where their ends lie on those of one; else so long after they began
	WaitsAbsorb              // as they did, if the thread has come by then: all make up for what was lost
	WaitsKeep                // so long after they began: none does
)

// Config says how to sample. The zero value samples every millisecond at no
// cost, on the default runtime.
type Config struct {
	// Interval is how long the sampling thread means to sleep between two
	// samples; 0 is defaultInterval. It is an error below 1 us, as in ART, which
	// counts in whole us.
	Interval time.Duration

	// Phase is the app time of the first sample. 0 is the runtime's: after the
	// first sleep, or at once. Benchmarks set it to spread samplers evenly over
	// one interval.
	Phase time.Duration

	// Seed picks the random numbers of OvershootSpread and Poisson.
	Seed uint64

	Schedule Schedule           // when samples come; zero is ART's loop of sleeps
	Leaves   Leaves             // whether loop-free leaves can be seen innermost; zero is that they are
	Identity diffstack.Identity // when two frames are the same; zero is ART's rule
	SliceEnd diffstack.SliceEnd // when frames that are gone have ended; zero is ART's rule

	Runtime   *art.Runtime // nil: art.Default
	Clock     trace.Clock  // clocks to record; zero is both, or what the truth has
	Streaming bool         // output mode streaming; else file
	V2        bool         // format V2

	// BufferSize is the size in bytes of the trace buffer in output mode file,
	// which holds the file's header too. What does not fit is dropped. 0 is
	// art.DefaultBuffer, or no limit with KeepSymbols.
	BufferSize int64

	// CountObjects gives the file the statistics that the runtime has of objects.
	CountObjects bool
	objects      *art.Objects

	// KeepSymbols leaves events with the truth's thread and method indexes, in the
	// order in which they are sampled, as they are before the runtime's buffers
	// and tables. It is for profiles and for comparisons with the truth.
	KeepSymbols bool

	// Dumps hands on, as snapshots, the stacks of all threads at every tick, one
	// by one instead of joined while they stay equal, and the garbage collector
	// holds no tick up: what a program that dumps its threads' stacks shows.
	Dumps bool

	// OneClock makes a sample stop the time of the whole app, with all threads that sleep or
	// are in native code: so it is for one thread that is always busy, and no other app. Else
	// each thread is late by a time of its own (package lateness): what a sample takes is lost by
	// threads that run managed code then. A wait goes on, and what was lost before it is lost for good
	// or not, as the method says in which the thread waits ([trace.Method]), and of recorded
	// traces Waits. With Dumps there is one clock always.
	OneClock bool

	// Waits says how the waits of a recorded truth end. It means nothing of others.
	Waits Waits

	Cost Cost // what sampling costs; zero is nothing
}

// paced reports whether each thread is late by a time of its own.
func (cfg *Config) paced() bool {
	return !cfg.OneClock && !cfg.Dumps && cfg.Cost.TakesTime()
}

// TakesTime reports whether a sample stops the app.
func (c *Cost) TakesTime() bool {
	return c.PerTick+c.PerThread+c.PerFrame+c.Resume > 0 || len(c.PerTicks) > 0
}

// Schedule says how the instants of the samples are chosen.
type Schedule uint8

const (
	// SleepLoop is ART's and Dalvik's: sleep, sample, sleep. Gaps are the
	// interval plus the overshoot.
	SleepLoop Schedule = iota

	// Poisson is the statistician's: gaps are exponential with the interval as
	// mean, so that samples fall independently of what the app does. No profiler
	// of Android's does it; it is the control that others are compared with.
	// The overshoot is not added.
	Poisson
)

// Leaves says what a sample sees of methods with the flag [trace.LeafNoPoll].
type Leaves uint8

const (
	// LeavesSeen shows each method where it is.
	LeavesSeen Leaves = iota

	// LeavesHidden is the bias of safepoints: a thread only stops at a suspend
	// check, a compiled leaf without a loop has none, so such a leaf is never
	// innermost and its time goes to its caller (the optimizing compiler drops
	// the check in register_allocator_linear_scan.cc,
	// TryRemoveSuspendCheckEntry).
	LeavesHidden
)

// check returns cfg with its defaults filled in for a truth, or what is wrong
// with it.
func (cfg Config) check(truth *trace.Recording) (Config, error) {
	if !truth.Info.Clock.HasWall() {
		return cfg, fmt.Errorf("a trace without wall clock cannot be sampled: "+
			"clock %s says nothing of the order between threads", truth.Info.Clock)
	}
	if cfg.Interval == 0 {
		cfg.Interval = defaultInterval
	}
	if cfg.Runtime == nil {
		cfg.Runtime = art.Default()
	}
	if err := art.CheckInterval(cfg.Interval); err != nil {
		return cfg, err
	}
	switch {
	case cfg.Phase < 0:
		return cfg, fmt.Errorf("phase %s: must not be negative", cfg.Phase)
	case cfg.Schedule > Poisson:
		return cfg, fmt.Errorf("no schedule %d", cfg.Schedule)
	case cfg.Leaves > LeavesHidden:
		return cfg, fmt.Errorf("no rule %d for leaves", cfg.Leaves)
	case !cfg.Identity.Valid():
		return cfg, fmt.Errorf("no frame identity %d", cfg.Identity)
	case !cfg.SliceEnd.Valid():
		return cfg, fmt.Errorf("no slice end %d", cfg.SliceEnd)
	case cfg.BufferSize != 0 && cfg.BufferSize < art.MinBuffer:
		return cfg, fmt.Errorf("buffer of %d bytes: VMDebug requires at least %d", cfg.BufferSize, art.MinBuffer)
	case cfg.Clock == trace.ThreadCPU && !truth.Info.Clock.HasCPU():
		return cfg, fmt.Errorf("clock %s: the source only has clock %s", cfg.Clock, truth.Info.Clock)
	}
	return cfg, cfg.Cost.check()
}

// Cost is what sampling costs on a device. The zero value costs nothing and
// has exact clocks. Package device has those of devices whose traces are known.
//
// One sample stops the app for PerTick + PerThread for every thread listed +
// PerFrame for every frame on a stack, and for Resume until it runs again. No
// thread runs in that time; wall time goes on. A thread is stamped when its own walk is done, so stamps within a
// sample grow along the list.
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

func (c Cost) check() error {
	if err := errors.Join(c.Overshoots.check("overshoot"), c.PerTicks.check("cost per tick")); err != nil {
		return err
	}
	fields := []struct {
		name  string
		value time.Duration
	}{
		{"overshoot", c.Overshoot}, {"overshoot spread", c.OvershootSpread},
		{"cost per tick", c.PerTick}, {"cost per thread", c.PerThread}, {"cost per frame", c.PerFrame}, {"resume", c.Resume},
		{"clock granularity", c.Granularity}, {"clock overhead", c.ClockOverhead},
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

// stop returns how long a sample stops the app after perTick.
func (c *Cost) stop(threads, frames int64) time.Duration { return c.walk(threads, frames) + c.Resume }

// walk returns how long a sample takes to walk so many threads and frames.
func (c *Cost) walk(threads, frames int64) time.Duration {
	return c.PerThread*time.Duration(threads) + c.PerFrame*time.Duration(frames)
}

// read returns what a clock of this device shows at t.
func (c *Cost) read(t time.Duration) time.Duration {
	if c.Granularity > 1 {
		t -= t % c.Granularity
	}
	return t
}
