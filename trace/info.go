package trace

import "time"

// Clock says which clocks a trace has.
type Clock uint8

const (
	Dual      Clock = iota // wall and thread CPU; what ART and Dalvik record by default
	Wall                   // wall only
	ThreadCPU              // thread CPU only: times of different threads do not compare
)

// HasWall reports whether events have a wall time.
func (c Clock) HasWall() bool { return c != ThreadCPU }

// HasCPU reports whether events have a CPU time.
func (c Clock) HasCPU() bool { return c != Wall }

// String returns the word that a trace's "clock=" option uses.
func (c Clock) String() string {
	switch c {
	case Dual:
		return "dual"
	case Wall:
		return "wall"
	}
	return "thread-cpu"
}

// ParseClock is the inverse of [Clock.String]. Dalvik's version 1 wrote
// "global" for the wall clock.
func ParseClock(s string) (c Clock, ok bool) {
	switch s {
	case "dual":
		return Dual, true
	case "wall", "global":
		return Wall, true
	case "thread-cpu":
		return ThreadCPU, true
	}
	return 0, false
}

// Info says what is true of a trace as a whole. The zero value is a dual-clock
// trace of which nothing is known.
//
// A streaming file tells most of it in its summary, at the end: until the
// reader has returned io.EOF the fields can still change.
type Info struct {
	Clock         Clock
	Start         time.Duration // when it started, on the source's own clock (ART: monotonic, Dalvik: since 1970)
	Elapsed       time.Duration // from start to stop; never below the last event's wall time in ART; 0 when unknown
	Overflow      bool          // the buffer was full and later events are missing
	ClockOverhead time.Duration // mean cost of one read of the clock (dual: of both), as the source states it
	VM            string        // "art" or "dalvik"; empty when unknown
	PID           int           // process id; 0 when unknown
	Technique     Technique     // how the trace was recorded, where that is known
	Interval      time.Duration // nominal sampling interval, where it is known; trace files do not store it
	Sections      bool          // its calls are sections of android.os.Trace, recorded by a tracer of these, whose names a file has
	OfCPU         bool          // sampled by the CPU time of each thread: a thread that waits has no samples, and its CPU time is that of its samples
	Events        int64         // how many events the source says it has; -1 when it does not say (streams)
}

// Main returns the clock whose time is meant where a trace has both and nothing says
// which: wall time, or CPU time where it was sampled by that.
func (i *Info) Main() Clock {
	if i.Clock.HasWall() && !i.OfCPU {
		return Wall
	}
	return ThreadCPU
}

// Technique is how events came to be.
type Technique uint8

const (
	UnknownTechnique Technique = iota
	Truth                      // what the app did, unobserved
	Instrumented               // every enter and exit reported by the running thread
	Sampled                    // stacks compared at ticks
)

// String returns a word for the technique.
func (t Technique) String() string {
	return [...]string{"unknown", "truth", "instrumented", "sampled"}[t]
}
