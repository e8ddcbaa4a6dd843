package trace

import (
	"fmt"
	"time"
)

// Rule names one invariant of a trace.
type Rule string

// The invariants. The first six hold in every trace that a tracer can write; a trace that breaks
// one of them is unusable from that event on. Real traces can break the other three. Nearly every
// trace breaks the last two, because tracing starts and stops in the middle of the program.
// CPUContinues breaks if the kernel reuses a thread id and the file does not distinguish the
// threads: ART 11 lists one name for an id.
const (
	KnownThread  Rule = "known-thread"  // the event's thread is in the symbols
	KnownMethod  Rule = "known-method"  // the event's method is in the symbols
	KnownAction  Rule = "known-action"  // the action is Enter, Exit or Unwind
	WallForward  Rule = "wall-forward"  // the wall time of a thread does not decrease
	CPUForward   Rule = "cpu-forward"   // the CPU time of a thread does not decrease
	ExitMatches  Rule = "exit-matches"  // an exit or unwind names the innermost open method
	CPUContinues Rule = "cpu-continues" // the CPU time of a thread does not restart at 0 while its stack is empty
	EnterPresent Rule = "enter-present" // an exit or unwind has an open frame to close
	ExitPresent  Rule = "exit-present"  // every frame is closed before the trace ends
)

// Normal reports whether undamaged real traces break the rule.
func (r Rule) Normal() bool { return r == CPUContinues || r == EnterPresent || r == ExitPresent }

// Violation is one breach of a rule. As an error, its text contains the rule and the event.
type Violation struct {
	Rule   Rule
	Event  int64    // index of the event, from 0; the number of events for ExitPresent
	Thread ThreadID // the event's thread
	Detail string   // the values found
}

// Error returns "event 12: exit-matches: …".
func (v *Violation) Error() string {
	return fmt.Sprintf("event %d: %s: %s", v.Event, v.Rule, v.Detail)
}

// Checker is a Writer that checks every event against the rules and reports each breach. Its memory
// is proportional to the number of open frames.
type Checker struct {
	clock   Clock
	symbols *Symbols
	report  func(*Violation)
	nesting Nesting
	last    []lastTimes // per thread
	n       int64
}

// lastTimes are the times of a thread's last event.
type lastTimes struct {
	wall, cpu time.Duration
}

// NewChecker returns a Checker for events described by info and symbols. It calls report for each
// breach, in event order.
func NewChecker(info *Info, symbols *Symbols, report func(*Violation)) *Checker {
	return &Checker{clock: info.Clock, symbols: symbols, report: report}
}

// WriteEvents implements [Writer]. It never fails.
func (c *Checker) WriteEvents(p []Event) error {
	for len(p) > 0 {
		n := c.forward(p)
		if n == 0 {
			n = 1
			if !c.known(&p[0]) {
				c.n++
				p = p[1:]
				continue
			}
			c.checkTime(&p[0])
		}
		c.nest(p[:n])
		p = p[n:]
	}
	return nil
}

// Nesting returns the nesting state, which tracks the stacks of the events.
func (c *Checker) Nesting() *Nesting { return &c.nesting }

// forward records the times of the leading events of p and returns their number. It stops at an
// event that breaks a rule other than nesting, and at the first event of a thread.
func (c *Checker) forward(p []Event) int {
	last := c.last[:min(len(c.last), len(c.symbols.Threads))]
	methods := int64(len(c.symbols.Methods))
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(last) || int64(e.Method) >= methods || e.Action > Unwind {
			return i
		}
		t := &last[e.Thread]
		if e.Wall < t.wall || e.CPU < t.cpu {
			return i
		}
		t.wall, t.cpu = e.Wall, e.CPU
	}
	return len(p)
}

// nest checks events with known symbols against the nesting rules.
func (c *Checker) nest(p []Event) {
	for len(p) > 0 {
		n, misfit := c.nesting.next(p)
		c.n += int64(n - 1)
		if misfit > Popped {
			c.misfit(&p[n-1], misfit)
		}
		c.n++
		p = p[n:]
	}
}

// Close reports the frames that are open at the end.
func (c *Checker) Close() error {
	for id := range c.nesting.stacks.Threads() {
		if open := c.nesting.stacks.Of(ThreadID(id)); len(open) > 0 {
			c.breach(ExitPresent, ThreadID(id), "open frames at the end: %d, the innermost is %s",
				len(open), c.symbols.Method(open[len(open)-1]))
		}
	}
	return nil
}

// known reports whether the symbols define the event's thread and method. The rules of time and
// nesting apply to such events only.
func (c *Checker) known(e *Event) bool {
	switch {
	case int(e.Thread) >= len(c.symbols.Threads):
		c.breach(KnownThread, e.Thread, "thread index %d, but there are %d threads", e.Thread, len(c.symbols.Threads))
		return false
	case int64(e.Method) >= int64(len(c.symbols.Methods)):
		c.breach(KnownMethod, e.Thread, "method index %d, but there are %d methods", e.Method, len(c.symbols.Methods))
		return false
	case e.Action > Unwind:
		c.breach(KnownAction, e.Thread, "an event has the reserved %s", e.Action)
	}
	return true
}

func (c *Checker) checkTime(e *Event) {
	for int(e.Thread) >= len(c.last) {
		c.last = append(c.last, lastTimes{})
	}
	last := &c.last[e.Thread]
	if e.Wall < last.wall && c.clock.HasWall() {
		c.breach(WallForward, e.Thread, "an event at %s follows an event at %s", e.Wall, last.wall)
	}
	if e.CPU < last.cpu && c.clock.HasCPU() {
		c.breach(c.cpuRule(e), e.Thread, "an event at %s follows an event at %s", e.CPU, last.cpu)
	}
	last.wall, last.cpu = e.Wall, e.CPU
}

// cpuRule returns the rule broken by an event with a CPU time below the thread's previous one. ART
// starts a thread's CPU clock at 0 with its first event (Trace::ReadClocks), so an enter at 0 into
// an empty stack is the first event of another thread.
func (c *Checker) cpuRule(e *Event) Rule {
	if e.CPU == 0 && e.Action == Enter && c.nesting.Depth(e.Thread) == 0 {
		return CPUContinues
	}
	return CPUForward
}

// misfit reports an exit that does not match. The stack has already been updated.
func (c *Checker) misfit(e *Event, effect Effect) {
	switch effect {
	case Orphan:
		c.breach(EnterPresent, e.Thread, "%s of %s with no frame open", e.Action, c.symbols.Method(e.Method))
	case Mismatch:
		c.breach(ExitMatches, e.Thread, "%s of %s while %s is innermost",
			e.Action, c.symbols.Method(e.Method), c.symbols.Method(c.nesting.stacks.closed(e.Thread)))
	}
}

func (c *Checker) breach(rule Rule, id ThreadID, format string, args ...any) {
	name := "unknown thread"
	if int(id) < len(c.symbols.Threads) {
		name = "thread " + c.symbols.Thread(id).String()
	}
	c.report(&Violation{Rule: rule, Event: c.n, Thread: id, Detail: name + ": " + fmt.Sprintf(format, args...)})
}
