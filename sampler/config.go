package sampler

import (
	"fmt"
	"time"

	"artifice/diffstack"
	"artifice/trace"
)

// DefaultInterval is the sampling interval of a zero Config: 1 ms, as in the
// example of Android's "am profile start --sampling 1000".
const DefaultInterval = time.Millisecond

// Config says how to sample. The zero value samples every millisecond at no
// cost, with ART's habits and without a seed's whims.
type Config struct {
	// Interval is how long the sampling thread means to sleep between two
	// samples; 0 is DefaultInterval. One below 1 us is an
	// error, as in ART, which counts in whole us.
	Interval time.Duration

	// Phase is the app time of the first sample. 0 is ART's: after the first
	// sleep (Dalvik: at once). Benchmarks set it to spread samplers evenly over
	// one interval.
	Phase time.Duration

	// Seed picks the random numbers of OvershootSpread and Poisson.
	Seed uint64

	Schedule Schedule           // when samples come; zero is ART's loop of sleeps
	Runtime  Runtime            // whose habits; zero is ART
	Leaves   Leaves             // whether loop-free leaves can be seen innermost; zero is that they are
	Identity diffstack.Identity // when two frames are the same; zero is ART's rule
	SliceEnd diffstack.SliceEnd // when frames that are gone have ended; zero is ART's rule
	Clock    trace.Clock        // clocks to record; zero is both, or what the truth has

	// Buffer is the size in bytes of the trace buffer, which holds the file's
	// 32-byte header too. What does not fit is dropped. 0 never fills, as in
	// streaming. Below MinBuffer is an error, as in Android's Debug class.
	Buffer int64

	Cost Cost // what sampling costs; zero is nothing
}

// MinBuffer is the smallest buffer that Android's VMDebug accepts, in bytes.
const MinBuffer = 1024

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

// Runtime is the virtual machine whose habits are followed.
type Runtime uint8

const (
	// ART sleeps before its first sample and walks the threads in the order in
	// which they were attached.
	ART Runtime = iota

	// Dalvik (4.4, the first that samples) samples, then sleeps, and walks main
	// first, then the newest to the oldest thread.
	Dalvik
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
		cfg.Interval = DefaultInterval
	}
	switch {
	case cfg.Interval < time.Microsecond:
		return cfg, fmt.Errorf("sampling interval %s: want 1us or more, ART counts in whole us", cfg.Interval)
	case cfg.Phase < 0:
		return cfg, fmt.Errorf("phase %s: want 0 or more", cfg.Phase)
	case cfg.Schedule > Poisson:
		return cfg, fmt.Errorf("no schedule %d", cfg.Schedule)
	case cfg.Runtime > Dalvik:
		return cfg, fmt.Errorf("no runtime %d", cfg.Runtime)
	case cfg.Leaves > LeavesHidden:
		return cfg, fmt.Errorf("no rule %d for leaves", cfg.Leaves)
	case !cfg.Identity.Valid():
		return cfg, fmt.Errorf("no frame identity %d", cfg.Identity)
	case !cfg.SliceEnd.Valid():
		return cfg, fmt.Errorf("no slice end %d", cfg.SliceEnd)
	case cfg.Buffer != 0 && cfg.Buffer < MinBuffer:
		return cfg, fmt.Errorf("buffer of %d bytes: want at least %d, as Android does", cfg.Buffer, MinBuffer)
	case cfg.Clock == trace.ThreadCPU && !truth.Info.Clock.HasCPU():
		return cfg, fmt.Errorf("clock %s: the source has clock %s only", cfg.Clock, truth.Info.Clock)
	}
	return cfg, cfg.Cost.check()
}
