package instrument

import (
	"slices"
	"time"

	"artifice/art"
	"artifice/internal/recorder"
	"artifice/trace"
)

// startCPU is the CPU time that a thread has used before any of its events can be traced
// (attaching, native start-up). ART takes a reading of 0 for "no zero yet"; no real thread has that
// reading.
const startCPU = 100 * time.Microsecond

// thread is the tracing state of one thread.
type thread struct {
	recorder.Delay
	wall time.Duration // time of its latest event, in the truth
	base time.Duration // reading of its CPU clock that counts as 0; 0: none yet

	met    bool          // its zero is from an earlier trace
	open   int           // frames on its stack at the start that have not been delivered
	frames []trace.Event // the delivered frames
	// all frames, each with whether its exit is hidden; used while a frame without a reported exit
	// is open
	stack trace.Stack[bool]
	due   bool // its end is known and pending
	paid  payments

	calls   int // open calls that began during a recorded trace, if hidesOrphans
	proxies int // open calls of proxies' methods that began during the trace

	pace pace // used if [Cost.Code] is above 0
}

// cpu returns a reading of the thread's CPU clock (Trace::ReadClocks): trueCPU is its CPU time in
// the truth, more the CPU time added by tracing.
func (t *thread) cpu(tm *timing, trueCPU, more time.Duration) time.Duration {
	reading := tm.quantise(tm.birth + trueCPU + t.Taken + more)
	if tm.whole > 1 {
		reading -= reading % tm.whole
	}
	if t.base == 0 && t.met {
		t.base = min(art.FirstReading, reading)
	}
	if t.base == 0 {
		t.base = reading
		return 0
	}
	return reading - t.base
}

// setState sets what a thread does after an event.
func (t *tracer) setState(th *thread, e *trace.Event) {
	if !t.cfg.OneClock {
		th.SetState(t.truth, e, e.Wall)
	}
}

// hides reports whether e is the end of a frame that is not reported. From 14 on, an exception
// reports each frame that it unwinds (ProcessMethodUnwindCallbacks), whether or not it was reported
// before.
func (t *tracer) hides(th *thread, e *trace.Event) bool {
	closed, _ := th.stack.Apply(e, false)
	return closed.Value && !(t.rt.HidesCompiled && e.Action == trace.Unwind)
}

// hidesOrphan reports whether e is the exit of a call of compiled code that began before a recorded
// trace. It is called for all events.
func (t *tracer) hidesOrphan(th *thread, e *trace.Event) bool {
	switch {
	case e.Action == trace.Enter:
		th.calls++
	case th.calls > 0:
		th.calls--
	default:
		return e.Action == trace.Exit && t.truth.Symbols.Methods[e.Method].Flags&(trace.Native|trace.Proxy) == 0
	}
	return false
}

// scheduleStart sets nextStart to the start of the first thread not attached yet. Threads are in
// the order of their starts.
func (t *tracer) scheduleStart() {
	t.nextStart = never
	if t.attached < len(t.threads) && !t.starting {
		t.nextStart = t.truth.Symbols.Threads[t.attached].Start
	}
}

// startUntil attaches the threads that start up to a time of the truth.
func (t *tracer) startUntil(until time.Duration) {
	for ; t.attached < len(t.threads); t.attached++ {
		start := t.truth.Symbols.Threads[t.attached].Start
		if start > until {
			break
		}
		id := trace.ThreadID(t.attached)
		begins := t.begins(id, start)
		t.threads[id].Late = begins - start
		t.place(trace.Event{Thread: id, Action: attach}, begins)
	}
	t.scheduleStart()
}

// begins returns the wall time at which a thread starts: after the start of the trace, and after
// the end of the thread that had its tid before.
func (t *tracer) begins(id trace.ThreadID, start time.Duration) time.Duration {
	if t.cfg.OneClock {
		return start + t.offset
	}
	start = max(start, t.offset)
	tid := t.truth.Symbols.Threads[id].TID
	if before, ok := t.withTID[tid]; ok {
		start = max(start, t.threads[before].End(t.endOf(before)))
	}
	t.withTID[tid] = id
	return start
}

// endOf returns when a thread ends, or 0 if it outlives the trace or its end is not known yet. In a
// recorded trace the end is unknown, because a thread without further events may still be alive.
func (t *tracer) endOf(id trace.ThreadID) time.Duration {
	if t.truth.Info.Technique != trace.Truth {
		return 0
	}
	return t.truth.Symbols.Threads[id].End
}

// scheduleEnd adds the end of a thread once the truth states it.
func (t *tracer) scheduleEnd(id trace.ThreadID) {
	at := t.endOf(id)
	if at == 0 {
		return
	}
	t.threads[id].due = true
	i, _ := slices.BinarySearchFunc(t.ends, at, func(other trace.ThreadID, at time.Duration) int {
		// In descending order, so that the next end is the last element.
		if t.truth.Symbols.Threads[other].End > at {
			return -1
		}
		return 1
	})
	t.ends = slices.Insert(t.ends, i, id)
}

// endUntil ends the threads with an end before a time of the truth.
func (t *tracer) endUntil(now time.Duration) {
	for n := len(t.ends); n > 0; n = len(t.ends) {
		id := t.ends[n-1]
		at := t.truth.Symbols.Threads[id].End
		if at >= now {
			return
		}
		t.ends = t.ends[:n-1]
		t.place(trace.Event{Thread: id, Action: end}, t.threads[id].End(at))
	}
}

// pace is the state for the slowdown of a thread's code while its calls are traced.
type pace struct {
	code      trace.Stack[bool] // for each of its frames, whether it is running managed code
	wall, cpu time.Duration     // in the truth, at its latest event
}

// slow delays a thread by the additional time of its managed code since its last event
// ([Cost.Code]).
func (t *tracer) slow(th *thread, e *trace.Event) {
	longer := t.slower(th, e)
	th.Take(longer)
	th.paid.late += longer
	t.setPace(th, e)
}

// slower returns the additional time of a thread's managed code since its last event. Waits and
// native code are not slowed. If the truth has CPU times, a thread has run for the CPU time it
// used; otherwise it has run while in methods that do not wait.
func (t *tracer) slower(th *thread, e *trace.Event) time.Duration {
	p := &th.pace
	ran := e.Wall - p.wall
	if t.truth.Info.Clock.HasCPU() {
		ran = e.CPU - p.cpu
	}
	if code := p.code.Values(); len(code) > 0 && code[len(code)-1] && ran > 0 && t.log.Active() {
		return time.Duration(float64(ran) * float64(t.timing.code) / float64(time.Microsecond))
	}
	return 0
}

// setPace sets the pace of a thread after an event.
func (t *tracer) setPace(th *thread, e *trace.Event) {
	p := &th.pace
	p.wall, p.cpu = e.Wall, max(p.cpu, e.CPU)
	m := &t.truth.Symbols.Methods[e.Method]
	p.code.Apply(e, m.Flags&trace.Native == 0 && !m.Waits())
}
