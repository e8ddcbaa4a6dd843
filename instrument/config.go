package instrument

import (
	"errors"
	"fmt"
	"time"

	"artifice/art"
	"artifice/trace"
)

// Config configures the trace. The zero value is Debug.startMethodTracing in a debuggable app on
// the default runtime, at no cost.
type Config struct {
	Runtime    *art.Runtime // nil: art.Default
	Clock      trace.Clock
	Streaming  bool  // output mode streaming; else file
	V2         bool  // format V2
	BufferSize int64 // bytes of the buffer in output mode file; 0: 8 MiB
	Cost       Cost
	Seed       uint64 // of random numbers: the time that an event waits for its place in a shared buffer

	// NotDebuggable marks a release build. The treatment of methods on the stack when tracing
	// starts depends on the runtime, and up to Android 13 all managed code runs in the interpreter
	// ([Cost.Interpreted]).
	NotDebuggable bool

	// TempDir is the directory for events of threads with large delays; "" is os.TempDir.
	TempDir string

	// Again marks a process that has been traced before: an earlier instrumented trace read the CPU
	// clock of each thread that exists at the start, when the thread had used 1 µs of CPU time. ART
	// keeps a thread's zero of the CPU clock (StopTracing clears it after a sampled trace only), so
	// CPU times count from then and do not begin at 0.
	Again bool

	// CountObjects adds the runtime's object statistics to the file.
	CountObjects bool
	objects      *art.Objects

	// OneClock makes the delay of a thread the sum of its costs: no wait absorbs a part of it.
	// Threads that wait while the trace starts are stopped, too. It serves comparisons with a
	// runtime that has virtual clocks.
	OneClock bool

	// KeepSymbols keeps the truth's thread and method indexes in events; see art.Config. Such a
	// recording is not a file: its clocks are exact unless the device has a Granularity.
	KeepSymbols bool

	// ExactNames and HostBuild are those of art.Config.
	ExactNames, HostBuild bool

	// Unmerged delivers the events of each thread as soon as the thread has reported them, without
	// waiting for other threads to arrive or for the thread's buffer to fill: each thread's events
	// are in order, and no event goes to a temporary file. It serves comparisons of one thread at a
	// time. It needs Streaming, where no event depends on the earlier events of other threads.
	Unmerged bool
}

// log returns the start of the trace that c describes.
func (c *Config) log() art.Config {
	return art.Config{
		Runtime: c.Runtime, Clock: c.Clock, Streaming: c.Streaming, V2: c.V2, BufferSize: c.BufferSize,
		Technique: trace.Instrumented, ClockOverhead: c.Cost.Overhead(c.Clock), KeepSymbols: c.KeepSymbols,
		Unbuffered: c.Unmerged, Objects: c.objects, ExactNames: c.ExactNames, HostBuild: c.HostBuild,
	}
}

func (c *Config) check(truth *trace.Recording) error {
	cost := c.Cost
	switch {
	case min(cost.CPURead, cost.WallRead, cost.Hook, cost.Compiled, cost.Granularity, cost.Code, cost.Interpreted) < 0:
		return errors.New("instrument: a cost is negative")
	case max(cost.CPURead, cost.WallRead, cost.Hook, cost.Compiled, cost.Granularity, cost.Code, cost.Interpreted) > time.Second:
		return errors.New("instrument: the cost of an event, or a clock step, is more than a second")
	case !truth.Info.Clock.HasWall():
		return errors.New("instrument: the truth has only thread CPU time, which does not order events of different threads")
	case c.Again && truth.Info.Technique != trace.Truth:
		return fmt.Errorf("instrument: %w", art.ErrAgain)
	case c.Unmerged && !c.Streaming:
		return errors.New("instrument: Unmerged requires Streaming, because the content of other files depends on the order of the events of all threads")
	case c.Clock.HasCPU() && !truth.Info.Clock.HasCPU():
		return errors.New("instrument: the truth has no thread CPU time; trace with the wall clock alone")
	}
	return nil
}

