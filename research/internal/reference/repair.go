package reference

import (
	"sort"
	"strings"
	"time"

	"artifice/trace"
)

// line is a line of RheaTrace 1's file: B, E or T, and a name.
type line struct {
	kind   byte
	name   string
	method trace.MethodID
	at     Event         // in whole microseconds
	wrote  time.Duration // exactly
}

// markAll records the markers of the main thread or of all threads, and applies the repair to the
// last ones.
func (r *Record) markAll(t *Truth, c *Plugin) {
	var all []line
	for id := range t.Symbols.Threads {
		if id == 0 || !c.Main {
			all = append(all, r.mark(t, c, trace.ThreadID(id))...)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].wrote < all[j].wrote })
	if c.Ring > 0 {
		r.Lost = max(0, len(all)-c.Ring)
	}
	of := make([][]line, len(t.Symbols.Threads))
	for _, l := range all[r.Lost:] {
		of[l.at.Thread] = append(of[l.at.Thread], l)
	}
	var pairs []line
	for _, lines := range of {
		pairs = append(pairs, repaired(lines)...)
	}
	r.tell(pairs, len(of))
	r.Kept = len(r.Events)
}

// mark returns the markers of a thread.
func (r *Record) mark(t *Truth, c *Plugin, id trace.ThreadID) (lines []line) {
	l := t.lagOf(id)
	before := trace.Enter
	for _, e := range t.Events {
		if e.Thread != id {
			continue
		}
		passed := e.Action == trace.Unwind && before == trace.Unwind
		before = e.Action
		m := &t.Symbols.Methods[e.Method]
		at := l.arrive(&e)
		switch {
		case passed || !c.Sees(m):
		case e.Action == trace.Enter:
			l.report(c.Begin)
		default:
			l.report(c.End)
		}
		l.goOn(t, &e)
		if passed || !c.Sees(m) {
			continue
		}
		wall := at / time.Microsecond * time.Microsecond
		name := m.FullName()
		if cut := strings.LastIndexByte(strings.TrimSuffix(name, "."+m.Name), '.'); cut >= 0 {
			name = name[cut+1:]
		}
		lines = append(lines, line{"BET"[e.Action], name, e.Method, Event{trace.Event{Wall: wall, Thread: id}, e.Wall}, at})
	}
	r.Delay, r.CPU = max(r.Delay, l.ends(t)), r.CPU+l.spent
	return lines
}

// repaired processes lines from last to first, as trace_doctor.py does, and returns the resulting
// pairs.
func repaired(lines []line) []line {
	d := &doctor{stack: lines}
	for len(d.stack) > 0 {
		switch this := d.pop(); this.kind {
		case 'B':
			d.begin(this)
		case 'E':
			d.end(this)
		}
	}
	return d.out
}

// doctor is the state of trace_doctor.py: stack and deep are its value_stack and
// real_rhea_deep.
type doctor struct{ stack, deep, out []line }

func (d *doctor) top() line {
	if len(d.stack) == 0 {
		return line{}
	}
	return d.stack[len(d.stack)-1]
}

func (d *doctor) pop() line {
	last := d.top()
	d.stack = d.stack[:len(d.stack)-1]
	return last
}

func (d *doctor) pair(begin, end line) {
	begin.kind, end.kind = 'B', 'E'
	d.out = append(d.out, begin, end)
}

// begin pairs a begin with a pending end, or else with itself.
func (d *doctor) begin(this line) {
	i := ending(d.deep, this.name)
	if i[0] == i[1] {
		d.pair(this, this)
		return
	}
	d.pair(this, d.deep[i[0]])
	d.deep = append(append([]line(nil), d.deep[:i[0]]...), d.deep[i[1]:]...)
}

// end pairs an end with the begins before it, or makes it pending.
func (d *doctor) end(this line) {
	for d.top().kind == 'B' && d.top().name != this.name {
		d.pair(d.pop(), this)
	}
	for d.top().kind == 'T' && d.top().name == this.name {
		d.pop()
	}
	if n := len(d.deep); n > 0 && d.deep[n-1].name == this.name {
		d.deep = append(d.deep, this)
		return
	}
	if d.top().kind == 'T' {
		d.deep = append(d.deep, this, d.pop())
	}
	switch {
	case d.top().kind == 'E':
		d.deep = append(d.deep, this, d.pop())
	case d.top().kind == 'B' && d.top().name == this.name:
		d.pair(d.pop(), this)
	}
}

// ending returns the part of deep that belongs to the end matching a begin of a name: from the
// first index up to, but not including, the second. Both are 0 if there is none.
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

// tell converts lines to events, in time order. The app time of an event is the maximum over the
// lines so far.
func (r *Record) tell(lines []line, threads int) {
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].at.Wall < lines[j].at.Wall })
	open := make([][]trace.MethodID, threads)
	var app time.Duration
	for _, l := range lines {
		app = max(app, l.at.App)
		e := Event{trace.Event{Wall: l.at.Wall, Method: l.method, Thread: l.at.Thread}, app}
		of := open[e.Thread]
		if l.kind == 'B' {
			open[e.Thread] = append(of, l.method)
		} else {
			e.Action, e.Method = trace.Exit, of[len(of)-1]
			open[e.Thread] = of[:len(of)-1]
		}
		r.Events = append(r.Events, e)
	}
}
