package timeline

import (
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/trace"
)

// marked delivers the entries as events, for files in which all entries are begins and ends. Nearly
// every entry is then one event. An end with a name closes the innermost call with that name, and
// all calls within that call that lack an end. If no call with the name is open, the end is
// skipped.
type marked struct {
	calls   *Calls
	entries trace.Reader
	open    [][]trace.MethodID // by thread; nil before its first begin
	ready   []trace.Event      // events to be delivered first
	err     error

	skipped  skippedEnds
	implied  impliedEnds
	warnings *[]trace.Warning
}

// ReadEvents implements [trace.Reader].
func (r *marked) ReadEvents(p []trace.Event) (int, error) {
	for len(r.ready) == 0 {
		if r.err != nil {
			if r.err == io.EOF {
				r.skipped.warn(r.warnings, r.calls.source)
			}
			return 0, r.err
		}
		n, err := r.entries.ReadEvents(p)
		if n == 0 {
			r.err = err
			continue
		}
		i := r.plain(p[:n])
		for ; i < n; i += 1 + r.plain(p[i+1:n]) {
			if r.closesOther(&p[i]) || r.isSurplus(&p[i]) {
				r.ready = r.eventsOf(p[i:n])
				n = i
				break
			}
			if r.err = r.event(&p[i]); r.err != nil {
				return i + 1, nil
			}
		}
		if n > 0 {
			return n, nil
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// plain converts entries to events, as event does, up to one that is not the begin of a call or the
// end of the innermost call. It returns their number.
func (r *marked) plain(entries []trace.Event) (n int) {
	open, first, most, cpu := r.open, r.calls.first, r.calls.limits.Depth, r.calls.cpu
	for n = range entries {
		e := &entries[n]
		calls := open[e.Thread]
		switch last := len(calls) - 1; {
		case e.Action == trace.Enter && last+2 <= most:
			open[e.Thread] = append(calls, e.Method)
		case e.Action == trace.Exit && last >= 0 && (e.Method == 0 || e.Method-1 == calls[last]):
			e.Method, open[e.Thread] = calls[last], calls[:last]
		default:
			return n
		}
		if e.Wall -= first; !cpu {
			e.CPU = 0
		}
	}
	return len(entries)
}

// closesOther reports whether an entry is an end with a name other than that of the innermost call.
func (r *marked) closesOther(e *trace.Event) bool {
	if e.Action == trace.Enter || e.Method == 0 {
		return false
	}
	open := r.open[e.Thread]
	return len(open) > 0 && open[len(open)-1] != e.Method-1
}

// isSurplus reports whether an entry is a surplus end.
func (r *marked) isSurplus(e *trace.Event) bool {
	open := r.open[e.Thread]
	return e.Action == trace.Exit && len(open) == 0 && (r.calls.isSurplus(e.Method, open != nil) || r.implied.has(e.Thread, e.Method))
}

// eventsOf returns the events of entries. Some entries are not exactly one event.
func (r *marked) eventsOf(entries []trace.Event) []trace.Event {
	var out []trace.Event
	for i := range entries {
		e := &entries[i]
		if r.isSurplus(e) {
			r.implied.remove(e.Thread, e.Method)
			r.skipped.add(e.Method)
			continue
		}
		if r.closesOther(e) {
			open := r.open[e.Thread]
			if !slices.Contains(open, e.Method-1) {
				r.implied.remove(e.Thread, e.Method)
				r.skipped.add(e.Method)
				continue
			}
			for of := *e; r.closesOther(&of); {
				inner := trace.Event{Wall: e.Wall, CPU: e.CPU, Thread: e.Thread, Action: e.Action}
				r.err = r.event(&inner)
				r.implied.add(e.Thread, inner.Method)
				out = append(out, inner)
			}
		}
		if r.err == nil {
			r.err = r.event(e)
			out = append(out, *e)
		}
		if r.err != nil {
			break
		}
	}
	return out
}

// event converts an entry to an event.
func (r *marked) event(e *trace.Event) (err error) {
	c := r.calls
	e.Wall -= c.first
	if !c.cpu {
		e.CPU = 0
	}
	open := r.open[e.Thread]
	last := len(open) - 1
	switch {
	case e.Action == trace.Enter:
		r.open[e.Thread] = append(open, e.Method)
		return c.depth(e.Thread, e.Wall+c.first, last+2)
	case last >= 0:
		e.Method, r.open[e.Thread] = open[last], open[:last]
	default:
		e.Method, err = c.ofEnd(e.Method)
	}
	return err
}

// depth checks the number of open calls of a thread at a time of the file.
func (c *Calls) depth(id trace.ThreadID, at time.Duration, open int) error {
	if most := c.limits.Depth; open > most {
		limit := &trace.LimitError{Limit: "depth", Most: most, What: fmt.Sprintf("open calls on thread %s", c.Symbols.Thread(id))}
		return &trace.FormatError{Name: c.source, Offset: -1, Msg: fmt.Sprintf("time %s", at), Err: limit}
	}
	return nil
}

// ofEnd returns the method of an end that closes no call, given its entry.
func (c *Calls) ofEnd(of trace.MethodID) (trace.MethodID, error) {
	if of == 0 {
		return c.Method([]byte("(unknown)"))
	}
	return of - 1, nil
}
