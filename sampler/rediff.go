package sampler

import (
	"fmt"
	"io"

	"artifice/diffstack"
	"artifice/trace"
)

// RediffError says why a trace cannot have been written by a sampler.
type RediffError struct {
	Event  int64  // index of the first event of the group at fault, in reading order; -1 for the trace as a whole
	Offset int64  // byte offset of its record; -1 when the reader does not tell
	Msg    string // what no sampler writes
}

// Error returns "offset 1234: …", or "event 12: …" where there is no offset.
func (e *RediffError) Error() string {
	place := ""
	switch {
	case e.Offset >= 0:
		place = fmt.Sprintf("offset %d: ", e.Offset)
	case e.Event >= 0:
		place = fmt.Sprintf("event %d: ", e.Event)
	}
	return place + e.Msg + "; no sampler writes that. Is the trace an instrumented one? " +
		"Then it can be sampled, not compared again"
}

// Rediff reads rec, a sampled trace, rebuilds each thread's stack after each
// sample, compares it with the one before by ART's literal algorithm, and
// writes the events that this gives to out. They are the events read: it is
// the proof that the algorithm is ART's. rec's Source stays true of them.
//
// A sample of a thread is a group: a run of events of the thread, one after
// another, with equal wall and CPU stamps. A group that no comparison of stacks
// gives ends the work with a [RediffError]: an unwind, an exit of a frame that
// is not open or not innermost, an exit behind an enter, frames left and
// entered again unchanged. So does, at the end, a trace whose groups nearly all
// have one event, as those of instrumented traces have. What was written to
// out before is then worthless.
func Rediff(out trace.Writer, rec *trace.Recording) error {
	r := rediff{rec: rec, out: out}
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := rec.Events.ReadEvents(batch)
		if n == 0 {
			if err := r.endGroup(); err != nil {
				return err
			}
			return r.end(err)
		}
		for _, e := range batch[:n] {
			if err := r.add(e); err != nil {
				return err
			}
		}
		if err := r.flush(); err != nil {
			return err
		}
	}
}

// rediff is the state of Rediff. The group at hand is kept as what it did to
// its thread's stack.
type rediff struct {
	rec    *trace.Recording
	out    trace.Writer
	read   int64              // events read
	old    [][]trace.MethodID // by thread: the stack after its last group
	output []trace.Event

	first  trace.Event      // of the group; its stamps and thread are the group's
	size   int64            // events in the group
	enters bool             // the group has had an enter
	seen   []trace.MethodID // the thread's stack so far

	groups, single int64
}

func (r *rediff) add(e trace.Event) error {
	if r.size == 0 || e.Thread != r.first.Thread || e.Wall != r.first.Wall || e.CPU != r.first.CPU {
		if err := r.endGroup(); err != nil {
			return err
		}
		r.beginGroup(e)
	}
	r.read++
	r.size++
	top := len(r.seen) - 1
	switch {
	case e.Action == trace.Enter:
		r.enters = true
		r.seen = append(r.seen, e.Method)
		return nil
	case e.Action != trace.Exit:
		return r.refuse("%s of %s", e.Action, r.method(e.Method))
	case r.enters:
		return r.refuse("exit of %s behind an enter with the same time stamps", r.method(e.Method))
	case top < 0:
		return r.refuse("exit of %s with no frame open", r.method(e.Method))
	case r.seen[top] != e.Method:
		return r.refuse("exit of %s while %s is innermost", r.method(e.Method), r.method(r.seen[top]))
	}
	r.seen = r.seen[:top]
	return nil
}

func (r *rediff) beginGroup(e trace.Event) {
	for int(e.Thread) >= len(r.old) {
		r.old = append(r.old, nil)
	}
	r.first, r.size, r.enters = e, 0, false
	r.seen = append(r.seen[:0], r.old[e.Thread]...)
}

// endGroup compares the stacks before and after the group.
func (r *rediff) endGroup() error {
	if r.size == 0 {
		return nil
	}
	r.groups++
	if r.size == 1 {
		r.single++
	}
	old := r.old[r.first.Thread]
	e, n := r.first, int64(0)
	diffstack.Literal(old, r.seen, func(a trace.Action, m trace.MethodID) {
		e.Action, e.Method = a, m
		r.output = append(r.output, e)
		n++
	})
	// The group is exits of what was open, then enters. The comparison gives the
	// same unless it finds less to do.
	if n != r.size {
		frame := old[diffstack.CommonFrames(old, r.seen)-1]
		return r.refuse("%s left and entered again with the same time stamps", r.method(frame))
	}
	r.old[e.Thread] = append(old[:0], r.seen...)
	r.size = 0
	return nil
}

// end judges the whole trace and flushes, when err is the proper end.
func (r *rediff) end(err error) error {
	if err != io.EOF {
		return err
	}
	const enough, ofTen = 20, 9 // groups for a verdict; nearly all: 9 of 10
	if r.groups >= enough && r.single*10 >= r.groups*ofTen {
		return &RediffError{Event: -1, Offset: -1, Msg: fmt.Sprintf(
			"%d of %d groups of events with equal time stamps hold one event", r.single, r.groups)}
	}
	return r.flush()
}

// refuse returns the error for the group at hand.
func (r *rediff) refuse(format string, args ...any) error {
	event := r.read - r.size
	offset := int64(-1)
	if l, ok := r.rec.Events.(trace.Locator); ok {
		offset = l.Offset(event)
	}
	return &RediffError{Event: event, Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func (r *rediff) method(id trace.MethodID) *trace.Method { return r.rec.Symbols.Method(id) }

// flush hands the output on.
func (r *rediff) flush() error {
	var err error
	if len(r.output) > 0 {
		err = r.out.WriteEvents(r.output)
	}
	r.output = r.output[:0]
	return err
}
