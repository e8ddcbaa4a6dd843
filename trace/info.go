package trace

import (
	"fmt"
	"time"
)

// Clock is the set of clocks of a trace.
type Clock uint8

const (
	Dual      Clock = iota // wall time and thread CPU time, the default of ART and Dalvik
	Wall                   // wall time only
	ThreadCPU              // thread CPU time only; times of different threads are not comparable
)

// HasWall reports whether events have a wall time.
func (c Clock) HasWall() bool { return c != ThreadCPU }

// HasCPU reports whether events have a CPU time.
func (c Clock) HasCPU() bool { return c != Wall }

// String returns the value of the option "clock=" in trace files.
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

// Info describes a trace as a whole. The zero value is a dual-clock trace without further
// information.
//
// A streaming file states most of these properties in its summary at the end: fields can change
// until the reader returns io.EOF.
type Info struct {
	Clock         Clock
	Start         time.Duration // start of the trace on the source's clock (ART: monotonic, Dalvik: since 1970)
	Elapsed       time.Duration // time from start to stop; in ART never below the last event's wall time; 0 if unknown
	Overflow      bool          // the buffer was full, later events are missing
	ClockOverhead time.Duration // mean cost of one clock read (dual: of both clocks), as stated by the source
	VM            string        // "art" or "dalvik"; empty if unknown
	PID           int           // process id; 0 if unknown
	Technique     Technique     // how the trace was recorded, if known
	Interval      time.Duration // nominal sampling interval, if known; see [Info.SamplingInterval]
	Sections      bool          // calls are sections of android.os.Trace, with the names in the file
	// calls are marks written by the app at the begin and end of code sections, as in ftrace
	Marked bool
	// sampled by CPU time: waiting threads have no samples, and the samples of a thread sum to its
	// CPU time
	OfCPU bool
	Waits bool // with OfCPU: there are samples of waiting threads, too
	// the source contains counts of stacks and does not state their clock (wall or CPU); Clock is
	// Wall
	Unclocked bool
	Quantity  Quantity // what a profile measures if it is not the time of threads
	// number of events stated by the source; -1 if it does not state it (streams)
	Events int64
}

// Main returns the default clock of a trace: wall time, or CPU time if the trace has no
// wall time or was sampled by CPU time.
func (i *Info) Main() Clock {
	if i.Clock.HasWall() && !i.OfCPU {
		return Wall
	}
	return ThreadCPU
}

// Clocks returns the clocks of the trace's times. Wall times of CPU samples are derived from their CPU
// times unless some samples are waits. The result is final once the trace is read.
func (i *Info) Clocks() Clock {
	if i.OfCPU && !i.Waits {
		return ThreadCPU
	}
	return i.Clock
}

// SamplingInterval returns the nominal sampling interval; 0 if it is unknown. In sums of times without
// samples, whose technique is unknown, Interval is the unit of the sums.
func (i *Info) SamplingInterval() time.Duration {
	if i.Technique == UnknownTechnique {
		return 0
	}
	return i.Interval
}

// Technique is how a trace was recorded.
type Technique uint8

const (
	UnknownTechnique Technique = iota
	Truth                      // ground truth: all calls of the untraced app
	Instrumented               // the running thread reported every entry and exit
	Sampled                    // stacks compared at ticks
)

// String returns a one-word name of the technique.
func (t Technique) String() string {
	return [...]string{"unknown", "truth", "instrumented", "sampled"}[t]
}

// Quantity is what the numbers of a profile measure if they are not the time in which threads ran
// or waited: bytes, objects, the delay of locks, or a difference of two profiles. The zero value
// means the time of threads. In the events of a recording of a quantity, a unit of it counts as a
// nanosecond of wall time.
type Quantity struct {
	Name string // as the profile names it, such as inuse_space
	Unit string // nanoseconds, bytes, count, or another unit of the profile
	// some numbers are negative, as in a difference; wall times of a thread can then decrease
	Signed bool
}

// Nanoseconds is the unit of a quantity of time, and Bytes that of a quantity of memory.
const (
	Nanoseconds = "nanoseconds"
	Bytes       = "bytes"
)

// IsSet reports whether the recording has a quantity in place of times.
func (q Quantity) IsSet() bool { return q.Name != "" }

// Describe describes the numbers in messages: "inuse_space in bytes", "cpu differences".
func (q Quantity) Describe() string {
	what := q.Name
	if q.Signed {
		what += " differences"
	}
	switch q.Unit {
	case Nanoseconds:
		return what
	case "count":
		return what + " as a count"
	}
	return fmt.Sprintf("%s in %s", what, q.Unit)
}
