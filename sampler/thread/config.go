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

// Config says how threads are sampled.
type Config struct {
	// Interval is the time between two expiries of the timer, at least 10 us.
	Interval time.Duration

	Timer Timer // what runs the timer

	// Phase is what the timer shows at the first expiry; 0: one interval.
	Phase time.Duration

	// RandomFirst makes each thread's first expiry random instead, evenly from 1 ns to
	// one interval.
	RandomFirst bool

	Seed   uint64 // of the random part of what samples take
	Cost   Cost   // zero: nothing
	Buffer Buffer // zero: of any size

	// Unseen are flags of methods that no sample shows: their time is their callers'.
	Unseen trace.MethodFlags

	MainOnly bool // only the first thread is sampled

	// Ends is when calls end that a sample does not find any more; zero is at that
	// sample. Otherwise those that are open when tracing stops end so, too.
	Ends diffstack.SliceEnd

	// Keep is how long samples are kept: the last Keep/Interval + 1 of them are in the
	// record; 0: all. It needs MainOnly.
	Keep time.Duration

	// Until is the truth's time from which on no sample is taken; 0: to its end.
	Until time.Duration

	Deepest int // frames that a sample can show; 0: any number

	// Cut makes a sample of a deeper stack show the innermost Deepest frames of it, where
	// it is lost else.
	Cut bool

	// LostExpiries is the share of expiries that take no sample, and no time, from 0 to below
	// 1. They are at random.
	LostExpiries float64

	// Failures are the walks that do not find the whole stack. They take what others take.
	Failures []Failure

	// AtYields makes samples come at yield points, as those of virtual machines do which stop threads there: an expiry that finds
	// its thread in a method without one ([trace.LeafNoPoll]) takes its sample when the thread next enters a method that has
	// one, in which the sample then is. Expiries until then are missed. It is for [ThreadTimer].
	AtYields bool

	// Switch is the CPU time of a thread around each of its waits, at most, that its timer
	// does not count: in which the kernel takes it from its core and back. It is for
	// [ThreadTimer].
	Switch time.Duration

	// Tick is the time between two ticks of a core, at which alone an expiry is noticed while its
	// thread runs; 0: it is at once. Each thread has a core, whose first tick is at random. It is for
	// [ThreadTimer] and [ProcessTimer].
	Tick time.Duration

	// Jitter is the standard deviation of an interval of a [ThreadTimer]; up to Interval. What one is longer by
	// all that follow are later by.
	Jitter time.Duration

	// Overshoot is by how much the profiler's thread sleeps too long before each sample of a [WallTimer] or
	// [SamplerThread], on average: it is exponential. The next sleep begins then.
	Overshoot time.Duration

	// Turns is how many threads that run, and how many of those in native code, one expiry
	// of a [SamplerThread] samples, in turn.
	Turns, NativeTurns int

	// NoAllocations leaves out the hook on allocations, of [Hooks].
	NoAllocations bool

	TempDir string // of events that wait for their place; "": os.TempDir
}

// Timer is what a sample's time is counted by.
type Timer uint8

const (
	// ThreadTimer counts the CPU time of one thread since its first event, with what
	// samples take.
	ThreadTimer Timer = iota

	// CoreTimer counts the time of a core, from the begin of the truth, and samples
	// what runs there. All cores' expire together, and each thread that runs is taken
	// to have a core to itself.
	CoreTimer

	// WallTimer counts the wall time of the truth with what samples take from the
	// thread, and samples the thread whether it runs or not. The record has no CPU time.
	// A thread that waits loses no time to it.
	WallTimer

	// SamplerThread is a thread of the profiler's that wakes by the wall clock of the truth, and
	// samples those that run in methods that do not wait, on a core or not, in turn
	// ([Config].Turns). It is the one of its timers that costs must be zero with.
	SamplerThread

	// ProcessTimer counts the CPU time of all threads together. Its expiry is noticed at the
	// next tick of a core on which a thread runs, which is sampled: each thread has a core to
	// itself, and cores tick at instants of their own. Costs must be zero.
	ProcessTimer

	// Hooks is no timer: the thread looks at itself where it comes by a hook, and its
	// last look is longer ago than the interval ([Tracer.hook] lists them). The record has the
	// thread's CPU clock. Before the phase nothing is looked at.
	Hooks
)

// minInterval is the shortest interval: the kernel's timers do not expire sooner
// (perf_swevent_init_hrtimer and perf_swevent_hrtimer: 10000 ns).
const minInterval = 10 * time.Microsecond

// Cost is what one sample takes from its thread.
type Cost struct {
	Sample time.Duration // mean of the part that does not depend on the stack's depth

	// Most is the longest that this part can take. Where it is above Sample the part
	// is random: exponential, and Most in place of what is above that, which takes
	// exp(-Most/Sample) off the mean. Else it is always Sample.
	Most time.Duration

	PerFrame time.Duration // and for each frame that the sample shows
}

// Buffer is where samples wait to be written. A sample that finds it full is lost, but has cost
// its thread time all the same. Samples get to the buffer in the order in which the truth tells
// of them, which it does when their thread has its next event.
type Buffer struct {
	Slots int           // samples that can wait, with the one at work; 0: any number
	Drain time.Duration // work for one sample
}

