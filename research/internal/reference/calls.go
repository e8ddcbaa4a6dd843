package reference

import (
	"slices"
	"time"

	"artifice/trace"
)

// Instrument is the cost of recording every call.
type Instrument struct {
	CPURead, WallRead time.Duration // from the begin of an event to the reading of each clock
	Event             time.Duration // the whole event
	Step              time.Duration // of the clocks
	Whole             time.Duration // of readings of the CPU clock; 0: exact
	Measured          time.Duration // CPU time that measuring the clocks takes from the first thread before tracing starts
	Before            time.Duration // wall time from the start time to the first event, for reads of the first thread
	NoCPU             bool          // record the wall clock only
	OneClock          bool          // waiting threads are suspended, too, and delayed by all time they have lost
}

// instrumented is the state of a traced thread.
type instrumented struct {
	lag
	zero time.Duration // the first reading of its CPU clock
	met  bool
	open int // frames on the stack when tracing starts that are not yet recorded
}

// Instrument records every event. Each takes time from its thread. While tracing starts, all
// threads are suspended except those that wait or run native code; these do not continue before the
// start is complete.
func (t *Truth) Instrument(c *Instrument) *Record {
	r := &Record{AllCalls: true, NoCPU: c.NoCPU, Tails: make([]Tail, len(t.Symbols.Threads))}
	threads := make([]instrumented, len(t.Symbols.Threads))
	for id := range threads {
		threads[id].oneClock = c.OneClock
	}
	if len(threads) > 0 {
		threads[0].spent = c.Measured + c.Before
	}
	started := r.start(t, c, threads)
	for id := range threads {
		th := &threads[id]
		if th.open = t.Symbols.Threads[id].Open; th.open > 0 && th.what.wait == nil || c.OneClock {
			th.wall = started
		}
	}
	for _, e := range t.Events {
		th := &threads[e.Thread]
		if th.open > 0 {
			th.open--
			continue
		}
		if len(th.stack) == 0 && th.app == 0 { // it has run, in no method
			th.what, th.wall = doing{}, max(th.wall, started)
		}
		th.wall = max(th.arrive(&e), started)
		r.take(c, th, e, th.wall, c.CPURead)
		th.spend(c.Event)
		th.goOn(t, &e)
	}
	for id := range threads {
		r.Delay = max(r.Delay, threads[id].ends(t))
	}
	r.Delay = max(r.Delay, started)
	r.Stop = t.Length + r.Delay
	r.endWithEvents(t)
	return r
}

// start records the enters of the methods on the stacks when tracing starts, one after the other
// while nothing else runs: the first thread records them, and the CPU clocks of the others do not
// advance. It returns how long that takes.
func (r *Record) start(t *Truth, c *Instrument, threads []instrumented) (took time.Duration) {
	took = c.Before
	for id := range threads {
		open := t.Symbols.Threads[id].Open
		for _, e := range t.Events {
			if int(e.Thread) != id || open == 0 {
				continue
			}
			open--
			read := time.Duration(0)
			if id == 0 {
				read = c.CPURead
			}
			r.take(c, &threads[id], e, took, read)
			threads[id].goOn(t, &e)
			took += c.Event
			threads[0].spent += c.Event
		}
	}
	return took
}

// take records an event that begins at a wall time; read is the time from there to the reading of
// the CPU clock.
func (r *Record) take(c *Instrument, th *instrumented, e trace.Event, begin, read time.Duration) {
	app, cpu := e.Wall, cut(cut(e.CPU+th.spent+read, c.Step), c.Whole)
	if !th.met {
		th.met, th.zero = true, cpu
	}
	e.Wall, e.CPU, e.Site = cut(begin+c.WallRead, c.Step), cpu-th.zero, 0
	if c.NoCPU {
		e.CPU = 0
	}
	r.Events = append(r.Events, Event{e, app})
	r.CPU += c.Event
}

// LongRunning records calls that take at least threshold, their callers, and those on the stack
// when tracing started. Native methods are not recorded. Each event of the truth takes some time
// from its thread; the record does not contain that time.
func (t *Truth) LongRunning(threshold, event time.Duration) *Record {
	r := &Record{AllCalls: true, NoCPU: true, Tails: make([]Tail, len(t.Symbols.Threads))}
	for id, thread := range t.Symbols.Threads {
		var kept []Event
		l := t.lagOf(trace.ThreadID(id))
		for _, e := range t.Events {
			if int(e.Thread) != id {
				continue
			}
			l.arrive(&e)
			if native := t.Symbols.Methods[e.Method].Flags&trace.Native != 0; !native {
				l.report(event)
			}
			l.goOn(t, &e)
			if t.Symbols.Methods[e.Method].Flags&trace.Native != 0 {
				continue
			}
			last := len(kept) - 1
			if e.Action != trace.Enter && last >= thread.Open && kept[last].Action == trace.Enter && e.Wall-kept[last].Wall < threshold {
				kept = kept[:last]
				continue
			}
			at := e.Wall
			e.CPU, e.Site, e.Action = 0, 0, min(e.Action, trace.Exit)
			kept = append(kept, Event{e, at})
		}
		r.Events = append(r.Events, kept...)
		r.Delay = max(r.Delay, l.ends(t))
		r.CPU += l.spent
	}
	r.endWithEvents(t)
	return r
}

// endWithEvents gives every thread with events the time between its first and its last event, and
// after that its remaining time in the truth.
func (r *Record) endWithEvents(t *Truth) {
	truth := t.Record()
	for id := range r.Tails {
		if !slices.ContainsFunc(r.Events, func(e Event) bool { return int(e.Thread) == id }) {
			continue
		}
		first, last := r.ends(trace.ThreadID(id))
		_, end := truth.ends(trace.ThreadID(id))
		r.Tails[id] = Tail{first.Wall, first.CPU, last.Wall + t.Length - end.Wall, last.CPU}
	}
}
