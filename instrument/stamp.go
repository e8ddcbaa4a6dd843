package instrument

import (
	"time"

	"artifice/trace"
)

// record lets a thread report an event.
func (t *tracer) record(th *thread, e *trace.Event) {
	now := e.Wall
	at := t.stamp(th, e)
	if at <= now+t.offset && t.sorter.Peek() == nil {
		// Nothing that is still to come can be earlier.
		t.happen(e, at)
		return
	}
	if !t.place(*e, at) {
		t.log.Drop(1)
		if !t.perThread() {
			th.unheard-- // the listeners stay; else they are gone by then
		}
	}
}

// place lets something happen when its time has come. It reports false when it
// never will.
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

// stamp lets a thread read its clocks for an event, CPU before wall, and pay for
// it. It returns when the event gets its place in the buffer.
func (t *tracer) stamp(th *thread, e *trace.Event) time.Duration {
	tm := &t.timing
	begin := e.Wall + th.delay
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
	if t.log.Listening() {
		th.delay += tm.event
		th.extra += tm.event
		th.unheard++
	}
	return at
}
