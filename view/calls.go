package view

import (
	"cmp"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// call is one call of a thread. Times are since the start of the trace; those of
// an absent clock are 0.
type call struct {
	Start, Duration time.Duration // on the main clock: wall time if the trace has it, else CPU time
	// with a dual clock: thread CPU time at the start, and that used until the end
	CPUStart, CPU time.Duration
	Method        trace.MethodID
	// number of the thread's open calls at its start; 0: called from the top level
	Depth int32
}

// span is an interval of time.
type span struct{ Start, Duration time.Duration }

// thread contains the calls of one thread.
type thread struct {
	id trace.ThreadID

	// gaps are the intervals of wall time in which the thread did not run. They lie between two
	// events for which the differences of wall and CPU time differ by more than [gap].
	gaps []span

	// late are the intervals of wall time spent on display frames after their deadlines. The frames
	// are those in the trace, or calls of Choreographer.doFrame longer than [trace.DisplayPeriod].
	late []span

	ticks   []time.Duration  // times of the samples with a change, if known
	steps   stepList         // begins and ends of its calls
	open    []trace.MethodID // methods of the open calls
	orphans []trace.MethodID // methods of calls with only an exit, in the order of their exits
	// number of calls that began before the trace and have only an exit; they are the first ones
	before      int
	first, last stamp // stamps of its events
	extended    bool  // some calls are open at the end, and end after the last event
}

// threadList contains threads by id; nil if nothing was recorded for a thread. A trace can list far
// more threads than have events.
type threadList []*thread

// get returns a thread, and creates it if necessary.
func (l *threadList) get(id trace.ThreadID, now stamp) *thread {
	if n := int(id) + 1 - len(*l); n > 0 {
		*l = append(*l, make([]*thread, n)...)
	}
	t := (*l)[id]
	if t == nil {
		t = &thread{id: id, first: now, last: now}
		(*l)[id] = t
	}
	return t
}

// has reports whether something was recorded for a thread.
func (l threadList) has(id trace.ThreadID) bool { return int(id) < len(l) && l[id] != nil }

// seen returns the threads for which something was recorded.
func (l threadList) seen() []*thread {
	return slices.DeleteFunc(slices.Clone(l), func(t *thread) bool { return t == nil })
}

// gap is the minimum difference of the wall time and the CPU time between two events of a thread
// for which the thread counts as not running in between. Traceview draws a context switch from 100
// µs on.
const gap = 100 * time.Microsecond

// collector builds threads from events. It is a [trace.Writer].
type collector struct {
	clock   trace.Clock
	threads threadList
	stats   calltree.Stats

	calls int           // number of calls of all threads
	most  int           // maximum of calls; 0: unlimited
	short time.Duration // shorter calls are merged; 0: none are
}

// WriteEvents implements [trace.Writer]. It never fails.
func (c *collector) WriteEvents(events []trace.Event) error {
	for i := range events {
		c.add(&events[i])
	}
	c.stats.Events += int64(len(events))
	return nil
}

func (c *collector) add(e *trace.Event) {
	now := stamp{Main: e.Time(c.clock)}
	if c.clock == trace.Dual {
		now.CPU = e.CPU
	}
	t := c.threads.get(e.Thread, now)
	if now.Main < t.last.Main || now.CPU < t.last.CPU {
		c.stats.StepsBack++
		now.Main, now.CPU = max(now.Main, t.last.Main), max(now.CPU, t.last.CPU)
	}
	if c.clock == trace.Dual {
		t.rest(now)
	}
	t.last = now
	c.stats.Last = max(c.stats.Last, now.Main)
	innermost := trace.MethodID(0)
	if n := len(t.open); n > 0 {
		innermost = t.open[n-1]
	}
	switch trace.EffectOf(e, len(t.open), innermost) {
	case trace.Pushed:
		t.enter(now, e.Method)
		if c.calls++; c.most > 0 && c.calls > c.most {
			c.fold()
		}
		return
	case trace.Orphan:
		c.stats.Orphans++
		t.orphans = append(t.orphans, e.Method)
		t.steps.shut(now)
		return
	case trace.Mismatch:
		c.stats.Mismatches++
	}
	t.shut(now)
}

// enter adds the begin of a call.
func (t *thread) enter(now stamp, m trace.MethodID) {
	t.open = append(t.open, m)
	t.steps.begin(now, m)
}

// shut ends the innermost open call.
func (t *thread) shut(now stamp) {
	t.open = t.open[:len(t.open)-1]
	t.steps.shut(now)
}

// rest adds the gap between the last event and now, if there is one. The gap is in the middle, with
// half of the CPU time on each side, as drawn by Traceview.
func (t *thread) rest(now stamp) {
	wall, cpu := now.Main-t.last.Main, now.CPU-t.last.CPU
	if wall-cpu > gap {
		t.gaps = append(t.gaps, span{t.last.Main + cpu/2, wall - cpu})
	}
}

// finish ends the open calls of each thread at the time end, and adds the calls that were open when
// the trace began.
func (c *collector) finish(end func(*thread) time.Duration) {
	for _, t := range c.threads.seen() {
		end := stamp{Main: max(end(t), t.last.Main), CPU: t.last.CPU}
		c.stats.OpenFrames += int64(len(t.open))
		if t.extended = len(t.open) > 0 && end.Main > t.last.Main; t.extended && c.clock == trace.Dual {
			t.rest(end)
		}
		for len(t.open) > 0 {
			t.shut(end)
		}
		t.enclose()
	}
}

// enclose adds the calls that have only an exit. They enclose the thread's earlier calls; the one
// with the last exit is the outermost.
func (t *thread) enclose() {
	if len(t.orphans) == 0 {
		return
	}
	var whole stepList
	for _, m := range slices.Backward(t.orphans) {
		whole.begin(t.first, m)
	}
	for c := t.steps.all(); c.next(); {
		whole.put(&c.step)
	}
	t.steps, t.before, t.orphans = whole, len(t.orphans), nil
}

// len returns the number of calls.
func (t *thread) len() int { return t.steps.begins }

// Calls returns the calls by start, callers before callees. The result takes ten times the memory
// of the thread's own form.
func (t *thread) Calls() []call {
	calls, open := make([]call, 0, t.len()), []int{}
	for c := t.steps.all(); c.next(); {
		if !c.End {
			open = append(open, len(calls))
			calls = append(calls, call{Start: c.Main, CPUStart: c.CPU, Method: c.Method, Depth: int32(c.Depth)})
			continue
		}
		call := &calls[open[c.Depth]]
		call.Duration, call.CPU = c.Main-call.Start, c.CPU-call.CPUStart
		open = open[:c.Depth]
	}
	return calls
}

// notes describes how the page differs from the recording; until is the end of open frames.
func (c *collector) notes(until string) []string {
	return c.stats.Notes(calltree.Handling{
		Orphans:    "is drawn from its thread's first event",
		StepsBack:  "is drawn at the time of the previous one",
		OpenFrames: "is drawn until " + until,
	})
}

// late finds the late parts of the main threads' frames. A sampled trace does not contain them: two
// calls of doFrame without a sample between them are one.
func (r *Recording) late(frames []trace.DisplayFrame) {
	if !r.info.Clock.HasWall() {
		return
	}
	of := map[uint32][]span{}
	for i := range frames {
		f := &frames[i]
		if by, ok := f.Late(); ok && by > 0 {
			of[f.PID] = append(of[f.PID], span{f.Deadline, by})
		}
	}
	for i := range r.threads {
		t := r.threads[i]
		if len(frames) > 0 {
			t.late = joined(of[r.Symbols.Thread(t.id).TID])
		} else if r.technique() != trace.Sampled {
			t.late = t.lateCalls(r.Symbols)
		}
	}
}

// lateCalls returns the intervals by which calls of Choreographer.doFrame exceed the display's
// period.
func (t *thread) lateCalls(symbols *trace.Symbols) (late []span) {
	draws := false
	for i := range symbols.Methods {
		draws = draws || symbols.Methods[i].DrawsFrame()
	}
	if !draws {
		return nil
	}
	depth, begin := -1, time.Duration(0) // depth and begin of the open call
	for c := t.steps.all(); c.next(); {
		switch {
		case !c.End && depth < 0 && symbols.Method(c.Method).DrawsFrame():
			depth, begin = c.Depth, c.Main
		case c.End && c.Depth == depth:
			depth = -1
			if over := c.Main - begin - trace.DisplayPeriod; over > 0 {
				late = append(late, span{c.Main - over, over})
			}
		}
	}
	return late
}

// joined returns spans in order, with overlapping ones merged.
func joined(all []span) (joined []span) {
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.Start, b.Start) })
	for _, s := range all {
		if n := len(joined); n > 0 && s.Start <= joined[n-1].Start+joined[n-1].Duration {
			last := &joined[n-1]
			last.Duration = max(last.Duration, s.Start+s.Duration-last.Start)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}
