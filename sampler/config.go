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
	SliceEnd diffstack.SliceEnd // when ended frames are taken to end; zero is ART's rule

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
	// each thread is late by a time of its own (package recorder): what a sample takes is lost by
	// threads that run managed code then. A wait goes on, and what was lost before it is lost for good
	// or not, as the method says in which the thread waits ([trace.Method]), and of recorded
	// traces Waits. With Dumps there is one clock always.
	OneClock bool

	// Waits says how the waits of a recorded truth end. It means nothing of others.
	Waits Waits

	Cost Cost // what sampling costs; zero is nothing
}

// delaysPerThread reports whether each thread is late by a time of its own.
func (cfg *Config) delaysPerThread() bool {
	return !cfg.OneClock && !cfg.Dumps && cfg.Cost.TakesTime()
}

// file returns how the runtime's file is laid out.
func (cfg *Config) file() art.Config {
	return art.Config{Runtime: cfg.Runtime, Streaming: cfg.Streaming, V2: cfg.V2, BufferSize: cfg.BufferSize, Objects: cfg.objects}
}

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
	return cfg, cfg.Cost.Check()
}
