package bench

import (
	"fmt"
	"math"
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
	"artifice/trace"
)

// keptLine is for long-running-methods tracing, which tells of a call long after
// it began: the truth in between is gone by then. So what an event will do to the
// time line is worked out when its tracer puts it into a buffer ([instrument.BufferObserver]),
// and counts once the event is recorded.
//
// That is possible because the sums that a [course] keeps of each path turn a time
// line into differences: how long a reported stack was the true one is the path's
// time as the innermost state when the thread leaves that stack less what it was
// when it came there; how long a frame was on both stacks the same of its time on
// the stack. An event that is taken back takes its differences with it, and it is
// as if the thread had stayed where it was.
type keptLine struct {
	course  *course
	threads []keptThread
	line    metric.Timeline
}

// keptThread is the buffer of a thread, as the observer sees it, and what was
// flushed and is not recorded yet.
type keptThread struct {
	entries  []keptEntry
	recorded int      // entries, from the first on, that count already
	reported paths.ID // the stack that the events recorded so far leave
}

// keptEntry is an event in a buffer.
type keptEntry struct {
	event trace.Event
	path  paths.ID        // the reported stack behind it
	line  metric.Timeline // what it adds
}

func newKeptLine(c *course) *keptLine { return &keptLine{course: c} }

// ReadEvents implements [trace.Reader]. The tracer has seen to the end what it
// read before.
func (k *keptLine) ReadEvents(p []trace.Event) (int, error) {
	k.course.advance(math.MaxInt64)
	return k.course.ReadEvents(p)
}

// Put implements [instrument.BufferObserver].
func (k *keptLine) Put(e *trace.Event) {
	c := k.course
	c.advance(e.Wall)
	life, t := c.thread(e.Thread, e.Wall), k.thread(e.Thread)
	from := t.path()
	to := from
	var line metric.Timeline
	if !hidden(c.symbols, e) {
		var effect trace.Effect
		switch to, effect = c.table.Apply(from, e); {
		case effect == trace.Pushed:
			line.Reported, line.Common = -e.Wall, -c.on(to, e.Wall)
		case effect.Closes():
			line.Reported, line.Common = e.Wall, c.on(from, e.Wall)
		}
	}
	if to != from {
		line.Equal = c.self(life, from, e.Wall) - c.self(life, to, e.Wall)
	}
	t.entries = append(t.entries, keptEntry{*e, to, line})
}

// TakeBack implements [instrument.BufferObserver].
func (k *keptLine) TakeBack(id trace.ThreadID) {
	t := k.thread(id)
	t.entries = t.entries[:len(t.entries)-1]
}

// path returns the reported stack if all that is in the buffer is recorded.
func (t *keptThread) path() paths.ID {
	if n := len(t.entries); n > t.recorded {
		return t.entries[n-1].path
	}
	return t.reported
}

// WriteEvents implements [trace.Writer]. It fails when an event is recorded that
// was not next in its thread's buffer.
func (k *keptLine) WriteEvents(events []trace.Event) error {
	for i := range events {
		t := k.thread(events[i].Thread)
		if t.recorded == len(t.entries) || t.entries[t.recorded].event != events[i] {
			return fmt.Errorf("recorded is %+v, which was not next in its thread's buffer", events[i])
		}
		e := &t.entries[t.recorded]
		t.reported = e.path
		k.line.Equal += e.line.Equal
		k.line.Reported += e.line.Reported
		k.line.Common += e.line.Common
		if t.recorded++; 2*t.recorded >= len(t.entries) {
			t.entries = t.entries[:copy(t.entries, t.entries[t.recorded:])]
			t.recorded = 0
		}
	}
	return nil
}

// finish adds what was reported last of each thread, and the truth's own times.
// What a buffer still holds was lost.
func (k *keptLine) finish() metric.Timeline {
	c := k.course
	for id := range c.threads {
		life := &c.threads[id]
		if !life.began() {
			continue
		}
		p := k.thread(trace.ThreadID(id)).reported
		if int(p) < len(c.nodes) {
			k.line.Equal += c.nodes[p].self
		}
		k.line.Reported += time.Duration(c.table.Depth(p)) * life.last
		for ; !c.table.IsRoot(p); p = c.table.Parent(p) {
			if int(p) < len(c.nodes) {
				k.line.Common += c.nodes[p].on
			}
		}
	}
	k.line.Thread, k.line.True = c.lived()
	return k.line
}

func (k *keptLine) thread(id trace.ThreadID) *keptThread {
	for int(id) >= len(k.threads) {
		k.threads = append(k.threads, keptThread{reported: k.course.table.Root(trace.ThreadID(len(k.threads)))})
	}
	return &k.threads[id]
}
