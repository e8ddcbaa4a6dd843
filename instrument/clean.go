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

// Clean returns a recorded trace of every call without what recording it has taken: the rules by which
// [Record] makes threads late, run backwards. An event comes earlier by what its thread's events before it have taken, waits last
// as long as they did, and one that a clock has ended ([recorder.RecordedWaits]) ends when it did, and begins earlier. Frames that
// were on the stacks are reported while the app stands still.
//
// What remains is what the file does not tell: by what other waits have ended, whether a frame that came too late was in
// time untraced, what waited for a lock, or a core, that a traced thread had, and that managed code is slower while calls are
// reported ([Cost].Code).
//
// Rec is in the order of time, and so is what is returned, which has its symbols; each thread has CPU time if rec has it.
// Memory is bounded; events of threads that are far apart wait in a temporary file.
func Clean(rec *trace.Recording, cost Cost, rt *art.Runtime) (*trace.Recording, error) {
	if t := rec.Info.Technique; t == trace.Sampled || t == trace.Truth || !rec.Info.Clock.HasWall() {
		return nil, errors.New("only a trace of every call with a wall clock has in it what each took")
	}
	c := &cleaner{
		rec: rec, timing: cost.timing(rt, rec.Info.Clock), waits: recorder.NewRecordedWaits(rec),
		sorter: eventlog.NewLog("", eventlog.Memory), starting: true,
	}
	out := *rec
	out.Info.ClockOverhead, out.Info.Events = 0, -1
	out.Events = c
	c.out = &out
	return &out, nil
}

// cleaner reads a trace and delivers it without its tracer.
type cleaner struct {
	rec, out *trace.Recording
	timing   timing
	waits    *recorder.RecordedWaits
	now      []trace.Event // that are cleaned next
	ahead    []trace.Event // of which the waits have learned
	threads  []cleaned
	sorter   *eventlog.Log
	horizon  time.Duration  // nothing that is still to come happens before
	starting bool           // frames on the stacks are being reported
	offset   time.Duration  // by the wall clock, until when that lasts
	reported trace.ThreadID // the last thread of which that was
	err      error          // what ended the trace
}

// cleaned is what recording has made of one thread.
type cleaned struct {
	met     bool
	late    time.Duration // by the wall clock
	taken   time.Duration // of its CPU time
	last    trace.Event   // as recorded
	wall    time.Duration // of the last one, without the tracer
	cpu     time.Duration
	waiting bool // in its innermost frame of those that were on its stack
}

// cleanWindow is how many events are read ahead.
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
			return 0, c.err
		}
		c.advance()
	}
	return 0, nil
}

// done reports whether all has been cleaned.
func (c *cleaner) done() bool { return c.err != nil && len(c.ahead) == 0 }

// advance cleans a window, and reads another one.
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
		latest = max(latest, c.threads[i].late)
	}
	if n := len(c.now); n > 0 {
		c.horizon = c.now[n-1].Wall - c.timing.wallRead - latest
	}
	if c.now = c.now[:0]; c.err == io.EOF && c.done() {
		c.out.Info.Elapsed = max(c.rec.Info.Elapsed-latest, c.lastOf())
	}
}

// lastOf returns when the last event happens.
func (c *cleaner) lastOf() (last time.Duration) {
	for i := range c.threads {
		last = max(last, c.threads[i].wall)
	}
	return last
}

// clean takes what its thread has lost out of an event's times.
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
		th.late = c.lateAfterWait(th, e)
	}
	th.wall, th.cpu = max(th.wall, begin-th.late), max(th.cpu, e.CPU-th.taken)
	c.put(th, e, th.wall)
	th.late += c.timing.event
	th.taken += c.timing.event
}

// put lets an event wait for its place.
func (c *cleaner) put(th *cleaned, e *trace.Event, at time.Duration) {
	th.met, th.last = true, *e
	clean := *e
	clean.Wall = at
	if clean.CPU = 0; c.rec.Info.Clock.HasCPU() {
		clean.CPU = th.cpu
	}
	c.sorter.Push(clean, at)
}

// lateAfterWait returns how late a thread is at an event: on time, if a clock has ended its wait.
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

// wasOpen takes the enter of a frame that was on a stack when the trace began, and reports whether e is
// one: they come one right after the other, by the cost of an event, thread by thread, before anything else, and only the thread that reports
// them all, the first, uses CPU time meanwhile. Then all other threads that run are as late as that takes.
func (c *cleaner) wasOpen(th *cleaned, e *trace.Event) bool {
	begin := e.Wall - c.timing.wallRead
	slack := 2*max(c.timing.step, c.timing.tick) + 1
	first := e.Thread == 0
	if c.offset == 0 && !c.threads[0].met && begin < time.Millisecond { // what was measured before the first
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
			th.taken = c.timing.cpuRead // its zero was read by the first thread
		}
		if th.met && !th.waiting {
			th.late = c.offset
		}
	}
	return false
}
