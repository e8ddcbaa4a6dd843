package instrument

import (
	"cmp"
	"errors"
	"io"
	"time"

	"artifice/art"
	"artifice/internal/eventlog"
	"artifice/internal/recorder"
	"artifice/trace"
)

// Clean returns a recorded trace of every call without its tracing overhead, given the cost of its
// own events (device.InstrumentedTiming.Cost). It inverts the rules by which [Record] delays
// threads. An event is moved earlier by the cost of its thread's events before it, but by no more
// than the gaps between them: an event after a gap shorter than the cost was recorded faster. Waits
// keep their duration; a wait ended by a clock ([recorder.RecordedWaits]) keeps its end and begins
// earlier. Frames on the stacks at the start are reported while the app is stopped.
//
// The file does not record some effects, and these remain: how other waits ended, whether a late
// frame would have been in time without tracing, waits for a lock or a core that a traced thread
// held, and the slowdown of managed code while calls are reported ([Cost].Code).
//
// Rec must be in time order, and the result is, too. The result has rec's symbols; each thread has
// CPU time if rec has it. Memory is bounded; events of threads with very different delays wait in a
// temporary file.
func Clean(rec *trace.Recording, cost Cost, rt *art.Runtime) (*Cleaned, error) {
	if t := rec.Info.Technique; t == trace.Sampled || t == trace.Truth || !rec.Info.Clock.HasWall() {
		return nil, errors.New("only a trace of every call with a wall clock contains event costs")
	}
	c := &cleaner{
		rec: rec, timing: cost.timing(rt, rec.Info.Clock), waits: recorder.NewRecordedWaits(rec),
		sorter: eventlog.NewLog("", eventlog.Memory), starting: true,
	}
	out := &Cleaned{Recording: *rec}
	out.Info.Technique, out.Info.ClockOverhead, out.Info.Events = trace.Instrumented, 0, -1
	out.Events = c
	c.out = out
	return out, nil
}

// Cleaned is a recording without its tracing overhead.
type Cleaned struct {
	trace.Recording

	// Removed is the overhead subtracted from the events read so far, by thread. Remains is the
	// part of the cost of these events that exceeds the gaps after them, and was not subtracted.
	// Both are CPU time if the trace has it, else wall time.
	Removed, Remains []time.Duration
}

// cleaner reads a trace and delivers it without tracing overhead.
type cleaner struct {
	rec      *trace.Recording
	out      *Cleaned
	timing   timing
	waits    *recorder.RecordedWaits
	now      []trace.Event // events to clean next
	ahead    []trace.Event // events that the waits have processed
	threads  []cleaned
	sorter   *eventlog.Log
	horizon  time.Duration  // no later event can be earlier than this time
	starting bool           // frames on the stacks are being reported
	offset   time.Duration  // wall time until which that lasts
	reported trace.ThreadID // last thread with reported frames
	err      error          // end of the trace or error
}

// cleaned is the overhead in one thread.
type cleaned struct {
	met     bool
	late    time.Duration                     // delay in wall time
	taken   time.Duration                     // overhead in CPU time
	open    struct{ wall, cpu time.Duration } // cost of events that is not subtracted yet: the next gap bounds it
	last    trace.Event                       // as recorded
	wall    time.Duration                     // of the last event, without overhead
	cpu     time.Duration
	waiting bool // the innermost frame on its stack at the start is a wait
}

// cleanWindow is the number of events that are read ahead.
const cleanWindow = 8192

// ReadEvents implements [trace.Reader].
func (c *cleaner) ReadEvents(p []trace.Event) (n int, err error) {
	for len(p) > 0 {
		for n < len(p) {
			first := c.sorter.Peek()
			if first == nil || first.At >= c.horizon && !c.done() {
				break
			}
			p[n] = first.Event
			c.sorter.Pop()
			n++
		}
		if err := c.sorter.Err(); err != nil {
			return 0, waiting(err)
		}
		switch {
		case n > 0:
			return n, nil
		case c.done():
			c.sorter.Close()
			return 0, trace.ReadOnce(&c.err)
		}
		c.advance()
	}
	return 0, nil
}

// done reports whether all events have been cleaned.
func (c *cleaner) done() bool { return c.err != nil && len(c.ahead) == 0 }

// advance cleans a window of events and reads the next one.
func (c *cleaner) advance() {
	c.now, c.ahead = c.ahead, c.now[:0]
	for c.err == nil && len(c.ahead) < cleanWindow {
		from := len(c.ahead)
		c.ahead = append(c.ahead, make([]trace.Event, cleanWindow-from)...)
		n, err := c.rec.Events.ReadEvents(c.ahead[from:])
		if c.ahead = c.ahead[:from+n]; n == 0 {
			c.err = cmp.Or(err, io.ErrNoProgress)
		}
	}
	c.waits.Learn(c.ahead)
	for i := range c.now {
		c.clean(&c.now[i])
	}
	latest := c.offset
	for i := range c.threads {
		latest = max(latest, c.threads[i].late+c.threads[i].open.wall)
	}
	if n := len(c.now); n > 0 {
		c.horizon = c.now[n-1].Wall - c.timing.wallRead - latest
	}
	if c.now = c.now[:0]; c.err == io.EOF && c.done() {
		c.out.Info.Elapsed = max(c.rec.Info.Elapsed-latest, c.lastOf())
	}
}

