package sampler

import (
	"fmt"
	"time"

	"artifice/art"
	"artifice/diffstack"

	"artifice/trace"
)

// defaultInterval is the sampling interval of a zero Config: 1 ms, as in the
// example of Android's "am profile start --sampling 1000".
const defaultInterval = time.Millisecond

// Waits selects how waits end in a recorded truth, because a recording does not state what ended
// them.
type Waits uint8

const (
	WaitsByRule Waits = iota // at ticks of a clock if their ends coincide with such ticks; otherwise after the same duration
	WaitsAbsorb              // at the recorded time if the thread has arrived by then: every wait absorbs the delay
	WaitsKeep                // after the same duration: no wait absorbs the delay
)

// Config configures a Sampler. The zero value samples every millisecond at no cost, on the default
// runtime.
type Config struct {
	// Interval is the sampling interval: the time the sampling thread asks to sleep between two
	// samples. 0 is defaultInterval. An interval below 1 µs is an error, as in ART, which counts in
	// whole microseconds.
	Interval time.Duration

	// Phase is the app time of the first sample. 0 uses the runtime's: after the first sleep, or
	// immediately. Benchmarks use it to spread samplers evenly over one interval.
	Phase time.Duration

	// Seed seeds the random numbers of OvershootSpread and Poisson.
	Seed uint64

	Schedule Schedule           // times of the samples; zero is ART's loop of sleeps
	Leaves   Leaves             // whether loop-free leaf methods can be sampled as the leaf frame; zero: they can
	Identity diffstack.Identity // when two frames are considered equal; zero is ART's rule
	SliceEnd diffstack.SliceEnd // when ended frames are assumed to end; zero is ART's rule

	Runtime   *art.Runtime // nil: art.Default
	Clock     trace.Clock  // clocks to record; zero records both, or those of the truth
	Streaming bool         // output mode streaming; else file
	V2        bool         // format V2

	// BufferSize is the size in bytes of the trace buffer in output mode file, including the file's
	// header. Events that do not fit are dropped. 0 is art.DefaultBuffer, or no limit with
	// KeepSymbols.
	BufferSize int64

	// Again marks a process that has been traced before: an earlier instrumented trace has set the
	// zero of the CPU clock of each thread that exists at the start ([art.FirstReading]). After an
	// earlier sampled trace there are no zeros, as in a first trace.
	Again bool

	// ExactNames and HostBuild are those of art.Config.
	ExactNames, HostBuild bool

	// CountObjects adds the runtime's object statistics to the file.
	CountObjects bool
	objects      *art.Objects

	// KeepSymbols keeps the truth's thread and method indexes in events, in sampling order, before
	// the runtime's buffers and tables are applied. It serves profiles and comparisons with the
	// truth. The CPU clock is then exact unless the device has a Granularity.
	KeepSymbols bool

	// Dumps delivers the stacks of all threads as one snapshot per tick instead of joining equal
	// stacks, and the garbage collector does not delay ticks. It emulates a program that dumps its
	// threads' stacks.
	Dumps bool

	// OneClock makes a sample stop the clock of the whole app, including threads that sleep or run
	// native code. It suits an app of one thread that is always busy. Otherwise each thread has its
	// own delay (package recorder): a pause delays the threads that run managed code at that time.
	// Waits continue during a pause. Whether a wait absorbs an earlier delay depends on the method
	// in which the thread waits ([trace.Method]) and, in recorded traces, on Waits. With Dumps
	// there is always one clock.
	OneClock bool

	// Waits selects how the waits of a recorded truth end. It has no effect on other truths.
	Waits Waits

	Cost Cost // sampling cost; zero is none
}

// delaysPerThread reports whether each thread has its own delay.
func (cfg *Config) delaysPerThread() bool {
	return !cfg.OneClock && !cfg.Dumps && cfg.Cost.TakesTime()
}

// file returns the layout of the runtime's file.
func (cfg *Config) file() art.Config {
	return art.Config{Runtime: cfg.Runtime, Streaming: cfg.Streaming, V2: cfg.V2, BufferSize: cfg.BufferSize, Objects: cfg.objects, ExactNames: cfg.ExactNames, HostBuild: cfg.HostBuild}
}

// Leaves selects how samples report methods with the flag [trace.LeafNoPoll].
type Leaves uint8

const (
	// LeavesSeen reports the method that is executing.
	LeavesSeen Leaves = iota

	// LeavesHidden emulates safepoint bias. A thread stops only at a suspend check, and a compiled
	// leaf method without a loop has none: the optimizing compiler removes it
	// (register_allocator_linear_scan.cc, TryRemoveSuspendCheckEntry). Such a method is never the
	// leaf frame, and its time is attributed to its caller.
	LeavesHidden
)

// check returns cfg with its defaults filled in for a truth, or an error if cfg is invalid.
func (cfg Config) check(truth *trace.Recording) (Config, error) {
	if !truth.Info.Clock.HasWall() {
		return cfg, fmt.Errorf("a trace without wall clock cannot be sampled: "+
			"clock %s does not order events of different threads", truth.Info.Clock)
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
	case cfg.Again && truth.Info.Technique != trace.Truth:
		return cfg, art.ErrAgain
	case cfg.Phase < 0:
		return cfg, fmt.Errorf("phase %s: must not be negative", cfg.Phase)
	case cfg.Schedule > Poisson:
		return cfg, fmt.Errorf("no schedule %d", cfg.Schedule)
	case cfg.Leaves > LeavesHidden:
		return cfg, fmt.Errorf("unknown rule %d for leaf methods", cfg.Leaves)
	case !cfg.Identity.Valid():
		return cfg, fmt.Errorf("no frame identity %d", cfg.Identity)
	case !cfg.SliceEnd.Valid():
		return cfg, fmt.Errorf("no slice end %d", cfg.SliceEnd)
	case cfg.BufferSize != 0 && cfg.BufferSize < art.MinBuffer:
		return cfg, fmt.Errorf("buffer of %d bytes: VMDebug requires at least %d", cfg.BufferSize, art.MinBuffer)
	case cfg.Clock == trace.ThreadCPU && !truth.Info.Clock.HasCPU():
		return cfg, fmt.Errorf("clock %s: the source only has clock %s", cfg.Clock, truth.Info.Clock)
	}
	return cfg, cfg.Cost.Check()
}