// Failure is why walks fail, and the share of samples that do.
type Failure struct {
	Cause string
	Share float64 // from 0 to 1, and all together

	// Frames is how many of the innermost frames such a walk finds: the sample shows them alone, as if nothing had
	// called the outermost of them. 0: none.
	Frames int

	// Reason is what a record says instead of the callers, by a frame ([trace.Method.WalkEnd]): INVALID_MAP. "": nothing, and
	// a sample that finds no frame is not in the record.
	Reason string
}

// blank reports whether the sample of such a walk is not in the record.
func (f *Failure) blank() bool { return f.Frames == 0 && f.Reason == "" }

// failing returns the share of samples that fail.
func (c *Config) failing() (share float64) {
	for _, f := range c.Failures {
		share += f.Share
	}
	return share
}

// cuts reports whether some samples show a part of the stack.
func (c *Config) cuts() bool {
	return c.Cut || slices.ContainsFunc(c.Failures, func(f Failure) bool { return !f.blank() && f.Share > 0 })
}

// limit of each cost, so that sums of them stay far from the end of 64 bits.
const maxCost = time.Second

// maxKept bounds how many samples a ring keeps.
const maxKept = 1 << 20

// Kept returns how many samples the record keeps, the last ones; 0: all.
func (c *Config) Kept() int {
	if c.Keep == 0 {
		return 0
	}
	return int(c.Keep/c.Interval) + 1
}

// OnlyRunning reports whether a thread that waits is never sampled.
func (c *Config) OnlyRunning() bool { return c.Timer != WallTimer && c.Timer != Hooks }

// shared reports whether threads share one timer.
func (c *Config) shared() bool { return c.Timer == SamplerThread || c.Timer == ProcessTimer }

// HasCPU reports whether the record tells CPU time, where the truth does.
func (c *Config) HasCPU() bool { return c.Timer != WallTimer }

// maxSamples bounds how many samples a run has.
const maxSamples = 1 << 26

func (c *Config) check(truth *trace.Recording) error {
	cost := &c.Cost
	switch {
	case !truth.Info.Clock.HasWall():
		return errors.New("a trace without wall clock cannot be sampled: clock thread-cpu says nothing of the order between threads")
	case c.Interval < minInterval:
		return fmt.Errorf("an interval of %s: the kernel's timers need at least %s", c.Interval, minInterval)
	case c.Until < 0:
		return fmt.Errorf("samples until %s: must not be negative", c.Until)
	case c.Interval > recorder.MaxTime || c.Phase < 0 || c.Phase > recorder.MaxTime:
		return fmt.Errorf("interval %s, phase %s: must be from 0 to %s", c.Interval, c.Phase, recorder.MaxTime)
	case min(cost.Sample, cost.Most, cost.PerFrame, c.Buffer.Drain) < 0:
		return errors.New("a cost of sampling threads is negative")
	case max(cost.Sample, cost.Most, cost.PerFrame, c.Buffer.Drain) > maxCost:
		return fmt.Errorf("a cost of sampling threads of more than %s", maxCost)
	case c.Timer > Hooks || !c.Ends.Valid() || c.Deepest < 0:
		return fmt.Errorf("no timer %d, no rule %d for ends, or stacks of at most %d frames", c.Timer, c.Ends, c.Deepest)
	case !(c.LostExpiries >= 0 && c.LostExpiries < 1) || !(c.failing() >= 0 && c.failing() <= 1):
		return fmt.Errorf("%v of expiries lost, %v of walks failing: shares must be from 0 to 1", c.LostExpiries, c.failing())
	case slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.Frames < 0 }):
		return errors.New("a walk that fails after less than no frame")
	case c.cuts() && (c.Keep > 0 || c.Timer == Hooks):
		return errors.New("samples that show a part of the stack are of a timer, and all are kept")
	case min(c.Switch, c.Tick) < 0 || max(c.Switch, c.Tick) > maxCost:
		return fmt.Errorf("%s of CPU time around a wait, ticks every %s: must be from 0 to %s", c.Switch, c.Tick, maxCost)
	case c.Jitter < 0 || c.Jitter > c.Interval || c.Overshoot < 0 || c.Overshoot > maxCost:
		return fmt.Errorf("intervals of %s ± %s, and %s later: must be no more than the interval, and from 0 to %s", c.Interval, c.Jitter, c.Overshoot, maxCost)
	case c.shared() && (*cost != (Cost{}) || c.Buffer.Slots > 0 || c.Keep > 0 || c.RandomFirst):
		return errors.New("a timer that threads share has no costs, no buffer, no ring and no random beginning")
	case c.Timer == SamplerThread && (c.Turns < 1 || c.NativeTurns < 0):
		return fmt.Errorf("%d threads at an expiry, and %d in native code: at least one, and none", c.Turns, c.NativeTurns)
	case c.Timer == ProcessTimer && c.Tick == 0:
		return errors.New("a process's timer needs ticks at which it is noticed")
	case c.AtYields && c.Timer != ThreadTimer:
		return errors.New("samples at yield points are of a timer of each thread")
	case c.Keep < 0 || c.Keep > 0 && (!c.MainOnly || c.Keep/c.Interval > maxKept):
		return fmt.Errorf("samples of the last %s, every %s: must not be more than %d, and of the main thread alone", c.Keep, c.Interval, maxKept)
	case c.Buffer.Slots < 0 || c.Buffer.Slots > 1<<30:
		return fmt.Errorf("a buffer of %d samples", c.Buffer.Slots)
	}
	return nil
}
