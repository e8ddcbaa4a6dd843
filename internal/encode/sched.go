package encode

import (
	"fmt"
	"strings"

	"artifice/trace"
)

// Cores holds back what cores did (package trace, [trace.SchedEvent]) until it is its
// turn among the events of threads. The zero value has none.
type Cores struct {
	pending []trace.SchedEvent
	Write   func(*trace.SchedEvent) error // called for each event whose category is chosen, when it is its turn
	on      []int                         // by thread: 1 + the core it is on, 0 for none
	Known   bool                          // there were any
	Choice
}

// WriteSched implements [trace.SchedWriter].
func (c *Cores) WriteSched(events []trace.SchedEvent) error {
	c.Known = c.Known || len(events) > 0
	c.pending = append(c.pending, events...)
	return nil
}

// Before writes what comes before an event: all that is earlier, and at the same time as
// much as lets its thread have a core. It returns that core, 0 where there is none.
func (c *Cores) Before(e *trace.Event) (core int, err error) {
	for len(c.pending) > 0 && (c.pending[0].Wall < e.Wall || c.pending[0].Wall == e.Wall && c.core(e.Thread) == 0) {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	return max(c.core(e.Thread)-1, 0), nil
}

// Rest writes what is left.
func (c *Cores) Rest() error {
	for len(c.pending) > 0 {
		if err := c.next(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cores) next() error {
	e := &c.pending[0]
	if e.Kind == trace.SchedSwitch {
		c.place(e.Prev, 0)
		c.place(e.Next, e.Core+1)
	}
	var err error
	if c.TakesCore(e.Kind) {
		err = c.Write(e)
	}
	c.pending = c.pending[1:]
	return err
}

func (c *Cores) place(thread, core int) {
	if thread == trace.NoThread {
		return
	}
	for thread >= len(c.on) {
		c.on = append(c.on, 0)
	}
	c.on[thread] = core
}

// core returns 1 + the core that a thread is on, 0 for none.
func (c *Cores) core(thread trace.ThreadID) int {
	if int(thread) >= len(c.on) {
		return 0
	}
	return c.on[thread]
}

// TakesCore reports whether what cores do of a kind is written.
func (c *Cores) TakesCore(kind trace.SchedKind) bool { return c.Takes(categoryOfCores(kind)) }

// Hides reports whether the calls of a method are not written: their category is not chosen, or the method's frame
// says of a thread only what cores say as well, that it waits for one.
func (c *Cores) Hides(symbols *trace.Symbols, m trace.MethodID) bool {
	return c.Known && symbols.Method(m).Wait == trace.Runnable || !c.TakesCall(symbols, m)
}

// Task returns what the kernel calls a thread on a core, and its tid; the idle task is
// swapper.
func Task(symbols *trace.Symbols, thread, core int) (comm string, tid uint32) {
	if thread == trace.NoThread {
		return fmt.Sprintf("swapper/%d", core), 0
	}
	t := &symbols.Threads[thread]
	return Comm(t), t.TID
}

// Comm returns what the kernel calls a thread. A "-" would look like the one before
// the tid.
func Comm(t *trace.Thread) string {
	if t.Name == "" {
		return "<...>"
	}
	return strings.ReplaceAll(MarkText(t.KernelName(), 15), "-", "_")
}

// StateBits are the kernel's numbers for why a thread leaves its core (TASK_INTERRUPTIBLE,
// TASK_UNINTERRUPTIBLE, EXIT_DEAD), by [trace.SchedEvent].State.
var StateBits = [...]int64{trace.Ready: 0, trace.Sleeping: 1, trace.Uninterruptible: 2, trace.Dead: 16}

// BlockedIn is the kernel's function in which all threads wait that wait for a device
// (sched_blocked_reason): that for a page of a file to be read. A truth does not know it.
const BlockedIn = "wait_on_page_bit"

// IdleState returns the value of a CoreIdle as the kernel has it, in 32 bits without a
// sign: PWR_EVENT_EXIT is -1.
func IdleState(e *trace.SchedEvent) uint64 { return uint64(uint32(e.Value)) }

// ProcessID returns the process id of a recording. Where it is not stated, it is
// the main thread's, as Linux has it; never 0, which viewers take for the idle
// task.
func ProcessID(rec *trace.Recording) uint32 {
	if rec.Info.PID > 0 {
		return uint32(rec.Info.PID)
	}
	for i := range rec.Symbols.Threads {
		if t := &rec.Symbols.Threads[i]; t.TID != 0 && t.Name == "main" {
			return t.TID
		}
	}
	if len(rec.Symbols.Threads) > 0 {
		return max(1, rec.Symbols.Threads[0].TID)
	}
	return 1
}
