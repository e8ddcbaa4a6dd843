package art11

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"artifice/trace"
)

// Truth is a ground truth that ART can replay.
type Truth struct {
	info    trace.Info
	threads []trace.Thread
	methods []trace.Method // with their flags and waits
	events  []trace.Event

	proxies  bool          // the last two methods are those that a proxy's method calls
	recorded bool          // a trace: waits are known only from the CPU times of events
	whole    []trace.Event // of a recorded trace, with calls that only exit
}

// recordedCPU is the CPU time that a thread of a recorded trace uses before the trace.
const recordedCPU = time.Millisecond

// NewTruth reads rec to its end. Events must be in time order. For ART, it completes a recorded
// trace to a truth: all threads exist from beginning to end, and the main one is the first. See
// [Truth.replayed] for calls that have only an exit.
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
	t.addForwarding()
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

// maxName is the maximum length of a thread's name in the launcher.
const maxName = 100

// complete converts a recorded trace to a truth: it drops calls that have only an exit, and extends
// all threads from beginning to end.
func (t *Truth) complete() {
	t.recorded = true
	stacks := make([]trace.Stack[struct{}], len(t.threads))
	kept := make([]trace.Event, 0, len(t.events))
	for i := range t.events {
		t.events[i].CPU += recordedCPU
		e := t.events[i]
		if _, effect := stacks[e.Thread].Apply(&e, struct{}{}); effect != trace.Orphan {
			kept = append(kept, e)
		}
	}
	t.events, t.whole = kept, t.events
	for i := range t.threads {
		th := &t.threads[i]
		th.Start, th.End, th.Open = 0, 0, 0
	}
	t.mainFirst()
}

// mainFirst moves the main thread before those that had ended when the trace was stopped; ART up to
// 13 lists these first.
func (t *Truth) mainFirst() {
	main := trace.ThreadID(max(0, slices.IndexFunc(t.threads, func(th trace.Thread) bool { return int(th.TID) == t.info.PID })))
	first := t.threads[main]
	copy(t.threads[1:], t.threads[:main])
	t.threads[0] = first
	for _, events := range [][]trace.Event{t.events, t.whole} {
		for i := range events {
			switch id := &events[i].Thread; {
			case *id == main:
				*id = 0
			case *id < main:
				*id++
			}
		}
	}
}

// check returns an error for a truth that ART cannot replay.
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

// Events returns the number of events.
func (t *Truth) Events() int { return len(t.events) }

// Recorded reports whether the truth was created from a recorded trace.
func (t *Truth) Recorded() bool { return t.recorded }

// Elapsed returns the length of the truth.
func (t *Truth) Elapsed() time.Duration { return t.info.Elapsed }

// Clock returns the clocks of the truth.
func (t *Truth) Clock() trace.Clock { return t.info.Clock }

// ownThreads are the threads that ART lists after the main thread: its own, and the launcher's
// director.
var ownThreads = []trace.Thread{
	{TID: 30001, Name: "Runtime worker thread 0"}, {TID: 30002, Name: "Runtime worker thread 1"},
	{TID: 30003, Name: "Signal Catcher"}, {TID: 1, Name: "ctl"},
}

// Recording returns the truth of a run with the launcher's names: with the methods ordered by
// address, and with ART's own threads.
func (t *Truth) Recording(w Way, r *Result) *trace.Recording {
	symbols := &trace.Symbols{Threads: slices.Concat(t.threads[:1], ownThreads, t.threads[1:])}
	place := make([]trace.MethodID, len(t.methods))
	for i, id := range r.Methods {
		place[id] = trace.MethodID(i)
		m := t.methods[id]
		own := trace.Method{
			ID: uint64(4 * i), Class: t.className(id), Name: "m", Signature: "()V", File: "M.java",
			Wait: m.Wait, Flags: m.Flags & (trace.Native | trace.Collector | trace.RuntimeInternal | trace.Proxy | trace.Allocates),
		}
		if t.kind(id) >= forward {
			own.Name, own.Signature, own.File = m.Name, m.Signature, m.File
		}
		if (w.Plain || w.Again) && m.Flags&(trace.Native|trace.RuntimeInternal|trace.Proxy) == 0 {
			own.Flags |= trace.Interpreted
		}
		symbols.Methods = append(symbols.Methods, own)
	}
	info := t.info
	if t.recorded {
		info.Technique = trace.Instrumented
	}
	events := slices.Clone(t.replayed(&w))
	for i := range events {
		e := &events[i]
		if t.recorded { // the emulation itself adds the CPU time before the trace
			e.CPU -= recordedCPU
		}
		e.Method = place[e.Method]
		if e.Thread > 0 {
			e.Thread += trace.ThreadID(len(ownThreads))
		}
	}
	return &trace.Recording{Info: info, Symbols: symbols, Events: trace.NewSliceReader(events)}
}

// replayed returns the events of a run. Calls of a recorded trace that only exit began before it:
// ART has them on its stacks at the start, and an instrumented trace of an app that is not
// debuggable has their exits. In a debuggable app it has their enters, and samples show them, too:
// the emulation, which reads a trace once, does not know them at the start, so such runs are
// without them.
func (t *Truth) replayed(w *Way) []trace.Event {
	if t.recorded && !w.Sampled && !w.Debuggable {
		return t.whole
	}
	return t.events
}

// opened returns, for each thread, the methods of events that only exit, outermost first.
func (t *Truth) opened(events []trace.Event) [][]trace.MethodID {
	opened, stacks := make([][]trace.MethodID, len(t.threads)), make([]trace.Stack[struct{}], len(t.threads))
	for i := range events {
		e := &events[i]
		if _, effect := stacks[e.Thread].Apply(e, struct{}{}); effect == trace.Orphan {
			opened[e.Thread] = append([]trace.MethodID{e.Method}, opened[e.Thread]...)
		}
	}
	return opened
}

// className returns the class that represents a method.
func (t *Truth) className(id int) string {
	switch kind := t.kind(id); kind {
	case forward, handle:
		return t.methods[id].Class
	default:
		return fmt.Sprintf("v.%c%d%s", "JNP"[kind], id, suffix(id))
	}
}

// suffix returns the end of the name of the class for a method: characters that a dex file allows
// in names, of one to three bytes of UTF-8. smali accepts no others.
func suffix(id int) string {
	all := []string{"", "$1", "$$Lambda", "_", "-x", "é", "ß\u1fff", "一二", "\u2010\u2027", "\uffef", "\ue000z"}
	return all[id%len(all)]
}
