package thread

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"artifice/diffstack"
	"artifice/internal/recorder"
	"artifice/trace"
)

// Config configures the sampling of threads.
type Config struct {
	// Interval is the time between two expirations of the timer, at least 10 µs.
	Interval time.Duration

	Timer Timer // the timer's kind

	// Phase is the timer's reading at the first expiration; 0: one interval.
	Phase time.Duration

	// RandomFirst draws each thread's first expiration uniformly from 1 ns to one interval.
	RandomFirst bool

	Seed   uint64 // of the random part of the sample cost
	Cost   Cost   // zero: none
	Buffer Buffer // zero: unlimited

	// Unseen are flags of methods that no sample reports; their time is attributed to their
	// callers.
	Unseen trace.MethodFlags

	MainOnly bool // only the first thread is sampled

	// Ends is the rule for the ends of calls that a sample no longer contains; zero is at that
	// sample. With any other rule, calls that are open when tracing stops end by it, too.
	Ends diffstack.SliceEnd

	// Keep is the retention time: the record contains the last Keep/Interval + 1 samples; 0: all.
	// It needs MainOnly.
	Keep time.Duration

	// Until is the time of the truth at which sampling ends; 0: at its end.
	Until time.Duration

	Deepest int // maximum number of frames in a sample; 0: unlimited

	// Cut truncates samples of deeper stacks to the innermost Deepest frames. Without it these
	// samples are lost.
	Cut bool

	// LostExpiries is the share of expirations, from 0 to below 1, at which no sample is taken and
	// no time is lost. These expirations are random.
	LostExpiries float64

	// Failures are the failing walks, which return only a part of the stack. They cost the same as
	// other walks.
	Failures []Failure

	// AtYields delays samples to yield points, as in virtual machines that stop threads there. If
	// the timer expires in a method without yield points ([trace.LeafNoPoll]), the sample is taken
	// when the thread next enters a method with one, and reports that method. Expirations until
	// then are missed. It needs [ThreadTimer].
	AtYields bool

	// Switch is the maximum CPU time of a thread around each of its waits that its timer does not
	// count: the kernel's context switches. It needs [ThreadTimer].
	Switch time.Duration

	// Tick is the time between two ticks of a core. Expirations are noticed only at these ticks
	// while the thread runs; 0: immediately. Each thread has its own core with a random first tick.
	// It needs [ThreadTimer] or [ProcessTimer].
	Tick time.Duration

	// Jitter is the standard deviation of an interval of a [ThreadTimer], at most Interval. A
	// longer interval delays all later ones.
	Jitter time.Duration

	// Overshoot is the mean time by which the profiler's thread oversleeps before each sample of a
	// [WallTimer] or [SamplerThread]. It is exponentially distributed. The next sleep begins after
	// it.
	Overshoot time.Duration

	// Turns is the number of running threads that one expiration of a [SamplerThread] samples, in
	// turn, and NativeTurns that of threads in native code.
	Turns, NativeTurns int

	// NoAllocations disables the allocation hook of [Hooks].
	NoAllocations bool

	TempDir string // for events waiting for their place; "": os.TempDir
}

// Timer selects the clock that triggers samples.
type Timer uint8

const (
	// ThreadTimer counts the CPU time of one thread since its first event, including the time of
	// samples.
	ThreadTimer Timer = iota

	// CoreTimer counts the time of a core, from the start of the truth, and samples the thread that
	// runs there. The timers of all cores expire together, and each running thread is assumed to
	// have its own core.
	CoreTimer

	// WallTimer counts the wall time of the truth plus the time that samples take from the thread,
	// and samples the thread whether it runs or not. The record has no CPU time. A waiting thread
	// loses no time to samples.
	WallTimer

	// SamplerThread is a thread of the profiler that wakes by the wall clock of the truth. It
	// samples, in turn ([Config].Turns), the threads in methods that do not wait, on a core or not.
	// Costs must be zero.
	SamplerThread

	// ProcessTimer counts the CPU time of all threads together. Its expiration is noticed at the
	// next tick of a core on which a thread runs, and that thread is sampled. Each thread has its
	// own core, and cores tick at independent instants. Costs must be zero.
	ProcessTimer

	// Hooks uses no timer. A thread samples itself at a hook if its last sample is older than the
	// interval; [Tracer.hook] lists the hooks. The record has the thread's CPU clock. There are no
	// samples before the phase.
	Hooks
)

// minInterval is the shortest interval of the kernel's timers (perf_swevent_init_hrtimer and
// perf_swevent_hrtimer: 10000 ns).
const minInterval = 10 * time.Microsecond

// Cost is the time that one sample takes from its thread.
type Cost struct {
	Sample time.Duration // mean of the part that does not depend on the stack's depth

	// SampleMax is the maximum of this part. If it is above Sample, the part is random: exponential
	// and clipped at SampleMax, which multiplies the mean by 1 - exp(-SampleMax/Sample). Otherwise
	// it is always Sample.
	SampleMax time.Duration

	PerFrame time.Duration // additional time for each reported frame
}

// Buffer is the queue of samples waiting to be written. A sample that finds it full is lost, but
// its cost remains. A thread's samples enter the buffer when the truth reaches the thread's next
// event.
type Buffer struct {
	Slots int           // capacity, including the sample being processed; 0: unlimited
	Drain time.Duration // processing time of one sample
}

