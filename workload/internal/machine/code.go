// Package machine executes programs: it generates the events of their threads while they are read, each thread on a core
// of its own or all on shared cores, with a tracer that takes time from them or without one. Package workload compiles
// programs from YAML files; of these the package only keeps the places for errors.
package machine

import (
	"time"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/dist"
)

// Code is a program as the machine carries it out.
type Code struct {
	Methods []Method // by the id that a truth gives them
	Threads []Thread // in the order of attaching: main first, then by start
	Instrs  []Instr  // the bodies of all

	Handoffs []Handoff // between the threads

	Cores []Core        // that the threads share; none: each has its own
	Slice time.Duration // how long a thread has a core when others of its priority wait for one
}

// MaxDepth is how many frames a stack may have: more than any reader of
// method traces takes (dmtracedump stops at 10000).
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

// waits reports whether time in method m passes without using the CPU.
func (c *Code) waits(m trace.MethodID) bool { return c.Methods[m].Wait != trace.Running }

// Thread is one thread.
type Thread struct {
	Name   string           // as the file has it
	TID    uint32           // as Linux numbers it
	Before bool             // it was there before the trace, with its stack
	Start  time.Duration    // when it was attached; 0 when before
	End    time.Duration    // when it ends at the latest; 0: no such limit
	Cpu    time.Duration    // CPU time used at its birth, or before the trace
	Prio   int              // as Linux numbers priorities: 0 is the most urgent, 139 the least
	Stack  []trace.MethodID // that its body runs in, outermost first
	Idle   bool             // it has no body
	Entry  int32            // of its body
}

// Opcode is what one instruction of a compiled body does.
type Opcode uint8

const (
	OpSelf   Opcode = iota // pass a drawn time
	OpCall                 // enter method arg
	OpPick                 // enter one of a family that begins with method arg
	OpLoop                 // draw the rounds; none: go to
	OpAgain                // another round: go to; else drop the counter
	OpJump                 // go to
	OpProb                 // with probability 1-p: go to
	OpBelow                // unless fewer than arg frames: go to
	OpFrom                 // unless at least arg frames: go to
	OpChoose               // go to one of targets
	OpUntil                // pass time up to the next multiple of period
	OpGet                  // wait for what handoff arg has
	OpGive                 // give handoff arg something
	OpThrow                // leave frames up to one that catches
	OpReturn               // leave the method
	OpLeave                // leave a frame of the thread's stack
	OpEnd                  // the thread's body is done
)

// Instr is one instruction. Bodies are compiled to a flat list of them, so that
// a thread's whole state is a program counter, frames and loop counters, and
// its events can be made in batches of any length.
type Instr struct {
	Op     Opcode         // what it does
	Catch  bool           // opCall, opPick: the caller catches
	Site   trace.Site     // opCall, opPick
	To     int32          // index of the instruction that it can go to
	Arg    int32          // what it is of, as the Opcode says
	P      uint64         // opProb: taken when a random 64-bit number is below
	Period time.Duration  // OpUntil
	AtOnce bool           // opUntil
	Dist   dist.Time      // OpSelf
	Times  dist.Count     // OpLoop
	UpTo   []float64      // opPick, opChoose: cumulative probabilities
	Target []int32        // opChoose
	At     *yamlfile.Node // opGet, opGive: for messages
}

// Core is one emulated core, as the file describes it.
type Core struct {
	Speed int64         // work done in a unit of time at the highest clock, in thousandths
	MHz   []int64       // its clocks, ascending; none: the file does not say
	Ramp  time.Duration // how long it is busy at a clock before it goes to the next
}

// rate returns the work done in a unit of time at the step-th clock, in thousandths.
func (c *Core) rate(step int) int64 {
	if len(c.MHz) == 0 {
		return c.Speed
	}
	return max(1, c.Speed*c.MHz[step]/c.MHz[len(c.MHz)-1])
}

// Handoff is something for which threads wait that other threads give.
type Handoff struct {
	Name      string         // as the file has it
	Kind      HandoffKind    // what is handed over
	Get, Give *yamlfile.Node // the first steps of each kind; nil: there is none
	Giver     int32          // the only thread whose steps can give it; NoGiver: several can, or none

	// Methods that no tracer sees. In the truth their calls mark which thread gives and which one receives.
	Got, Given trace.MethodID
}

// NoGiver is no thread.
const NoGiver = none

// HandoffKind is what is handed over.
type HandoffKind uint8

const (
	Lock   HandoffKind = iota // one thread has it, from lock to unlock; those that wait get it in the order of their coming
	Queue                     // put adds an item, and each take takes one
	Future                    // from complete on, nobody has to await it any more
)

// Nouns name the kinds of handoff.
var Nouns = [...]string{"lock", "queue", "future"}