// Cost is the tracing overhead on one device. The zero value has no cost and exact clocks.
type Cost struct {
	CPURead  time.Duration // one read of the thread CPU clock, a system call: 1 to 4 us on phones
	WallRead time.Duration // one read of the wall clock: about 50 ns
	Hook     time.Duration // the rest of an event: entering the tracer, allocating a place in the buffer, writing

	// Compiled is the cost of a whole event if compiled code writes it: with the wall clock alone,
	// from ART 14 QPR2 on.
	Compiled time.Duration

	// Code is the additional time per microsecond of managed code while calls are traced, besides
	// the cost of the events: the runtime switches to slower code that can report calls. ART 11 on
	// a PC has 2.87 µs in the interpreter, because the runtime leaves the fast interpreter: a loop
	// of 18.1 µs takes 70 µs. With the JIT, in a debuggable app, it has 0.18 µs for the wall clock
	// and 0.41 µs for both clocks: a loop of 3.4 µs takes 4.0 and 4.8 µs. In a release build the
	// loop takes 460 µs and more, as it is interpreted from then on.
	Code time.Duration

	// Interpreted replaces Code in a release build if the runtime interprets traced code
	// ([art.Runtime].Interprets); 0: Code. FibonacciSlow on Dalvik of Android 2.2 takes 2.80 s
	// compiled and 8.16 s interpreted (commit 5cc61d70 of platform/dalvik): 1.91 µs.
	Interpreted time.Duration

	// Granularity is the resolution of the device's clocks; 0 is exact. A nonzero resolution is
	// never finer than the runtime's reading, 1 µs up to ART 15. Old devices have 30.518 µs (32768
	// Hz).
	Granularity time.Duration
}

// Event returns the cost of one event for the running thread. The literature calls it c: a call's
// exclusive time grows by c, plus c for each call that it makes.
func (c Cost) Event(r *art.Runtime, clock trace.Clock) time.Duration {
	if compiled(r, clock) {
		return c.Compiled
	}
	return c.Overhead(clock) + c.Hook
}

// Overhead returns the time of one read of the trace's clocks: the value that the tracer measures
// when it starts (GetClockOverheadNanoSeconds) and writes as clock-call-overhead-nsec.
func (c Cost) Overhead(clock trace.Clock) (d time.Duration) {
	if clock.HasCPU() {
		d += c.CPURead
	}
	if clock.HasWall() {
		d += c.WallRead
	}
	return d
}

// compiled reports whether compiled code writes the events (UseFastTraceListeners).
func compiled(r *art.Runtime, clock trace.Clock) bool {
	return r.CompiledHooks && clock == trace.Wall
}

// timing is the part of a Cost that the hot path needs.
type timing struct {
	event    time.Duration // whole event
	cpuRead  time.Duration // from the event's begin until the CPU time is read
	wallRead time.Duration // from then until the wall time is read
	hook     time.Duration // from then to the end; the event gets its place in it
	step     time.Duration // resolution of the clocks; 0: exact
	tick     time.Duration // resolution of the runtime's times; 0: exact
	whole    time.Duration // resolution of readings of the CPU clock ([art.Runtime].WholeReadings); 0: that of all times
	code     time.Duration // additional time per microsecond of managed code
	birth    time.Duration // CPU time of each thread before the first time of the truth
}

func (c Cost) timing(r *art.Runtime, clock trace.Clock) timing {
	t := timing{birth: startCPU, event: c.Event(r, clock), wallRead: c.Overhead(clock), hook: c.Hook, step: c.Granularity, code: c.Code}
	if clock.HasCPU() {
		t.cpuRead = c.CPURead
	}
	if compiled(r, clock) {
		t.wallRead = c.Compiled / 2
		t.hook = c.Compiled - t.wallRead
	}
	if t.step > 0 {
		t.tick = r.Tick
	}
	return t
}

// timing returns the timing of a trace.
func (c *Config) timing() timing {
	t := c.Cost.timing(c.Runtime, c.Clock)
	if c.Runtime.WholeReadings && !c.KeepSymbols {
		t.whole = c.Runtime.Tick
	}
	if c.NotDebuggable && c.Runtime.Interprets && c.Cost.Interpreted > 0 {
		t.code = c.Cost.Interpreted
	}
	return t
}

// quantise rounds a clock's reading down, as the device's clock and the runtime do.
func (t *timing) quantise(d time.Duration) time.Duration {
	if t.step > 1 {
		d -= d % t.step
	}
	if t.tick > 1 {
		d -= d % t.tick
	}
	return d
}
