package reference

import (
	"time"

	"artifice/trace"
)

// Plugin describes code injected into methods to record their calls.
type Plugin struct {
	Sees       func(*trace.Method) bool
	Main       bool                                                              // only the first thread
	Begin, End time.Duration                                                     // cost of the code, to its thread
	AtExit     bool                                                              // each call is one record, made when it ends
	Passed     Passed                                                            // treatment of calls that an exception passes through
	Ring       int                                                               // entries: only the last ones are kept; 0: all
	Clock      func(at time.Duration, enter bool, m *trace.Method) time.Duration // nil: exact
	CPU        bool
}

// Passed is the treatment of a call that an exception passes through: thrown in a callee, not
// caught in the call.
type Passed int

const (
	PassedEnds    Passed = iota // like any other call
	PassedGuessed               // its end is guessed as by RheaTrace 1's repair, thread by thread
	PassedOmitted               // the call is not recorded
)

// activation is a call that the code records.
type activation struct {
	method  trace.MethodID
	entry   int // number of the entry of its begin, from 1
	begin   time.Duration
	omitted bool
}

// Plug returns the record of the injected code.
func (t *Truth) Plug(c *Plugin) *Record {
	r := &Record{AllCalls: true, NoCPU: !c.CPU, Tails: make([]Tail, len(t.Symbols.Threads))}
	for id := range t.Symbols.Threads {
		switch {
		case c.Main && id > 0:
		case c.Passed == PassedGuessed:
			if id == 0 {
				r.markAll(t, c)
			}
		default:
			r.plug(t, c, trace.ThreadID(id))
		}
	}
	r.Stop = t.Length + r.Delay
	r.endWithEvents(t)
	return r
}

// noted is an event of the record; its call may be omitted later.
type noted struct {
	Event
	of *activation
}

// notes are the events recorded of one thread.
type notes struct {
	*Plugin
	list    []noted
	open    []*activation // open calls of the app
	entries int
	lag
}

// plug records one thread.
func (r *Record) plug(t *Truth, c *Plugin, id trace.ThreadID) {
	n := &notes{Plugin: c, lag: t.lagOf(id)}
	before := trace.Enter
	for _, e := range t.Events {
		if e.Thread != id {
			continue
		}
		m := &t.Symbols.Methods[e.Method]
		passed := e.Action == trace.Unwind && before == trace.Unwind && c.Passed != PassedEnds
		before = e.Action
		n.arrive(&e)
		switch {
		case !c.Sees(m):
		case e.Action == trace.Enter:
			n.begin(&e, m)
		default:
			n.end(&e, m, passed)
		}
		n.goOn(t, &e)
	}
	for _, call := range n.open {
		call.omitted = call.omitted || c.AtExit
	}
	for _, note := range n.list {
		if !note.of.omitted && (c.Ring == 0 || note.of.entry > n.entries-c.Ring) {
			r.Events = append(r.Events, note.Event)
		}
	}
	r.Delay, r.CPU = max(r.Delay, n.ends(t)), r.CPU+n.spent
	if c.Ring > 0 {
		r.Lost = max(0, n.entries-c.Ring)
		r.Kept = len(r.Events)
	}
}

// begin records the begin of a call.
func (n *notes) begin(e *trace.Event, m *trace.Method) {
	n.entries++
	call := &activation{method: e.Method, entry: n.entries, begin: n.wall}
	n.open = append(n.open, call)
	n.note(call, e, m)
	n.report(n.Begin)
}

// end records the end of the innermost call. With passed, an exception passed through it, which the
// code does not detect.
func (n *notes) end(e *trace.Event, m *trace.Method, passed bool) {
	call := n.open[len(n.open)-1]
	n.open = n.open[:len(n.open)-1]
	if passed {
		call.omitted = true
		return
	}
	call.omitted = n.AtExit && n.wall == call.begin
	n.entries++
	n.note(call, e, m)
	n.report(n.End)
}

// note adds an event of a call, with the times of the code's clocks.
func (n *notes) note(call *activation, e *trace.Event, m *trace.Method) {
	action := trace.Exit
	if e.Action == trace.Enter {
		action = trace.Enter
	}
	made := noted{Event{trace.Event{Wall: n.wall, Method: call.method, Thread: e.Thread, Action: action}, e.Wall}, call}
	if n.Clock != nil {
		made.Wall = n.Clock(made.Wall, action == trace.Enter, m)
	}
	if n.CPU {
		made.CPU = e.CPU + n.spent
	}
	n.list = append(n.list, made)
}
