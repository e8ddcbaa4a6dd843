package art11

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"artifice/trace"
)

// Truth is what an app does, as ART can be made to do it.
type Truth struct {
	info    trace.Info
	threads []trace.Thread
	methods []trace.Method // their flags and waits count
	events  []trace.Event

	recorded bool // a trace: nothing says when threads wait but the CPU times of their events
}

// recordedCPU is the CPU time that a thread of a recorded trace has used before the trace.
const recordedCPU = time.Millisecond

// NewTruth reads rec, whose events have to be in time order, to its end. Of a trace that was
// recorded it makes a truth: all threads are there from beginning to end, the main one is
// the first, and calls that only return in it are left out.
func NewTruth(rec *trace.Recording) (*Truth, error) {
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		return nil, err
	}
	t := &Truth{info: rec.Info, methods: slices.Clone(rec.Symbols.Methods), events: all.Events}
	t.threads = slices.Clone(rec.Symbols.Threads)
	if !t.info.Clock.HasWall() {
		return nil, errors.New("a truth without wall clock has no order")
	}
	if t.info.Technique != trace.Truth {
		t.complete()
	}
	if n := len(t.events); n > 0 {
		t.info.Elapsed = max(t.info.Elapsed, t.events[n-1].Wall)
	}
	t.info.Technique = trace.Truth
	for i := range t.threads {
		if name := &t.threads[i].Name; *name == "" || len(*name) > maxName {
			*name = fmt.Sprintf("thread-%d", i)
		}
	}
	return t, t.check()
}

// maxName is how long a thread's name can be in the launcher.
const maxName = 100

// complete makes a truth of a recorded trace: calls that only return in it are left out, and
// all threads are there from its beginning to its end.
func (t *Truth) complete() {
	t.recorded, t.info.Elapsed = true, 0 // samples end with the last event
	stacks := make([]trace.Stack[struct{}], len(t.threads))
	kept := t.events[:0]
	for _, e := range t.events {
		e.CPU += recordedCPU
		if _, effect := stacks[e.Thread].Apply(&e, struct{}{}); effect != trace.Orphan {
			kept = append(kept, e)
		}
	}
	t.events = kept
	for i := range t.threads {
		th := &t.threads[i]
		th.Start, th.End, th.Open = 0, 0, 0
	}
	t.mainFirst()
}

// mainFirst puts the main thread in front of those that had ended when the trace was stopped,
// which a file of ART up to 13 lists first.
func (t *Truth) mainFirst() {
	main := trace.ThreadID(max(0, slices.IndexFunc(t.threads, func(th trace.Thread) bool { return int(th.TID) == t.info.PID })))
	first := t.threads[main]
	copy(t.threads[1:], t.threads[:main])
	t.threads[0] = first
	for i := range t.events {
		switch id := &t.events[i].Thread; {
		case *id == main:
			*id = 0
		case *id < main:
			*id++
		}
	}
}

// check refuses what ART cannot be made to do.
func (t *Truth) check() error {
	if len(t.threads) == 0 || t.threads[0].Start > 0 {
		return errors.New("the first thread is not there when the trace begins")
	}
	stacks := make([]trace.Stack[struct{}], len(t.threads))
	now, last := time.Duration(0), make([]time.Duration, len(t.threads))
	for i := range t.events {
		e := &t.events[i]
		now, last[e.Thread] = max(now, e.Wall), e.Wall
		switch _, effect := stacks[e.Thread].Apply(e, struct{}{}); {
		case e.Wall < now:
			return fmt.Errorf("event %d at %s comes after one at %s", i, e.Wall, now)
		case effect == trace.Orphan || effect == trace.Mismatch:
			return fmt.Errorf("event %d at %s leaves a method that its thread is not in", i, e.Wall)
		}
	}
	for i := range t.threads {
		th := &t.threads[i]
		switch {
		case i > 0 && th.Start < t.threads[i-1].Start:
			return fmt.Errorf("thread %s starts before the one ahead of it in the list", th)
		case th.End > 0 && stacks[i].Depth() > 0:
			return fmt.Errorf("thread %s ends with %d methods open", th, stacks[i].Depth())
		case th.End > 0 && last[i] > th.End:
			return fmt.Errorf("thread %s has an event at %s and ends at %s", th, last[i], th.End)
		}
	}
	return nil
}

// Events returns how many events the truth has.
func (t *Truth) Events() int { return len(t.events) }

// Recorded reports whether the truth was made of a recorded trace.
func (t *Truth) Recorded() bool { return t.recorded }

// Elapsed returns how long the truth lasts.
func (t *Truth) Elapsed() time.Duration { return t.info.Elapsed }

// Clock returns the clocks of the truth.
func (t *Truth) Clock() trace.Clock { return t.info.Clock }

// ownThreads are the threads that ART lists here behind the main thread: its own, and
// the launcher's director.
var ownThreads = []trace.Thread{
	{TID: 30001, Name: "Runtime worker thread 0"}, {TID: 30002, Name: "Runtime worker thread 1"},
	{TID: 30003, Name: "Signal Catcher"}, {TID: 1, Name: "ctl"},
}

// Recording returns the truth in the launcher's names, as it went in a run: with the
// methods in the order of their addresses, and with ART's own threads.
func (t *Truth) Recording(w Way, r *Result) *trace.Recording {
	symbols := &trace.Symbols{Threads: slices.Concat(t.threads[:1], ownThreads, t.threads[1:])}
	place := make([]trace.MethodID, len(t.methods))
	for i, id := range r.Methods {
		place[id] = trace.MethodID(i)
		m := t.methods[id]
		own := trace.Method{
			ID: uint64(4 * i), Class: className(id, &m), Name: "m", Signature: "()V", File: "M.java",
			Wait: m.Wait, Flags: m.Flags & (trace.Native | trace.Collector | trace.RuntimeInternal),
		}
		if w.Plain && m.Flags&(trace.Native|trace.RuntimeInternal) == 0 {
			own.Flags |= trace.Interpreted
		}
		symbols.Methods = append(symbols.Methods, own)
	}
	events := slices.Clone(t.events)
	for i := range events {
		e := &events[i]
		e.Method = place[e.Method]
		if e.Thread > 0 {
			e.Thread += trace.ThreadID(len(ownThreads))
		}
	}
	info := t.info
	if t.recorded { // the emulation adds the CPU time before the trace itself
		info.Technique = trace.Instrumented
		for i := range events {
			events[i].CPU -= recordedCPU
		}
	}
	return &trace.Recording{Info: info, Symbols: symbols, Events: trace.NewSliceReader(events)}
}

// className returns the class that stands for a method.
func className(id int, m *trace.Method) string {
	kind := 'J'
	if m.Flags&trace.Native != 0 {
		kind = 'N'
	}
	return fmt.Sprintf("v.%c%d", kind, id)
}