// Failure describes a kind of failing walk.
type Failure struct {
	Cause string
	Share float64 // share of all samples, 0 to 1; the sum over all failures is at most 1

	// Frames is the number of innermost frames that such a walk finds. The sample contains only
	// these, as if the outermost of them had no caller. 0: none.
	Frames int

	// Reason is the name of the frame that replaces the missing callers ([trace.Method.WalkEnd]),
	// for example INVALID_MAP. "": no such frame, and a sample without frames is not recorded.
	Reason string
}

// blank reports whether samples of such walks are not recorded.
func (f *Failure) blank() bool { return f.Frames == 0 && f.Reason == "" }

// failing returns the share of samples that fail.
func (c *Config) failing() (share float64) {
	for _, f := range c.Failures {
		share += f.Share
	}
	return share
}

// cuts reports whether samples can lack a part of their stack.
func (c *Config) cuts() bool {
	return c.Cut || slices.ContainsFunc(c.Failures, func(f Failure) bool { return !f.blank() && f.Share > 0 })
}

// maxCost bounds each cost, so that sums do not overflow 64 bits.
const maxCost = time.Second

// maxKept is the maximum number of samples in a ring.
const maxKept = 1 << 20

// Kept returns the number of samples that the record keeps, the last ones; 0: all.
func (c *Config) Kept() int {
	if c.Keep == 0 {
		return 0
	}
	return int(c.Keep/c.Interval) + 1
}

// OnlyRunning reports whether waiting threads are never sampled.
func (c *Config) OnlyRunning() bool { return c.Timer != WallTimer && c.Timer != Hooks }

// shared reports whether threads share one timer.
func (c *Config) shared() bool { return c.Timer == SamplerThread || c.Timer == ProcessTimer }

// HasCPU reports whether the record has CPU time if the truth does.
func (c *Config) HasCPU() bool { return c.Timer != WallTimer }

// maxSamples is the maximum number of samples of a run.
const maxSamples = 1 << 26

func (c *Config) check(truth *trace.Recording) error {
	cost := &c.Cost
	switch {
	case !truth.Info.Clock.HasWall():
		return errors.New("a trace without wall clock cannot be sampled: clock thread-cpu does not order events of different threads")
	case c.Interval < minInterval:
		return fmt.Errorf("interval %s: must be at least %s, the limit of the kernel's timers", c.Interval, minInterval)
	case c.Until < 0:
		return fmt.Errorf("end of sampling %s: must not be negative", c.Until)
	case c.Interval > recorder.MaxTime || c.Phase < 0 || c.Phase > recorder.MaxTime:
		return fmt.Errorf("interval %s, phase %s: must be from 0 to %s", c.Interval, c.Phase, recorder.MaxTime)
	case min(cost.Sample, cost.SampleMax, cost.PerFrame, c.Buffer.Drain) < 0:
		return errors.New("a sampling cost is negative")
	case max(cost.Sample, cost.SampleMax, cost.PerFrame, c.Buffer.Drain) > maxCost:
		return fmt.Errorf("a sampling cost is more than %s", maxCost)
	case c.Timer > Hooks:
		return fmt.Errorf("timer %d is unknown: the last one is %d", c.Timer, Hooks)
	case !c.Ends.Valid():
		return fmt.Errorf("slice end %d is unknown", c.Ends)
	case c.Deepest < 0:
		return fmt.Errorf("frame limit %d: must be 0 (none) or more", c.Deepest)
	case !(c.LostExpiries >= 0 && c.LostExpiries < 1) || !(c.failing() >= 0 && c.failing() <= 1):
		return fmt.Errorf("share of lost expiries %v, share of failed stack walks %v: must be from 0 to 1", c.LostExpiries, c.failing())
	case slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.Frames < 0 }):
		return errors.New("failed stack walks: the number of frames must not be negative")
	case c.cuts() && (c.Keep > 0 || c.Timer == Hooks):
		return errors.New("incomplete stacks require a sampler with a timer and without a ring buffer")
	case min(c.Switch, c.Tick) < 0 || max(c.Switch, c.Tick) > maxCost:
		return fmt.Errorf("CPU time of a context switch %s, tick length %s: must be from 0 to %s", c.Switch, c.Tick, maxCost)
	case c.Jitter < 0 || c.Jitter > c.Interval || c.Overshoot < 0 || c.Overshoot > maxCost:
		return fmt.Errorf("interval %s, jitter %s, overshoot %s: the jitter must be at most the interval, and the overshoot from 0 to %s", c.Interval, c.Jitter, c.Overshoot, maxCost)
	case c.shared() && (*cost != (Cost{}) || c.Buffer.Slots > 0 || c.Keep > 0 || c.RandomFirst):
		return errors.New("a timer shared by threads supports no costs, buffer, ring buffer or random start")
	case c.Timer == SamplerThread && (c.Turns < 1 || c.NativeTurns < 0):
		return fmt.Errorf("%d threads at each expiry of the timer, %d of them in native code: must be at least 1 and 0", c.Turns, c.NativeTurns)
	case c.Timer == ProcessTimer && c.Tick == 0:
		return errors.New("a process timer needs a tick length: it expires only at ticks")
	case c.AtYields && c.Timer != ThreadTimer:
		return errors.New("samples at yield points need a timer for each thread")
	case c.Keep < 0 || c.Keep > 0 && (!c.MainOnly || c.Keep/c.Interval > maxKept):
		return fmt.Errorf("the last %s of samples, with one every %s: must be at most %d samples, and only of the main thread", c.Keep, c.Interval, maxKept)
	case c.Buffer.Slots < 0 || c.Buffer.Slots > 1<<30:
		return fmt.Errorf("a buffer of %d samples", c.Buffer.Slots)
	}
	return nil
}
