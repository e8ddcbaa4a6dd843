package trace

import (
	"fmt"
	"time"
)

// Action is what an event does to its thread's stack. The values are those of
// the two low bits of a method word on the wire (ART's TraceAction).
type Action uint8

const (
	Enter  Action = 0 // the method was called
	Exit   Action = 1 // the method returned
	Unwind Action = 2 // the method was left by an exception
)

// String returns the action's word in the text format.
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

// ThreadID is an index into [Symbols.Threads]. It is not the kernel's thread
// id, which can be used again by a later thread.
type ThreadID uint16

// MaxThreads is how many threads one trace can name.
const MaxThreads = 1 << 16

// MethodID is an index into [Symbols.Methods].
type MethodID uint32

// Site numbers the call sites of a method, from 1 in the order of its code, as
// distinct source lines. 0 means unknown. In a method with more than [MaxSite] call
// sites the remaining ones share that number.
type Site uint8

// MaxSite is the largest call site.
const MaxSite Site = 255

// Event is one method entered or left: 24 bytes, no pointers, so that a batch
// of them costs the garbage collector nothing.
type Event struct {
	Wall   time.Duration // monotonic time since the start; 0 when [Info.Clock] has no wall clock
	CPU    time.Duration // CPU time of the thread since its zero; 0 when [Info.Clock] has no CPU clock
	Method MethodID
	Thread ThreadID
	Action Action

	// Site is the call site of an Enter in its caller; it is undefined for
	// other actions. Truths of package workload have it, also in the text format. In
	// trace files it is 0.
	Site Site
}

// Time returns the event's time on clock c's main axis: wall time where the
// clock has it, else CPU time.
func (e Event) Time(c Clock) time.Duration {
	if c.HasWall() {
		return e.Wall
	}
	return e.CPU
}
