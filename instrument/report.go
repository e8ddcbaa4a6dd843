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
		// Nothing that is still to come can be earlier.
		t.happen(e, at)
		return
	}
	if !t.place(*e, at) {
		t.log.Drop(1)
		if !t.perThread() {
			th.paid.record(t.timing.event) // events are dropped one by one; else recording has ended by then
		}
	}
}

// place puts an event, or the start or end of a thread, in its order of time. It
// reports false when it is left out.
func (t *tracer) place(e trace.Event, at time.Duration) bool {
	if t.cfg.Unmerged {
		t.happen(&e, at)
		return true
	}
	if t.limit > 0 && e.Action <= trace.Unwind && t.sorter.Len(e.Thread) >= t.limit {
		return false
	}
	e.Site = 0 // where it was called from is nothing that a file says
	t.sorter.Push(e, at)
	return true
}

// stamp reads the thread's clocks for an event, CPU before wall, and adds what it
// costs. It returns when the event gets its place in the buffer.
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

// collector is what a runtime that reports garbage collections needs to do so.
// The zero value knows of no collection.
type collector struct {
	call  trace.MethodID // VMDebug.startGC in the truth's symbols, once added
	added bool
}

// collects reports whether calls of a method are reported as collections too.
func (t *tracer) collects(id trace.MethodID) bool {
	return t.rt.ReportsGC && !t.cfg.KeepSymbols && t.truth.Symbols.Methods[id].Flags&trace.Collector != 0
}

// takeCollection records the call of a method that collects garbage and, in it,
// that of the method that stands for the collection: dvmMethodTraceGCBegin and
// dvmMethodTraceGCEnd. The preparation of classes, which Dalvik reports in the
// same way, is not known of a truth.
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

// payments are the events that a thread has paid for, with time, before it is known whether
// they are recorded. Those that never are, because the recording has ended before, cost nothing
// after all.
type payments struct {
	paid, recorded int64
	late           time.Duration // by those that are recorded
	waits          []paidWait    // that ended after some that are not
}

// paidWait is a wait, with the number of events that were paid for before it ended.
type paidWait struct {
	paid int64
	recorder.Wait
}

// wait notes a wait that has ended, which can absorb what events have cost, and how late
// the thread is after it.
func (p *payments) wait(w recorder.Wait, late time.Duration) {
	switch {
	case p.paid == p.recorded:
		p.late, p.waits = late, p.waits[:0]
	case w.Absorbs():
		p.waits = append(p.waits, paidWait{p.paid, w})
	}
}

// record notes that the first event that was not recorded is, at a cost.
func (p *payments) record(cost time.Duration) {
	p.settle()
	p.recorded++
	p.late += cost
}

// settle goes through the waits before the first event that is not recorded.
func (p *payments) settle() {
	for len(p.waits) > 0 && p.waits[0].paid <= p.recorded {
		p.late = p.waits[0].Late(p.late)
		p.waits = p.waits[1:]
	}
}

// end returns how late the thread is when no more events are recorded.
func (p *payments) end() time.Duration {
	p.recorded = p.paid
	p.settle()
	return p.late
}
