package stackdump

import (
	"time"
)

// Dump is the stacks of one process at one moment, or of one of its threads
// where a format samples threads one by one. What [Reader.Next] returns is
// valid until the next call.
type Dump struct {
	File    string // name of the file it is in
	Line    int    // where it begins there, from 1
	PID     int    // process id; 0 when the format does not tell
	Process string // command line or process name; may be empty
	Stamp   Stamp

	// Interval is the sampling interval that the file states; 0 when it does not.
	Interval time.Duration

	// Partial says that the dump speaks for its own threads only: a thread that
	// is not in it has not left its frames.
	Partial bool

	Threads []Thread // in the order of the dump
}

// Stamp is when a dump was taken, as far as it tells.
type Stamp struct {
	// Uptime is the time on a monotonic clock whose zero is the source's affair;
	// it counts when HasUptime is set.
	Uptime    time.Duration
	HasUptime bool

	Date         time.Time // calendar time; the zero time when there is none
	WholeSeconds bool      // Date is cut to the second
}

// Thread is one thread of a dump.
type Thread struct {
	Line int    // where its header is
	Name string // may be empty
	ID   ID

	CPU    time.Duration // CPU time the thread has used so far, when HasCPU is set
	HasCPU bool

	// Count is how many samples in a row saw this stack, at least 1; more only
	// in folded stacks.
	Count int64

	Stack []FrameID // innermost first, as dumps print it
}

// ID is what tells one thread of a process from another. Threads are the same
// one when their IDs are equal.
type ID struct {
	// TID is the id of the operating system's thread (Linux tid, HotSpot's nid),
	// 0 when the dump does not have it.
	TID int64

	// Number is the runtime's own number of the thread where it has one ("#22"
	// in HotSpot), which is not used again when the tid is.
	Number int64

	// Virtual says that Number is a virtual thread's, which has no tid.
	Virtual bool

	// Name tells threads apart that have nothing else.
	Name string
}

// FrameID is an index into [Frames].
type FrameID uint32

// Kind is whose code a frame is.
type Kind uint8

const (
	Managed    Kind = iota // a method of the runtime that wrote the dump; any frame of formats that do not tell
	NativeCode             // machine code below it, as unwound by the runtime or debuggerd
	Kernel                 // the kernel's part of the stack
)

// Frame is one line of a stack.
type Frame struct {
	Class  string // with dots; empty for a function
	Method string
	File   string // source file, or the library of machine code; empty when unknown
	Line   int    // 0 when unknown
	Kind   Kind
	JNI    bool // a native method
}
