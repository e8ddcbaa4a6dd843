package literal

import (
	"sort"
	"strings"
	"time"

	"artifice/trace"
)

// line is one of RheaTrace 1's file: B, E or T, and a name.
type line struct {
	kind   byte
	name   string
	method trace.MethodID
	at     Event // in whole microseconds
}

// mark records the main thread's markers, and what the repair makes of the last ones.
func (r *Record) mark(t *Truth, c *Plugin) {
	var lines []line
	var lost time.Duration
	before := trace.Enter
	for _, e := range t.Events {
		if e.Thread != 0 {
			continue
		}
		passed := e.Action == trace.Unwind && before == trace.Unwind
		before = e.Action
		m := &t.Symbols.Methods[e.Method]
		if passed || !c.Sees(m) {
			continue
		}
		wall := (e.Wall + lost) / time.Microsecond * time.Microsecond
		name := m.FullName()
		if cut := strings.LastIndexByte(strings.TrimSuffix(name, "."+m.Name), '.'); cut >= 0 {
			name = name[cut+1:]
		}
		lines = append(lines, line{"BET"[e.Action], name, e.Method, Event{trace.Event{Wall: wall}, e.Wall}})
		if lost += c.End; e.Action == trace.Enter {
			lost += c.Begin - c.End
		}
	}
	if c.Ring > 0 {
		r.Lost = max(0, len(lines)-c.Ring)
	}
	r.Delay, r.CPU = lost, lost
	r.tell(repaired(lines[r.Lost:]))
	r.Kept = len(r.Events)
}

// repaired goes through lines from the last on, as trace_doctor.py does: stack and deep are
// its value_stack and real_rhea_deep.
func repaired(stack []line) (out []line) {
	var deep []line
	pair := func(begin, end line) {
		begin.kind, end.kind = 'B', 'E'
		out = append(out, begin, end)
	}
	top := func() line {
		if len(stack) == 0 {
			return line{}
		}
		return stack[len(stack)-1]
	}
	pop := func() line {
		last := top()
		stack = stack[:len(stack)-1]
		return last
	}
	for len(stack) > 0 {
		this := pop()
		if this.kind == 'B' {
			if i := ending(deep, this.name); i[0] < i[1] {
				pair(this, deep[i[0]])
				deep = append(append([]line(nil), deep[:i[0]]...), deep[i[1]:]...)
			} else {
				pair(this, this)
			}
		}
		if this.kind != 'E' {
			continue
		}
		for top().kind == 'B' && top().name != this.name {
			pair(pop(), this)
		}
		for top().kind == 'T' && top().name == this.name {
			pop()
		}
		if len(deep) > 0 && deep[len(deep)-1].name == this.name {
			deep = append(deep, this)
			continue
		}
		if top().kind == 'T' {
			deep = append(deep, this, pop())
		}
		if top().kind == 'E' {
			deep = append(deep, this, pop())
			continue
		}
		if top().kind == 'B' && top().name == this.name {
			pair(pop(), this)
		}
	}
	return out
}

// ending is what of deep goes with the end that a begin of a name takes: from that end up
// to, and without, the second number. Both are 0 if there is none.
func ending(deep []line, name string) (places [2]int) {
	for i := len(deep); i > 0; i-- {
		if deep[i-1].name == name {
			from := i - 1
			for ; from > 1 && deep[from-1].name == name; from-- {
			}
			return [2]int{from, i}
		}
	}
	return places
}

// tell makes events of lines, in order of time. Where the record goes back in the truth, it
// is as late as it has been before.
func (r *Record) tell(lines []line) {
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].at.Wall < lines[j].at.Wall })
	var open []trace.MethodID
	var app time.Duration
	for _, l := range lines {
		app = max(app, l.at.App)
		e := Event{trace.Event{Wall: l.at.Wall, Method: l.method}, app}
		if l.kind == 'B' {
			open = append(open, l.method)
		} else {
			e.Action, e.Method = trace.Exit, open[len(open)-1]
			open = open[:len(open)-1]
		}
		r.Events = append(r.Events, e)
	}
}
