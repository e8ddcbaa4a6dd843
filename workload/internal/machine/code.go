// Package machine executes programs: it generates the events of their threads as they are read.
// Each thread has its own core, or all share cores. A tracer can take time from the threads.
// Package workload compiles programs from YAML files; this package keeps only the places in them,
// for errors.
package machine

import (
	"time"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/dist"
)

// Code is a compiled program.
type Code struct {
	Methods []Method // by the truth's method id
	Threads []Thread // in the order of attaching: main first, then by start
	Instrs  []Instr  // the bodies of all methods and threads

	Handoffs []Handoff // between the threads

	Cores []Core        // cores that the threads share; none: each has its own
	Slice time.Duration // time slice if other threads of the same priority wait for a core
}

// MaxDepth is the maximum number of frames of a stack: more than any reader of method traces
// accepts (dmtracedump stops at 10000).
const MaxDepth = 10_000

// Priorities of threads, as Linux numbers them.
const (
	DefaultPriority = 120 // of a thread of nice 0, and of the idle task
	LastPriority    = 139
)

// Method is a method with its body.
type Method struct {
	trace.Method
	Entry int32 // of its body
}

// waits reports whether method m waits instead of using the CPU.
func (c *Code) waits(m trace.MethodID) bool { return c.Methods[m].Wait != trace.Running }

// Thread is one thread.
type Thread struct {
	Name   string           // as in the file
	TID    uint32           // as numbered by Linux
	Before bool             // it existed before the trace, with its stack
	Start  time.Duration    // when it was attached; 0 if before the trace
	End    time.Duration    // latest end; 0: no limit
	Cpu    time.Duration    // CPU time used at its birth, or before the trace
	Prio   int              // as numbered by Linux: 0 is the most urgent, 139 the least
	Stack  []trace.MethodID // frames under its body, outermost first
	Idle   bool             // it has no body
	Entry  int32            // of its body
}

// Opcode is the kind of an instruction of a compiled body.
type Opcode uint8

const (
	OpSelf   Opcode = iota // pass a drawn time
	OpCall                 // enter method arg
	OpPick                 // enter a member of the family that begins with method arg
	OpLoop                 // draw the number of iterations; if none: go to
	OpAgain                // next iteration: go to; at the end drop the counter
	OpJump                 // go to
	OpProb                 // with probability 1-p: go to
	OpBelow                // unless fewer than arg frames: go to
	OpFrom                 // unless at least arg frames: go to
	OpChoose               // go to one of targets
	OpUntil                // pass time up to the next multiple of period
	OpGet                  // wait for handoff arg
	OpGive                 // give handoff arg
	OpThrow                // leave frames up to one that catches
	OpReturn               // leave the method
	OpLeave                // leave a frame under the thread's body
	OpEnd                  // end of the thread's body
)

// Instr is one instruction. Bodies are compiled to a flat list, so that the whole state of a thread
// is a program counter, frames and loop counters, and its events can be generated in batches of any
// length.
type Instr struct {
	Op     Opcode         // what it does
	Catch  bool           // opCall, opPick: the caller catches
	Site   trace.Site     // opCall, opPick
	To     int32          // index of the jump target
	Arg    int32          // argument, as documented at the Opcode
	P      uint64         // opProb: taken if a random 64-bit number is below
	Period time.Duration  // OpUntil
	AtOnce bool           // opUntil
	Dist   dist.Time      // OpSelf
	Times  dist.Count     // OpLoop
	UpTo   []float64      // opPick, opChoose: cumulative probabilities
	Target []int32        // opChoose
	At     *yamlfile.Node // opGet, opGive: for messages
}

// Core is one emulated core, as described in the file.
type Core struct {
	Speed int64         // work per unit of time at the highest clock, in thousandths
	MHz   []int64       // its clocks, ascending; none: not specified
	Ramp  time.Duration // busy time at a clock before it switches to the next
}

// rate returns the work per unit of time at the step-th clock, in thousandths.
func (c *Core) rate(step int) int64 {
	if len(c.MHz) == 0 {
		return c.Speed
	}
	return max(1, c.Speed*c.MHz[step]/c.MHz[len(c.MHz)-1])
}

// Handoff is a lock, queue or future: some threads wait for it and others give it.
type Handoff struct {
	Name      string         // as in the file
	Kind      HandoffKind    // kind
	Get, Give *yamlfile.Node // the first steps of each kind; nil: none
	Giver     int32          // the only thread with steps that can give it; NoGiver: several, or none

	// Methods that no tracer reports. Their calls in the truth mark the receiving and the giving
	// thread.
	Got, Given trace.MethodID
}

// NoGiver means no single thread.
const NoGiver = none

// HandoffKind is the kind of a handoff.
type HandoffKind uint8

const (
	Lock   HandoffKind = iota // one thread owns it, from lock to unlock; waiting threads get it in order of arrival
	Queue                     // put adds an item, and each take takes one
	Future                    // after complete, await returns immediately
)

// Nouns name the kinds of handoff.
var Nouns = [...]string{"lock", "queue", "future"}
