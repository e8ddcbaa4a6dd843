package instrument

import (
	"time"

	"artifice/art"
	"artifice/trace"
)

// takeOpen processes an event at time 0 while the frames on the stacks are still being delivered,
// and reports whether it did. After the last of these frames the trace starts.
func (t *tracer) takeOpen(e *trace.Event) bool {
	th := &t.threads[e.Thread]
	switch {
	case t.openLeft == 0 || e.Wall > 0:
		t.begin()
		held := t.held
		t.held = nil
		t.takeAll(held)
		return false
	case th.open > 0 && e.Action == trace.Enter:
		th.open--
		t.openLeft--
		if t.timing.code > 0 {
			t.slow(th, e)
		}
		t.setState(th, e)
		th.frames = append(th.frames, *e)
	default:
		t.held = append(t.held, *e)
	}
	return true
}

// begin starts the trace while the world is stopped: the clock's cost is measured, all existing
// threads are listed, and the frames on their stacks are reported
// (ReportMethodEntryForOnStackMethods), threads in list order and each stack outermost frame first.
//
// The thread that starts the trace, assumed to be the first, reads the clocks: its CPU time
// advances, that of other threads does not. A waiting thread continues to wait.
func (t *tracer) begin() {
	t.starting = false
	measured := art.ClockReads*t.cfg.Cost.Overhead(t.cfg.Clock) + time.Duration(t.rt.MeasureReads)*t.cfg.Cost.CPURead
	// without a file, the clocks are exact and begin as in the truth
	if t.timing.whole > 0 && len(t.threads) > 0 {
		t.offset = time.Duration(t.rt.StartReads) * t.cfg.Cost.WallRead
		t.threads[0].Taken = measured + t.offset
	}
	if t.rt.ZeroFirst {
		t.offset = measured
	}
	for i := range t.threads {
		if t.truth.Symbols.Threads[i].Start > 0 {
			break
		}
		t.log.Attach(trace.ThreadID(i))
		t.threads[i].met = t.cfg.Again
		t.withTID[t.truth.Symbols.Threads[i].TID] = trace.ThreadID(i)
		t.attached = i + 1
	}
	t.scheduleStart()
	t.flushReady()
	t.log.Starting(true)
	for i := range t.threads[:t.attached] {
		for _, e := range t.frames(i) {
			t.report(i, e)
		}
	}
	t.flushReady() // the log keeps its first error, which release returns
	t.log.Starting(false)
	for i := range t.threads[:t.attached] {
		th := &t.threads[i]
		switch {
		case t.live: // the app is suspended
		case t.cfg.OneClock:
			th.Late = t.offset
		default:
			th.Hold(t.offset)
		}
		th.paid.late = th.Late
	}
}

// report writes the enter of a frame on the stack.
func (t *tracer) report(i int, e trace.Event) {
	tm, starter := &t.timing, &t.threads[0]
	if t.cfg.Clock.HasCPU() {
		var read time.Duration
		if i == 0 {
			read = tm.cpuRead
		}
		e.CPU = t.threads[i].cpu(tm, e.CPU, read)
	} else {
		e.CPU = 0
	}
	e.Wall = 0
	if t.cfg.Clock.HasWall() {
		e.Wall = tm.quantise(t.offset + tm.wallRead)
	}
	t.last = t.offset + tm.wallRead
	t.offset += tm.event
	starter.Taken += tm.event
	t.ready = append(t.ready, e)
}

// frames returns the frames of a thread that are reported at the start, and marks the frames for
// which no exit is reported either. These are inlined frames, which the walk does not visit, and
// non-native frames if compiled ones are hidden. Frames hidden by [art.Runtime].HidesInterpreted do
// have a reported exit, and so do those of proxies, which the walk of 14 and later skips.
func (t *tracer) frames(i int) (reported []trace.Event) {
	th := &t.threads[i]
	frames := th.frames
	th.frames = nil
	if !t.rt.OpenFrames {
		return nil
	}
	hidden := false
	older := t.olderThanCompiled(frames)
	for i, e := range frames {
		if t.treat[e.Method] == skip {
			continue
		}
		flags := t.truth.Symbols.Method(e.Method).Flags
		hides := flags&trace.Inlined != 0 || t.cfg.NotDebuggable && t.rt.HidesCompiled && flags&(trace.Native|trace.Proxy) == 0
		hidden = hidden || hides
		th.stack.Apply(&e, hides)
		if t.rt.HidesCompiled && flags&trace.Proxy != 0 {
			continue
		}
		if !hides && (!t.cfg.NotDebuggable || t.rt.HidesCompiled) && (i < older || !t.rt.HidesInterpreted) {
			reported = append(reported, e)
		}
	}
	if !hidden {
		th.stack = trace.Stack[bool]{}
	}
	return reported
}

// olderThanCompiled returns the number of frames up to the youngest one with a return address.
// Interpreted frames have none. The runtime's own code that a thread executes has none either,
// because it gets a frame only if compiled code calls it. Code that calls back into the app is a
// stub with a return address.
func (t *tracer) olderThanCompiled(frames []trace.Event) int {
	n := len(frames)
	for _, none := range []trace.MethodFlags{trace.RuntimeInternal, trace.Interpreted} {
		for n > 0 && t.truth.Symbols.Method(frames[n-1].Method).Flags&none != 0 {
			n--
		}
	}
	return n
}

// end reports the remaining events when the truth has been read.
func (t *tracer) end() {
	t.ended = true
	if t.starting {
		t.begin()
		t.takeAll(t.held)
		t.held = nil
	}
	t.startUntil(max(t.truth.Info.Elapsed, t.now))
	t.endUntil(never)
	t.horizon = never
}

// stopTime returns when the app calls stop: at the truth's elapsed time plus the largest delay of a
// thread, and not before any event.
func (t *tracer) stopTime() time.Duration {
	stop, elapsed := t.offset, max(t.truth.Info.Elapsed, t.now)
	for i := range t.threads {
		th := &t.threads[i]
		ended := t.endOf(trace.ThreadID(i))
		if ended == 0 {
			ended = elapsed
		}
		th.Late = th.paid.end()
		if t.live { // the live app's end is the stop
			th.Late = 0
		}
		stop = max(stop, th.End(ended))
	}
	return max(stop, t.last)
}
