package encode

import (
	"fmt"
	"strings"

	"artifice/trace"
)

// Cores merges scheduling events ([trace.SchedEvent]) into the events of threads: it holds them
// until their turn. The zero value has none.
type Cores struct {
	pending []trace.SchedEvent
	Write   func(*trace.SchedEvent) error // called in order for each event of a selected category
	on      []int                         // by thread: 1 + the core it is on, 0 for none
	Known   bool                          // there are scheduling events
	Choice
}

// WriteSched implements [trace.SchedWriter].
func (c *Cores) WriteSched(events []trace.SchedEvent) error {
	c.Known = c.Known || len(events) > 0
	c.pending = append(c.pending, events...)
	return nil
}

// Before writes the scheduling events that precede e: all earlier ones and, of those at the same
// time, as many as are needed to give its thread a core. It returns that core, or 0 if there is
// none.
func (c *Cores) Before(e *trace.Event) (core int, err error) {
	for len(c.pending) > 0 && (c.pending[0].Wall < e.Wall || c.pending[0].Wall == e.Wall && c.core(e.Thread) == 0) {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	return max(c.core(e.Thread)-1, 0), nil
}

// Rest writes the remaining events.
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

// TakesCore reports whether scheduling events of a kind are written.
func (c *Cores) TakesCore(kind trace.SchedKind) bool { return c.Takes(categoryOfCores(kind)) }

// Hides reports whether the calls of a method are not written: their category is not selected, or
// the method's frame only repeats a scheduling event, that the thread waits for a core.
func (c *Cores) Hides(symbols *trace.Symbols, m trace.MethodID) bool {
	return c.Known && symbols.Method(m).Wait == trace.Runnable || !c.TakesCall(symbols, m)
}

// Task returns the kernel's name of a thread on a core and its tid. The idle task is named
// swapper.
func Task(symbols *trace.Symbols, thread, core int) (comm string, tid uint32) {
	if thread == trace.NoThread {
		return fmt.Sprintf("swapper/%d", core), 0
	}
	t := &symbols.Threads[thread]
	return Comm(t), t.TID
}

// Comm returns the kernel's name of a thread. It has no "-", which would be confused with the one
// before the tid.
func Comm(t *trace.Thread) string {
	if t.Name == "" {
		return "<...>"
	}
	return strings.ReplaceAll(MarkText(t.KernelName(), 15), "-", "_")
}

// StateBits are the kernel's numbers for the state in which a thread leaves its core
// (TASK_INTERRUPTIBLE, TASK_UNINTERRUPTIBLE, EXIT_DEAD), by [trace.SchedEvent].State.
var StateBits = [...]int64{trace.Ready: 0, trace.Sleeping: 1, trace.Uninterruptible: 2, trace.Dead: 16}

// BlockedIn is the kernel function named for every thread that waits for a device
// (sched_blocked_reason): the one that waits for a page of a file. The ground truth does not
// contain the function.
const BlockedIn = "wait_on_page_bit"

// IdleState returns the value of a CoreIdle event in the kernel's form, an unsigned number of 32
// bits: PWR_EVENT_EXIT is -1.
func IdleState(e *trace.SchedEvent) uint64 { return uint64(uint32(e.Value)) }

// ProcessID returns the process id of a recording. If none is stated, it is the id of the main
// thread, as on Linux. It is never 0, which viewers interpret as the idle task.
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
