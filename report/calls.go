// Package calls finds single calls in a trace: those of one method, the longest first, or the
// frames of the display, which are calls of Choreographer.doFrame. In it an Android app's
// thread handles input, runs animations, lays out and draws one frame, from the vsync on
// (android/view/Choreographer.java). One that takes longer than the display shows a frame is
// late: the next one begins where it should be over already, and the display shows the one before
// again. What happens to a frame elsewhere, on the thread that renders and in the compositor, is
// not in such a trace. A Perfetto trace can tell both, and when a frame had to be ready: [Frames].
//
// In a trace of sections (android.os.Trace) the call is called "Choreographer#doFrame", with the
// number of the vsync behind it from Android 12 on.
//
// A sampled trace has a call that begins at the first sample that saw it, and ends at the first
// that saw it no more. So its begin lies between that sample and the one before, and so does its
// end: [Call.Bounds]. Two calls that follow each other are one where no sample lies between
// them, and calls that fell between two samples are not there.
package report

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// Call is one call.
type Call struct {
	Thread trace.ThreadID
	Begin  time.Duration // wall time since the trace's beginning
	Took   time.Duration // wall time
	CPU    time.Duration // of its thread in it; 0 in a trace without
	Parts  []Part        // what its thread did, the longest first

	// Wall times of its thread's last events before it begins and before it ends: samples,
	// in a sampled trace. Without an event before it, Before is [Never].
	Before, Seen time.Duration
}

// Never stands for the time of an event that there is not.
const Never time.Duration = math.MinInt64

// Bounds returns between what the call took, wall time, in a trace that was sampled at most period
// apart. The thread's own events tell where samples were; period bounds what they do not.
func (c *Call) Bounds(period time.Duration) (low, high time.Duration) {
	end := c.Begin + c.Took
	begin := max(c.Before, c.Begin-period)
	return max(c.Seen, end-period, c.Begin) - c.Begin, end - begin
}

// Part is the time in which a method was innermost: wall time, and CPU time in the frames of a trace that was sampled
// by it ([Frames]).
type Part struct {
	Method trace.MethodID
	Time   time.Duration
}

// partsOf returns the parts of some methods, the longest first.
func partsOf(times map[trace.MethodID]time.Duration) (parts []Part) {
	for m, t := range times {
		if t > 0 {
			parts = append(parts, Part{m, t})
		}
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Method, b.Method))
	})
	return parts
}

// Collector is a [trace.Writer] that finds the calls of a trace that are meant. One within
// another is part of that. Of each thread the events have to come in the order of time; the
// threads' need not. Its memory is that of the calls that it keeps.
type Collector struct {
	Symbols *trace.Symbols
	Meant   func(trace.MethodID, *trace.Method) bool // whether calls of a method are meant
	Over    time.Duration                            // calls that take longer are kept
	Most    int                                      // how many are kept, those that took longest; 0: all

	Calls  int // those that begin and end in the trace
	Longer int // those of them that take longer than Over
	Open   int // those that go on when the trace ends

	threads []thread
	longest longest
	meant   []bool // by method
}

// thread is what is known of a thread.
type thread struct {
	stack trace.Stack[struct{}]
	depth int // of the stack in front of the call that it is in; -1: in none
	call  Call
	last  time.Duration // wall time of the last event; Never before the first
	seen  time.Duration // the last event of another time than last's
	parts map[trace.MethodID]time.Duration
}

// WriteEvents implements [trace.Writer]. It never fails.
func (c *Collector) WriteEvents(events []trace.Event) error {
	for i := range events {
		c.take(&events[i])
	}
	return nil
}

// take takes in an event.
func (c *Collector) take(e *trace.Event) {
	for int(e.Thread) >= len(c.threads) {
		c.threads = append(c.threads, thread{depth: -1, last: Never, seen: Never, parts: map[trace.MethodID]time.Duration{}})
	}
	t := &c.threads[e.Thread]
	if m, ok := t.stack.Innermost(); ok && t.depth >= 0 {
		t.parts[m] += e.Wall - t.last
	}
	if e.Wall != t.last { // a sample gives all its events one time
		t.seen, t.last = t.last, e.Wall
	}
	before := t.stack.Depth()
	t.stack.Apply(e, struct{}{})
	switch {
	case t.depth < 0 && e.Action == trace.Enter && c.isMeant(e.Method):
		t.depth = before
		t.call = Call{Thread: e.Thread, Begin: e.Wall, CPU: e.CPU, Before: t.seen}
		clear(t.parts)
	case t.depth >= 0 && t.stack.Depth() == t.depth:
		t.depth = -1
		t.call.Took, t.call.CPU, t.call.Seen = e.Wall-t.call.Begin, e.CPU-t.call.CPU, t.seen
		c.ended(t)
	}
}

// ended counts a call, and keeps it if it is one of the longest.
func (c *Collector) ended(t *thread) {
	c.Calls++
	if t.call.Took <= c.Over {
		return
	}
	c.Longer++
	if c.Most > 0 && len(c.longest) == c.Most {
		if t.call.Took <= c.longest[0].Took {
			return
		}
		heap.Pop(&c.longest)
	}
	call := t.call
	call.Parts = partsOf(t.parts)
	heap.Push(&c.longest, call)
}

// isMeant reports whether calls of a method are meant.
func (c *Collector) isMeant(id trace.MethodID) bool {
	for len(c.meant) <= int(id) {
		next := trace.MethodID(len(c.meant))
		c.meant = append(c.meant, c.Meant(next, c.Symbols.Method(next)))
	}
	return c.meant[id]
}

// IsFrame reports whether a call of a method is a frame of the display.
func IsFrame(_ trace.MethodID, m *trace.Method) bool { return m.DrawsFrame() }

// Longest returns the calls that are kept, the longest first, once all events are written.
func (c *Collector) Longest() []Call {
	c.Open = 0
	for i := range c.threads {
		if c.threads[i].depth >= 0 {
			c.Open++
		}
	}
	all := slices.Clone(c.longest)
	slices.SortFunc(all, func(a, b Call) int {
		return cmp.Or(cmp.Compare(b.Took, a.Took), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Thread, b.Thread))
	})
	return all
}

// longest is a heap of calls whose root took the least time.
type longest []Call

func (l longest) Len() int           { return len(l) }
func (l longest) Less(i, j int) bool { return l[i].Took < l[j].Took }
func (l longest) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *longest) Push(x any)        { *l = append(*l, x.(Call)) }
func (l *longest) Pop() any {
	last := len(*l) - 1
	call := (*l)[last]
	*l = (*l)[:last]
	return call
}
