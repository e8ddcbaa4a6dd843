package trace

import "time"

// Clock is the set of clocks of a trace.
type Clock uint8

const (
	Dual      Clock = iota // wall and thread CPU; what ART and Dalvik record by default
	Wall                   // wall only
	ThreadCPU              // thread CPU only: times of different threads are not comparable
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

// Info describes a trace as a whole. The zero value is a dual-clock
// trace without further information.
//
// A streaming file states most of it in its summary, at the end: until the
// reader has returned io.EOF the fields can change.
type Info struct {
	Clock         Clock
	Start         time.Duration // when it started, on the source's own clock (ART: monotonic, Dalvik: since 1970)
	Elapsed       time.Duration // from start to stop; never below the last event's wall time in ART; 0 when unknown
	Overflow      bool          // the buffer was full and later events are missing
	ClockOverhead time.Duration // mean cost of one read of the clock (dual: of both), as the source states it
	VM            string        // "art" or "dalvik"; empty when unknown
	PID           int           // process id; 0 when unknown
	Technique     Technique     // how the trace was recorded, if known
	Interval      time.Duration // nominal sampling interval, if known; trace files do not store it
	Sections      bool          // its calls are sections of android.os.Trace, by their names in the file
	OfCPU         bool          // sampled by the CPU time of each thread: a thread that waits has no samples, and its CPU time is that of its samples
	Events        int64         // number of events that the source states; -1 if it states none (streams)
}

// Main returns the default clock of a trace: wall time, or CPU time if the trace has no
// wall time or was sampled by CPU time.
func (i *Info) Main() Clock {
	if i.Clock.HasWall() && !i.OfCPU {
		return Wall
	}
	return ThreadCPU
}

// Technique is how a trace was recorded.
type Technique uint8

const (
	UnknownTechnique Technique = iota
	Truth                      // ground truth: all calls of the untraced app
	Instrumented               // every enter and exit reported by the running thread
	Sampled                    // stacks compared at ticks
)

// String returns a word for the technique.
func (t Technique) String() string {
	return [...]string{"unknown", "truth", "instrumented", "sampled"}[t]
}
