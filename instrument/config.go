package instrument

import (
	"errors"
	"time"

	"artifice/art"
	"artifice/trace"
)

// Config says how the app is traced. The zero value is
// Debug.startMethodTracing in a debuggable app on the default runtime, at no
// cost.
type Config struct {
	Runtime    *art.Runtime // nil: art.Default
	Clock      trace.Clock
	Streaming  bool  // output mode streaming; else file
	V2         bool  // format V2
	BufferSize int64 // bytes of the buffer in output mode file; 0: 8 MiB
	Cost       Cost
	Seed       uint64 // of what is left to chance: how long an event waits for its place in a shared buffer

	// NotDebuggable says that the app is no debug build: what happens to the methods on the
	// stack when tracing starts depends on the runtime, and up to Android 13 all managed code runs in the
	// interpreter ([Cost.Interpreted]).
	NotDebuggable bool

	// TempDir is where events wait whose threads have fallen far behind; empty is
	// os.TempDir.
	TempDir string

	// Again says that the process has been traced before: an instrumented trace has seen each
	// thread that exists at the start, when it had used a microsecond of CPU time. ART keeps a
	// thread's zero of the CPU clock (StopTracing clears it after a sampled trace only), so
	// CPU times count from then and do not begin at 0.
	Again bool

	// CountObjects gives the file the statistics that the runtime has of objects.
	CountObjects bool
	objects      *art.Objects

	// OneClock makes a thread as late as all that it has lost, whatever its waits end by, and
	// lets threads that wait stand still while the trace starts. It is for comparisons with a runtime whose
	// threads have virtual clocks.
	OneClock bool

	// KeepSymbols leaves events with the truth's thread and method indexes: see
	// art.Config.
	KeepSymbols bool

	// Unmerged delivers the events of each thread as soon as it has reported them,
	// without waiting for other threads to get there or for its buffer to be full:
	// each thread's in its own order, and nothing goes to a temporary file. It is for comparisons of one
	// thread at a time, and needs Streaming, where no event depends on what other
	// threads have recorded before.
	Unmerged bool
}

// log returns the start of the trace that c describes.
func (c *Config) log() art.Config {
	return art.Config{
		Runtime: c.Runtime, Clock: c.Clock, Streaming: c.Streaming, V2: c.V2, BufferSize: c.BufferSize,
		Technique: trace.Instrumented, ClockOverhead: c.Cost.Overhead(c.Clock), KeepSymbols: c.KeepSymbols,
		Unbuffered: c.Unmerged, Objects: c.objects,
	}
}

func (c *Config) check(truth *trace.Recording) error {
	cost := c.Cost
	switch {
	case min(cost.CPURead, cost.WallRead, cost.Hook, cost.Compiled, cost.Granularity, cost.Code, cost.Interpreted) < 0:
		return errors.New("instrument: a cost is negative")
	case max(cost.CPURead, cost.WallRead, cost.Hook, cost.Compiled, cost.Granularity, cost.Code, cost.Interpreted) > time.Second:
		return errors.New("instrument: an event or clock step of more than a second")
	case !truth.Info.Clock.HasWall():
		return errors.New("instrument: the truth has thread CPU time only; its threads cannot be put in time order")
	case c.Again && truth.Info.Technique != trace.Truth:
		return errors.New("instrument: a recorded trace does not say how much CPU time its threads had used before it, which a second trace of the process shows")
	case c.Unmerged && !c.Streaming:
		return errors.New("instrument: what a file keeps depends on the order of all threads; unmerged they must stream")
	case c.Clock.HasCPU() && !truth.Info.Clock.HasCPU():
		return errors.New("instrument: the truth has no thread CPU time; trace it with the wall clock alone")
	}
	return nil
}

// Cost is what tracing takes from the app on one device. The zero value is a
// tracer without cost and with exact clocks.
type Cost struct {
	CPURead  time.Duration // one read of the thread CPU clock, a system call: 1 to 4 us on phones
	WallRead time.Duration // one read of the wall clock: about 50 ns
	Hook     time.Duration // the rest of an event: getting into the tracer, taking a place in the buffer, writing

	// Compiled is a whole event where compiled code writes it: with the wall
	// clock alone, from ART 14 QPR2 on.
	Compiled time.Duration

	// Code is how much longer a microsecond of managed code takes while calls are traced, beside
	// what their events take: the runtime leaves faster code for such as can report them. ART 11, on a PC:
	// 2.87 us in the interpreter, where a loop of 18.1 us takes 70, which leaves the fast one;
	// with the JIT 0.18 us for the wall clock and 0.41 for both in a debuggable app, whose loop of 3.4 us takes 4.0
	// and 4.8, and in another one 460 us and more, which is interpreted from then on.
	Code time.Duration

	// Interpreted is Code of an app that is not debuggable where the runtime interprets what it traces
	// ([art.Runtime].Interprets), so that compiled code becomes interpreted code; 0: Code. FibonacciSlow on Dalvik of Android 2.2
	// takes 2.80 s compiled and 8.16 s interpreted (commit 5cc61d70 of platform/dalvik): 1.91 us.
	Interpreted time.Duration

	// Granularity is the step of the device's clocks; 0 is exact. A clock that
	// has a step is never finer than what the runtime reads, 1 us up to ART 15.
	// Old devices have 30.518 us (32768 Hz).
	Granularity time.Duration
}

// Event returns what one event takes from the running thread: c in the
// literature, where a call's exclusive time grows by c and by c for each call
// it makes.
func (c Cost) Event(r *art.Runtime, clock trace.Clock) time.Duration {
	if compiled(r, clock) {
		return c.Compiled
	}
	return c.Overhead(clock) + c.Hook
}

// Overhead returns one read of the clocks that a trace has: what the tracer
// measures when it starts (GetClockOverheadNanoSeconds) and writes as
// clock-call-overhead-nsec.
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

// timing is what the hot path needs of a Cost.
type timing struct {
	event    time.Duration // whole
	cpuRead  time.Duration // from the event's begin until the CPU time is known
	wallRead time.Duration // the same for the wall time, read after it
	hook     time.Duration // from then to the end, in which the event gets its place
	step     time.Duration // of the clocks; 0: exact
	tick     time.Duration // of what the runtime keeps of them
	code     time.Duration // by which a microsecond of managed code is longer
	birth    time.Duration // CPU time of each thread before the truth begins to count
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
	if t.step > 0 || r.WholeReadings {
		t.tick = r.Tick
	}
	return t
}

// timing is that of a trace.
func (c *Config) timing() timing {
	t := c.Cost.timing(c.Runtime, c.Clock)
	if c.NotDebuggable && c.Runtime.Interprets && c.Cost.Interpreted > 0 {
		t.code = c.Cost.Interpreted
	}
	return t
}

// quantise cuts a clock's reading, as the device's clock and the runtime do.
func (t *timing) quantise(d time.Duration) time.Duration {
	if t.step > 1 {
		d -= d % t.step
	}
	if t.tick > 1 {
		d -= d % t.tick
	}
	return d
}
