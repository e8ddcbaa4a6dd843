package literal

import (
	"time"

	"artifice/trace"
)

// Plugin says what code that was put into methods reports of their calls.
type Plugin struct {
	Sees       func(*trace.Method) bool
	Main       bool                                                              // of the first thread alone
	Begin, End time.Duration                                                     // what the code takes from its thread
	AtExit     bool                                                              // a call is one record, made when it ends
	Passed     Passed                                                            // calls that an exception passes through
	Ring       int                                                               // entries, the last ones, that are kept; 0: all
	Clock      func(at time.Duration, enter bool, m *trace.Method) time.Duration // nil: exact
	CPU        bool
}

// Passed says what becomes of a call that an exception passes through: it was thrown in
// another, in this one.
type Passed int

const (
	PassedEnds    Passed = iota // as any other
	PassedGuessed               // as the repair of RheaTrace 1 guesses its end; of the main thread
	PassedGone                  // it is as if it had not been
)

// told is a call that the code has told of.
type told struct {
	method trace.MethodID
	entry  int // number of the entry of its begin, from 1
	begin  time.Duration
	gone   bool
}

// Plug records what the code reports.
func (t *Truth) Plug(c *Plugin) *Record {
	r := &Record{AllCalls: true, NoCPU: !c.CPU, Tails: make([]Tail, len(t.Symbols.Threads))}
	for id := range t.Symbols.Threads {
		switch {
		case c.Main && id > 0:
		case c.Passed == PassedGuessed:
			r.mark(t, c)
		default:
			r.plug(t, c, trace.ThreadID(id))
		}
	}
	r.Stop = t.Length + r.Delay
	r.endWithEvents(t)
	return r
}

// noted is an event of the record, of a call that may turn out to be gone.
type noted struct {
	Event
	of *told
}

// plug records one thread.
func (r *Record) plug(t *Truth, c *Plugin, id trace.ThreadID) {
	var list []noted
	var open []*told // calls of the app
	var lost time.Duration
	entries := 0
	before := trace.Enter
	for _, e := range t.Events {
		if e.Thread != id {
			continue
		}
		m := &t.Symbols.Methods[e.Method]
		passed := e.Action == trace.Unwind && before == trace.Unwind && c.Passed != PassedEnds
		before = e.Action
		if !c.Sees(m) {
			continue
		}
		note := func(call *told, action trace.Action) {
			n := noted{Event{trace.Event{Wall: e.Wall + lost, Method: call.method, Thread: id, Action: action}, e.Wall}, call}
			if c.Clock != nil {
				n.Wall = c.Clock(n.Wall, action == trace.Enter, m)
			}
			if c.CPU {
				n.CPU = e.CPU + lost
			}
			list = append(list, n)
		}
		if e.Action == trace.Enter {
			entries++
			call := &told{method: e.Method, entry: entries, begin: e.Wall + lost}
			open = append(open, call)
			note(call, trace.Enter)
			lost += c.Begin
			continue
		}
		call := open[len(open)-1]
		open = open[:len(open)-1]
		if passed {
			call.gone = true
			continue
		}
		call.gone = c.AtExit && e.Wall+lost == call.begin
		entries++
		note(call, trace.Exit)
		lost += c.End
	}
	for _, call := range open {
		call.gone = call.gone || c.AtExit
	}
	for _, n := range list {
		if !n.of.gone && (c.Ring == 0 || n.of.entry > entries-c.Ring) {
			r.Events = append(r.Events, n.Event)
		}
	}
	r.Delay, r.CPU = max(r.Delay, lost), r.CPU+lost
	if c.Ring > 0 {
		r.Lost = max(0, entries-c.Ring)
		r.Kept = len(r.Events)
	}
}
