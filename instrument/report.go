package instrument

import (
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// record reports an event of a thread.
func (t *tracer) record(th *thread, e *trace.Event) {
	now := e.Wall
	at := t.stamp(th, e)
	if at <= max(now, t.offset) && t.sorter.Peek() == nil {
		// No later item can be earlier.
		t.happen(e, at)
		return
	}
	if !t.place(*e, at) {
		t.log.Drop(1)
		if !t.perThread() {
			// dropped events have a cost one by one; otherwise recording has ended by then
			th.paid.record(t.timing.event)
		}
	}
}

// place puts an event, or the start or end of a thread, in time order. It returns false if the item
// is dropped.
func (t *tracer) place(e trace.Event, at time.Duration) bool {
	if t.cfg.Unmerged {
		t.happen(&e, at)
		return true
	}
	if t.limit > 0 && e.Action <= trace.Unwind && t.sorter.Len(e.Thread) >= t.limit {
		return false
	}
	e.Site = 0 // files do not contain call sites
	t.sorter.Push(e, at)
	return true
}

// stamp reads the thread's clocks for an event, CPU before wall, and adds the event's cost. It
// returns when the event gets its place in the buffer.
func (t *tracer) stamp(th *thread, e *trace.Event) time.Duration {
	tm := &t.timing
	begin := e.Wall + th.Late
	at := begin + tm.wallRead
	if t.jitter {
		at += time.Duration(t.rng.Uint64N(uint64(tm.hook)))
	}
	if t.cfg.Clock.HasCPU() {
		e.CPU = th.cpu(tm, e.CPU, tm.cpuRead)
	} else {
		e.CPU = 0
	}
	e.Wall = 0
	if t.cfg.Clock.HasWall() {
		e.Wall = tm.quantise(begin + tm.wallRead)
	}
	if t.log.Active() {
		th.Take(tm.event)
		th.paid.paid++
	}
	return at
}

// collector is the state of a runtime that reports garbage collections. The zero value has no
// collection.
type collector struct {
	call  trace.MethodID // VMDebug.startGC in the truth's symbols, once added
	added bool
}

// collects reports whether calls of a method are reported as collections too.
func (t *tracer) collects(id trace.MethodID) bool {
	return t.rt.ReportsGC && !t.cfg.KeepSymbols && t.truth.Symbols.Methods[id].Flags&trace.Collector != 0
}

// takeCollection records the call of a method that collects garbage and, nested in it, a call of
// the method that represents the collection: dvmMethodTraceGCBegin and dvmMethodTraceGCEnd. Dalvik
// reports the preparation of classes in the same way; a truth does not contain it.
func (t *tracer) takeCollection(th *thread, e *trace.Event) {
	if !t.gc.added {
		t.gc.added = true
		t.gc.call = t.truth.Symbols.AddMethod(trace.Method{
			Class: "dalvik.system.VMDebug", Name: "startGC", Signature: "()V", File: "VMDebug.java",
		})
		t.sync()
	}
	inner := *e
	inner.Method = t.gc.call
	if e.Action != trace.Enter {
		inner.Action = trace.Exit
		t.record(th, &inner)
		t.record(th, e)
		return
	}
	t.record(th, e)
	t.record(th, &inner)
}

// payments are the costs of events that have delayed the thread before it is known whether they are
// recorded. An event that is not recorded, because the recording ended before it, has no cost in
// the end.
type payments struct {
	paid, recorded int64
	late           time.Duration // delay caused by the recorded events
	waits          []paidWait    // waits that ended after some events not recorded yet
}

// paidWait is a wait and the number of events that were charged before it ended.
type paidWait struct {
	paid int64
	recorder.Wait
}

// wait adds a completed wait, which can absorb the cost of events, and the thread's delay after it.
func (p *payments) wait(w recorder.Wait, late time.Duration) {
	switch {
	case p.paid == p.recorded:
		p.late, p.waits = late, p.waits[:0]
	case w.Absorbs():
		p.waits = append(p.waits, paidWait{p.paid, w})
	}
}

// record marks the first pending event as recorded, at a cost.
func (p *payments) record(cost time.Duration) {
	p.settle()
	p.recorded++
	p.late += cost
}

// settle processes the waits before the first pending event.
func (p *payments) settle() {
	for len(p.waits) > 0 && p.waits[0].paid <= p.recorded {
		p.late = p.waits[0].Late(p.late)
		p.waits = p.waits[1:]
	}
}

// end returns the thread's delay when no more events are recorded.
func (p *payments) end() time.Duration {
	p.recorded = p.paid
	p.settle()
	return p.late
}
