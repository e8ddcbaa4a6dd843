package diffstack

import (
	"fmt"
	"io"
	"slices"

	"artifice/trace"
)

// RediffError describes why no sampler can have written a trace.
type RediffError struct {
	Event  int64  // index of the first event of the invalid group, in reading order; -1 for the trace as a whole
	Offset int64  // byte offset of its record; -1 if the reader has no offsets
	Msg    string // the part that no sampler writes
}

// Error returns "offset 1234: …", or "event 12: …" if there is no offset.
func (e *RediffError) Error() string {
	place := ""
	switch {
	case e.Offset >= 0:
		place = fmt.Sprintf("offset %d: ", e.Offset)
	case e.Event >= 0:
		place = fmt.Sprintf("event %d: ", e.Event)
	}
	return place + e.Msg + "; no sampler writes this. Is it an instrumented trace? " +
		"Use another mode for it, such as sample"
}

// Rediff reads rec, a sampled trace, rebuilds each thread's stack after each sample and compares it
// with the previous one ([Compare]). The returned recording has the events of these comparisons,
// which equal those of rec, and rec's Source.
//
// This validates the form of the events only. It does not validate the times of samples, the number
// of samples without changes, or the stacks: any trace with events of this form passes.
//
// A sample of a thread is a group: a run of consecutive events of the thread with equal wall and
// CPU timestamps. Reading ends with a [RediffError] at a group that no comparison of stacks yields:
// an unwind, an exit of a frame that is not open or not innermost, an exit after an enter, or
// frames left and entered again unchanged. It also ends with a RediffError, after the last event,
// if nearly all groups have one event, as in instrumented traces. Events read before an error are
// invalid.
func Rediff(rec *trace.Recording) (*trace.Recording, error) {
	r := &rediff{rec: rec, events: rec.Events, batch: make([]trace.Event, trace.BatchSize)}
	r.out = trace.Recording{Info: rec.Info, Symbols: rec.Symbols, Source: rec.Source, Events: r}
	return &r.out, nil
}

// rediff is the Reader of [Rediff]. The current group is stored as its effect on its thread's
// stack.
type rediff struct {
	rec    *trace.Recording
	events trace.Reader // rec's
	out    trace.Recording
	batch  []trace.Event
	ready  []trace.Event // compared but not yet read
	taken  int           // number of events of ready that were read
	err    error

	read   int64 // events
	stacks []trace.Stack[struct{}]

	first  trace.Event      // first event of the group, with the group's timestamps and thread
	size   int64            // events in the group
	depth  int              // depth of the thread's stack before the group
	enters bool             // the group has had an enter
	exited []trace.MethodID // frames left by the group, innermost first

	groups, single int64
}

// ReadEvents implements [trace.Reader].
func (r *rediff) ReadEvents(p []trace.Event) (int, error) {
	if len(p) == 0 {
		return 0, r.err
	}
	for r.taken == len(r.ready) {
		if r.err != nil {
			return 0, trace.ReadOnce(&r.err)
		}
		r.ready, r.taken = r.ready[:0], 0
		r.err = r.advance()
		r.out.Info, r.out.Source = r.rec.Info, r.rec.Source
	}
	n := copy(p, r.ready[r.taken:])
	r.taken += n
	return n, nil
}

// advance compares the stacks of a batch of events.
func (r *rediff) advance() error {
	n, err := r.events.ReadEvents(r.batch)
	for i := range r.batch[:n] {
		if err := r.add(&r.batch[i]); err != nil {
			return err
		}
	}
	if n > 0 {
		return nil
	}
	if groupErr := r.endGroup(); groupErr != nil {
		return groupErr
	}
	if err == io.EOF {
		err = r.judge()
	}
	return err
}

func (r *rediff) add(e *trace.Event) error {
	if r.size == 0 || e.Thread != r.first.Thread || e.Wall != r.first.Wall || e.CPU != r.first.CPU {
		if err := r.endGroup(); err != nil {
			return err
		}
		r.beginGroup(e)
	}
	r.read++
	r.size++
	stack := &r.stacks[e.Thread]
	innermost, _ := stack.Innermost()
	closed, effect := stack.Apply(e, struct{}{})
	switch {
	case effect == trace.Popped && e.Action == trace.Exit && !r.enters:
		r.exited = append(r.exited, closed.Method)
	case effect == trace.Pushed:
		r.enters = true
	case e.Action != trace.Exit:
		return r.refuse("%s of %s", e.Action, r.method(e.Method))
	case r.enters:
		return r.refuse("exit of %s after an enter with the same timestamps", r.method(e.Method))
	case effect == trace.Orphan:
		return r.refuse("exit of %s with no frame open", r.method(e.Method))
	case effect == trace.Mismatch:
		return r.refuse("exit of %s while %s is innermost", r.method(e.Method), r.method(innermost))
	}
	return nil
}

func (r *rediff) beginGroup(e *trace.Event) {
	for int(e.Thread) >= len(r.stacks) {
		r.stacks = append(r.stacks, trace.Stack[struct{}]{})
	}
	r.first, r.size, r.enters = *e, 0, false
	r.exited, r.depth = r.exited[:0], r.stacks[e.Thread].Depth()
}

// endGroup compares the stacks before and after the group. Frames outside of all frames that the
// group left are unchanged and not compared: stacks may be deep.
func (r *rediff) endGroup() error {
	if r.size == 0 {
		return nil
	}
	r.groups++
	if r.size == 1 {
		r.single++
	}
	before, after := r.exited, r.stacks[r.first.Thread].Methods()[r.depth-len(r.exited):]
	slices.Reverse(before)
	e, n := r.first, int64(0)
	for a, m := range Compare(before, after) {
		e.Action, e.Method = a, m
		r.ready = append(r.ready, e)
		n++
	}
	// The group consists of exits of open frames, then enters. The comparison yields the same
	// events unless it yields fewer.
	if n != r.size {
		frame := before[CommonFrames(before, after)-1]
		return r.refuse("%s left and entered again with the same timestamps", r.method(frame))
	}
	r.size = 0
	return nil
}

// judge returns an error for a trace in which nearly all groups have one event, and io.EOF for
// others.
func (r *rediff) judge() error {
	// minimum number of groups for a verdict, and "nearly all" in tenths
	const enough, ofTen = 20, 9
	if r.groups >= enough && r.single*10 >= r.groups*ofTen {
		return &RediffError{Event: -1, Offset: -1, Msg: fmt.Sprintf(
			"%d of %d groups of events with equal timestamps hold one event", r.single, r.groups)}
	}
	return io.EOF
}

// refuse returns the error for the current group.
func (r *rediff) refuse(format string, args ...any) error {
	event := r.read - r.size
	return &RediffError{Event: event, Offset: trace.OffsetOf(r.events, event), Msg: fmt.Sprintf(format, args...)}
}

func (r *rediff) method(id trace.MethodID) *trace.Method { return r.rec.Symbols.Method(id) }