// lastOf returns the time of the last event.
func (c *cleaner) lastOf() (last time.Duration) {
	for i := range c.threads {
		last = max(last, c.threads[i].wall)
	}
	return last
}

// clean subtracts its thread's overhead from an event's times.
func (c *cleaner) clean(e *trace.Event) {
	for int(e.Thread) >= len(c.threads) {
		c.threads = append(c.threads, cleaned{})
	}
	th := &c.threads[e.Thread]
	if c.starting && c.wasOpen(th, e) {
		return
	}
	begin := e.Wall - c.timing.wallRead
	if th.met {
		c.settle(th, e)
		th.late = c.lateAfterWait(th, e)
	}
	th.wall, th.cpu = max(th.wall, begin-th.late), max(th.cpu, e.CPU-th.taken)
	c.put(th, e, th.wall)
	th.open.wall += c.timing.event
	th.open.cpu += c.timing.event
}

// settle adds the cost of the thread's last event, at most the gap before event e, to its overhead.
// A clock with a coarse resolution (a step) makes some gaps too short by up to a step, and the
// following ones too long. Up to a step of the cost is therefore carried over to the next gap.
func (c *cleaner) settle(th *cleaned, e *trace.Event) {
	removed, lost := c.subtract(&th.open.wall, e.Wall-th.last.Wall)
	th.late += removed
	if c.rec.Info.Clock.HasCPU() {
		removed, lost = c.subtract(&th.open.cpu, e.CPU-th.last.CPU)
		th.taken += removed
	}
	for int(e.Thread) >= len(c.out.Removed) {
		c.out.Removed, c.out.Remains = append(c.out.Removed, 0), append(c.out.Remains, 0)
	}
	c.out.Removed[e.Thread] += removed
	c.out.Remains[e.Thread] += lost
}

// subtract subtracts the part of an open cost that fits into a gap, and returns that part as
// removed. It returns as lost what exceeds the gap by more than a step of the clock.
func (c *cleaner) subtract(open *time.Duration, gap time.Duration) (removed, lost time.Duration) {
	removed = min(*open, max(0, gap))
	lost = max(0, *open-removed-max(c.timing.step, c.timing.tick, time.Microsecond))
	*open -= removed + lost
	return removed, lost
}

// put queues an event for its place in the order.
func (c *cleaner) put(th *cleaned, e *trace.Event, at time.Duration) {
	th.met, th.last = true, *e
	clean := *e
	clean.Wall = at
	if clean.CPU = 0; c.rec.Info.Clock.HasCPU() {
		clean.CPU = th.cpu
	}
	c.sorter.Push(clean, at)
}

// lateAfterWait returns the delay of a thread at an event. The delay is 0 if a clock ended the
// thread's wait.
func (c *cleaner) lateAfterWait(th *cleaned, e *trace.Event) time.Duration {
	for int(e.Method) >= len(c.rec.Symbols.Methods) {
		return th.late
	}
	ran := time.Duration(0)
	if m := c.rec.Symbols.Method(th.last.Method); c.rec.Info.Clock.HasCPU() {
		ran = e.CPU - th.last.CPU
	} else if th.last.Action != trace.Enter || !m.Waits() {
		return th.late
	}
	waited := e.Wall - th.last.Wall - ran
	if waited < recorder.MinWait {
		return th.late
	}
	if c.waits.Classify(recorder.WakeEvent{Thread: e.Thread, Method: e.Method, Action: e.Action}, e.Wall-waited, e.Wall).Absorbs() {
		return 0
	}
	return th.late
}

// wasOpen reports whether e is the enter of a frame that was on a stack when the trace began, and
// processes it if so. These enters come before all other events, thread by thread, at a distance of
// one event's cost. The first thread reports them all, so only it uses CPU time meanwhile. All
// other running threads are delayed by the duration of the report.
func (c *cleaner) wasOpen(th *cleaned, e *trace.Event) bool {
	begin := e.Wall - c.timing.wallRead
	slack := 2*max(c.timing.step, c.timing.tick) + 1
	first := e.Thread == 0
	// the measurement of the clocks before the first event
	if c.offset == 0 && !c.threads[0].met && begin < time.Millisecond {
		c.offset = max(0, begin)
	}
	if e.Action == trace.Enter && (begin-c.offset).Abs() <= slack && e.Thread >= c.reported && (first || e.CPU <= th.last.CPU) {
		c.reported = e.Thread
		starter := &c.threads[0]
		c.put(th, e, 0)
		th.waiting = int(e.Method) < len(c.rec.Symbols.Methods) && c.rec.Symbols.Method(e.Method).Waits()
		c.offset += c.timing.event
		starter.taken += c.timing.event
		return true
	}
	c.starting = false
	for i := range c.threads {
		th := &c.threads[i]
		if th.met && i > 0 {
			th.taken = c.timing.cpuRead // the first thread has read its zero
		}
		if th.met && !th.waiting {
			th.late = c.offset
		}
	}
	return false
}
