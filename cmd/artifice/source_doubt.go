package main

import (
	"fmt"
	"io"

	"artifice/trace"
)

// doubt passes on the events of a trace that a command takes for the truth, and
// tells when they look sampled: then calls are missing in the truth already.
type doubt struct {
	trace.Reader
	name   string
	groups trace.Groups
	done   bool // enough was seen, or all
}

// doubtEvents is how many events are looked at: enough for any judgement.
const doubtEvents = 1 << 18

// ReadEvents implements trace.Reader.
func (d *doubt) ReadEvents(p []trace.Event) (int, error) {
	n, err := d.Reader.ReadEvents(p)
	if !d.done {
		d.groups.WriteEvents(p[:n])
		d.done = n == 0 || d.groups.Events >= doubtEvents
	}
	return n, err
}

// Offset implements [trace.Locator].
func (d *doubt) Offset(event int64) int64 {
	if l, ok := d.Reader.(trace.Locator); ok {
		return l.Offset(event)
	}
	return -1
}

// print prints the doubt, if there is one.
func (d *doubt) print(w io.Writer) {
	if d == nil {
		return
	}
	if technique, _ := d.groups.Technique(); technique != trace.Sampled {
		return
	}
	every := ""
	if p, ok := d.groups.Period(); ok {
		every = fmt.Sprintf(" (about every %s)", p.Median)
	}
	fmt.Fprintf(w, "artifice: warning: %s looks sampled%s: what its sampler missed is missing in the result, too\n", d.name, every)
}
