package timeline

import (
	"fmt"

	"artifice/trace"
)

// marked delivers the entries as events, where all are begins and ends: each
// entry is an event then.
type marked struct {
	calls   *calls
	entries trace.Reader
	open    [][]trace.MethodID // by thread
	err     error
}

// ReadEvents implements [trace.Reader].
func (r *marked) ReadEvents(p []trace.Event) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.entries.ReadEvents(p)
	if n == 0 {
		r.err = err
		return 0, err
	}
	for i := range p[:n] {
		if r.err = r.event(&p[i]); r.err != nil {
			return i + 1, nil
		}
	}
	return n, nil
}

// event makes an event of an entry.
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
		return c.depth(e.Thread, last+2)
	case last >= 0:
		e.Method, r.open[e.Thread] = open[last], open[:last]
	default:
		e.Method, err = c.ofEnd(e.Method)
	}
	return err
}

// depth checks how many calls of a thread are open.
func (c *calls) depth(id trace.ThreadID, open int) error {
	if most := c.limits.Depth; open > most {
		return &trace.LimitError{Limit: "depth", Most: most, What: fmt.Sprintf("open calls on thread %s", c.symbols.Thread(id))}
	}
	return nil
}

// ofEnd returns the method of an end that closes no call, from what an entry has.
func (c *calls) ofEnd(of trace.MethodID) (trace.MethodID, error) {
	if of == 0 {
		return c.method([]byte("(unknown)"))
	}
	return of - 1, nil
}
