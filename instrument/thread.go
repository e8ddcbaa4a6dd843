package instrument

import (
	"slices"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// startCPU is CPU time that a thread has used before anything of it can be
// traced (attaching, native start-up). ART takes a reading of 0 for "no zero
// yet"; no real thread gets there.
const startCPU = 100 * time.Microsecond

// firstMet is what the CPU clock of a thread shows when the earlier trace of [Config.Again]
// meets it: as little as can be a zero.
const firstMet = time.Microsecond

// thread is what tracing has done to one thread.
type thread struct {
	recorder.Delay
	wall time.Duration // of the truth: when its latest event was
	base time.Duration // reading of its CPU clock that counts as 0; 0: none yet

	met    bool              // by an earlier trace, from which it still has its zero
	open   int               // frames on its stack at the start that have not been delivered
	frames []trace.Event     // those that have
	stack  trace.Stack[bool] // where the exits of some of these are not reported: all frames while one is open, with whether it is such
	due    bool              // its end is known and waited for
	paid   payments

	pace pace // where [Cost.Code] is above 0
}

// cpu returns a reading of the thread's CPU clock when the truth's stands at
// true and tracing has added more to it: Trace::ReadClocks.
func (t *thread) cpu(tm *timing, trueCPU, more time.Duration) time.Duration {
	reading := tm.quantise(tm.birth + trueCPU + t.Taken + more)
	if t.base == 0 && t.met {
		t.base = min(firstMet, reading)
	}
	if t.base == 0 {
		t.base = reading
		return 0
	}
	return reading - t.base
}

// goesOn notes what a thread does after an event.
func (t *tracer) goesOn(th *thread, e *trace.Event) {
	if !t.cfg.OneClock {
		th.GoesOn(t.truth, e, e.Wall)
	}
}

// hides reports whether e is the exit of a frame that is not reported.
func (t *thread) hides(e *trace.Event) bool {
	closed, _ := t.stack.Apply(e, false)
	return closed.Value
}

// scheduleStart sets nextStart to the start of the first thread that has not
// been attached. Threads are in the order of their start.
func (t *tracer) scheduleStart() {
	t.nextStart = never
	if t.attached < len(t.threads) && !t.starting {
		t.nextStart = t.truth.Symbols.Threads[t.attached].Start
	}
}

// startUntil attaches the threads that start up to a true time.
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

// begins returns when a thread starts, by the wall clock: not while the trace starts, nor while the
// thread lives that had its tid before.
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

// endOf returns when a thread ends, or 0 when it outlives the trace or its end
// is not known yet. Of a recorded trace it is not known at all: that a thread
// had no more events does not mean that it was gone.
func (t *tracer) endOf(id trace.ThreadID) time.Duration {
	if t.truth.Info.Technique != trace.Truth {
		return 0
	}
	return t.truth.Symbols.Threads[id].End
}

// scheduleEnd notes the end of a thread once the truth tells it.
func (t *tracer) scheduleEnd(id trace.ThreadID) {
	at := t.endOf(id)
	if at == 0 {
		return
	}
	t.threads[id].due = true
	i, _ := slices.BinarySearchFunc(t.ends, at, func(other trace.ThreadID, at time.Duration) int {
		// Later ones first, so that the next is the last.
		if t.truth.Symbols.Threads[other].End > at {
			return -1
		}
		return 1
	})
	t.ends = slices.Insert(t.ends, i, id)
}

// endUntil ends the threads whose end is before a true time.
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

// pace is how fast a thread's code runs while its calls are traced.
type pace struct {
	code      trace.Stack[bool] // its frames, with whether they are managed code that runs
	wall, cpu time.Duration     // of the truth: at its latest event
}

// slow makes a thread later by what its managed code has taken longer since its last event
// ([Cost.Code]).
func (t *tracer) slow(th *thread, e *trace.Event) {
	longer := t.slower(th, e)
	th.Take(longer)
	th.paid.late += longer
	t.goesOnAt(th, e)
}

// slower returns by how much longer a thread's managed code has taken since its last event. Waits and
// native code take as long as ever: with CPU times in the truth, a thread
// has run for as long as it used the CPU, and without, in methods that do not wait.
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

// goesOnAt notes how fast a thread goes on after an event.
func (t *tracer) goesOnAt(th *thread, e *trace.Event) {
	p := &th.pace
	p.wall, p.cpu = e.Wall, max(p.cpu, e.CPU)
	m := &t.truth.Symbols.Methods[e.Method]
	p.code.Apply(e, m.Flags&trace.Native == 0 && !m.Waits())
}
