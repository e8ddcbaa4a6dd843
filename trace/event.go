package trace

import (
	"fmt"
	"time"
)

// Action is the kind of an event: entry or exit. The values are those of the two low bits of a
// method word in trace files (ART's TraceAction).
type Action uint8

const (
	Enter  Action = 0 // the method was called
	Exit   Action = 1 // the method returned
	Unwind Action = 2 // the method was left by an exception
)

// String returns the keyword of the action in the text format.
func (a Action) String() string {
	switch a {
	case Enter:
		return "enter"
	case Exit:
		return "exit"
	case Unwind:
		return "unwind"
	}
	return fmt.Sprintf("action(%d)", uint8(a))
}

// ThreadID is an index into [Symbols.Threads]. It is not the kernel's thread id, which a later
// thread can reuse.
type ThreadID uint16

// MaxThreads is the maximum number of threads of a trace.
const MaxThreads = 1 << 16

// MethodID is an index into [Symbols.Methods].
type MethodID uint32

// Site is the number of a call site in a method: its distinct source lines with calls, counted from
// 1 in code order. 0 means unknown. Call sites after number [MaxSite] share that number.
type Site uint8

// MaxSite is the largest call site.
const MaxSite Site = 255

// Event is one entry into or exit from a method. It has 24 bytes and no pointers, so the garbage
// collector does not scan batches of events.
type Event struct {
	Wall   time.Duration // monotonic time since the start; 0 when [Info.Clock] has no wall clock
	CPU    time.Duration // CPU time of the thread since its zero; 0 when [Info.Clock] has no CPU clock
	Method MethodID
	Thread ThreadID
	Action Action

	// Site is the call site of an Enter in its caller; it is undefined for other actions. Ground
	// truths of package workload have call sites, also in the text format. In trace files Site is
	// 0.
	Site Site
}

// Time returns the event's time on the main axis of clock c: wall time if c has it, else CPU time.
func (e Event) Time(c Clock) time.Duration {
	if c.HasWall() {
		return e.Wall
	}
	return e.CPU
}
