package instrument

import (
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// calling is the state of one thread in the report of calls.
type calling struct {
	recorder.Delay
	wall, cpu time.Duration // of its last event, in the truth
	frames    []reportedCall
	enters    int64 // number of enters put into the sorter
	unwound   bool  // its last event left a call by an exception
	begun     int   // frames of its stack at the start that have been entered
	lost      bits  // enters that are not in the record

	// For the second reading, which numbers enters again:
	from  int64  // entries that the ring has dropped
	place int64  // entries so far
	enter int64  // enters so far
	open  []bool // by frame: whether its enter was kept
}

// reportedCall is an open call of the truth.
type reportedCall struct {
	method   trace.MethodID
	reported bool  // its enter has been put into the sorter
	enter    int64 // number of its enter
	begin    time.Duration
}

// Take implements [recorder.Tracer]: it reports one event of the truth.
func (t *callTracer) Take(e *trace.Event) error {
	for i := len(t.sees); i < len(t.truth.Symbols.Methods); i++ {
		m := t.truth.Symbols.Method(trace.MethodID(i))
		t.sees = append(t.sees, m.Flags&trace.RuntimeInternal == 0 && (t.cfg.Sees == nil || t.cfg.Sees(m)))
	}
	for len(t.threads) < len(t.truth.Symbols.Threads) {
		t.threads = append(t.threads, calling{})
	}
	if err := t.order.CheckNames(e); err != nil {
		return err
	}
	th := &t.threads[e.Thread]
	wall, err := t.order.At(e, th.wall)
	if err != nil {
		return err
	}
	th.wall, th.cpu = wall, max(th.cpu, e.CPU)
	th.Arrive(wall)
	th.Match(&t.handoffs, t.truth, e, wall)
	th.SetState(t.truth, e, wall)
	atStart := e.Action == trace.Enter && th.begun < t.truth.Symbols.Threads[e.Thread].Open
	if atStart { // the call began before the truth, so its enter cost nothing
		th.begun++
	}
	switch {
	case !t.sees[e.Method] || t.cfg.MainOnly && e.Thread != 0:
	case t.cfg.Exceptions == ExceptionsRepaired:
		t.mark(th, e, atStart)
	default:
		t.report(th, e, atStart)
	}
	th.unwound = e.Action == trace.Unwind
	return nil
}

// report emulates the code at the start or the end of a method. atStart marks a frame from before
// the truth.
func (t *callTracer) report(th *calling, e *trace.Event, atStart bool) {
	if e.Action == trace.Enter {
		call := reportedCall{method: e.Method, begin: th.wall + th.Late}
		if call.reported = t.cfg.AtExit || t.admit(); call.reported {
			call.enter = th.enters
			th.enters++
			t.put(th, e.Thread, e.Method, trace.Enter)
		}
		th.frames = append(th.frames, call)
		if !atStart {
			th.Take(t.cfg.Enter)
		}
		return
	}
	top := len(th.frames) - 1
	if top < 0 {
		return // the enter came before the trace
	}
	call := &th.frames[top]
	passed := e.Action == trace.Unwind && th.unwound && t.cfg.Exceptions != ExceptionsExit
	switch {
	case passed:
		t.lose(th, call)
	case t.cfg.AtExit && (th.wall+th.Late == call.begin || !t.admit()):
		t.lose(th, call)
	}
	if passed {
		t.put(th, e.Thread, call.method, trace.Unwind)
		th.frames = th.frames[:top]
		return
	}
	t.close(th, e, top)
	th.Take(t.cfg.Exit)
}

// lose removes a call from the record.
func (t *callTracer) lose(th *calling, call *reportedCall) {
	if call.reported {
		th.lost.set(call.enter)
	}
}

// close ends a call.
func (t *callTracer) close(th *calling, e *trace.Event, top int) {
	if call := &th.frames[top]; call.reported && (t.cfg.AtExit || t.admit()) {
		t.put(th, e.Thread, call.method, trace.Exit)
	}
	th.frames = th.frames[:top]
}

// admit counts an entry and reports whether the buffer has room for it.
func (t *callTracer) admit() bool {
	t.entries++
	if t.cfg.MaxEntries == 0 || t.entries <= t.cfg.MaxEntries {
		return true
	}
	t.dropped++
	return false
}

// put queues an event until its place in time order is known. An unwind represents an exit that
// takes no entry of the buffer.
func (t *callTracer) put(th *calling, id trace.ThreadID, m trace.MethodID, action trace.Action) {
	e := trace.Event{Wall: th.wall + th.Late, Method: m, Thread: id, Action: action}
	at := e.Wall
	if t.cfg.Updated > 0 {
		e.Wall = t.clock.read(e.Wall, t.cfg.Updated, action, t.truth.Symbols.Method(m))
	}
	if t.cfg.CPU {
		e.CPU = th.cpu + th.Taken
	}
	t.reader.Put(e, at, th.wall)
}

// Keeps implements [recorder.Tracer].
func (t *callTracer) Keeps(e *trace.Event) bool {
	return t.cfg.Exceptions == ExceptionsRepaired || t.threads[e.Thread].keeps(e)
}

// keeps reports whether an event of a thread is in the record. It must be called for all events in
// order.
func (th *calling) keeps(e *trace.Event) bool {
	if e.Action != trace.Unwind {
		th.place++
	}
	if e.Action == trace.Enter {
		kept := !th.lost.has(th.enter) && th.place > th.from
		th.enter++
		th.open = append(th.open, kept)
		return kept
	}
	e.Action = trace.Exit
	last := len(th.open) - 1
	kept := th.open[last]
	th.open = th.open[:last]
	return kept
}

// bits is a set of numbers.
type bits []uint64

func (b *bits) set(n int64) {
	for int64(len(*b)) <= n/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

func (b bits) has(n int64) bool { return n/64 < int64(len(b)) && b[n/64]>>(n%64)&1 == 1 }

// updatedClock is the clock of Matrix (AppMethodBeat.sCurrentDiffTime): a counter of whole
// milliseconds. A separate thread updates it, so reading it costs nothing. It is updated when the
// main thread begins to dispatch a message, then at a fixed interval, and when the message has been
// handled. Between messages it does not advance. If no message is dispatched, it is updated all the
// time.
type updatedClock struct {
	begun bool          // a message has been dispatched
	since time.Duration // begin of the message being dispatched
	shown time.Duration // the clock's reading between messages
	busy  bool          // a message is being dispatched
}

// read returns the clock's reading at a time at which a method is entered or left.
func (c *updatedClock) read(at, step time.Duration, action trace.Action, m *trace.Method) time.Duration {
	if m.Name == "dispatchMessage" && m.DottedClass() == "android.os.Handler" {
		c.begun, c.busy, c.since = true, action == trace.Enter, at
		c.shown = at.Truncate(time.Millisecond)
		return c.shown
	}
	if c.busy || !c.begun {
		c.shown = (at - (at-c.since)%step).Truncate(time.Millisecond)
	}
	return c.shown
}
