package report

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// Call is a call of a method.
type Call struct {
	Thread trace.ThreadID
	Begin  time.Duration // wall time since the trace's beginning
	Took   time.Duration // duration in wall time
	CPU    time.Duration // CPU time of its thread during the call; 0 if the trace has none
	Parts  []Part        // self times of the methods during the call, the longest first

	// Wall times of its thread's last events before it begins and before it ends: samples,
	// in a sampled trace. Without an event before it, Before is [Never].
	Before, Seen time.Duration
}

// Never is the time of an event that does not exist.
const Never time.Duration = math.MinInt64

// Bounds returns the limits of the call's wall-time duration. period is the maximum time between
// samples: a call in n consecutive samples lasted from n−1 to n+1 periods. The limits use the
// thread's own events, which are at samples, and otherwise period.
func (c *Call) Bounds(period time.Duration) (low, high time.Duration) {
	end := c.Begin + c.Took
	begin := max(c.Before, c.Begin-period)
	return max(c.Seen, end-period, c.Begin) - c.Begin, end - begin
}

// Part is the self time of a method. It is wall time, or CPU time in the frames of a trace sampled
// by CPU time ([Frames]).
type Part struct {
	Method trace.MethodID
	Time   time.Duration
}

// partsOf returns parts for some methods, the longest first.
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

// CallCollector is a [trace.Writer] that finds the calls of one method, or the frames of the
// display. A call nested in another such call is part of the outer one. The events of each thread
// must be in time order; events of different threads need not be. Its memory is that of the calls
// that it keeps.
//
// A frame of the display is a call of Choreographer.doFrame, in which a thread of an Android app
// handles input, runs animations, lays out and draws (android/view/Choreographer.java). A frame
// that takes longer than the display shows one is late. A method trace does not contain the rest of
// the frame, on the render thread and in the compositor. A Perfetto trace can contain both, and
// deadlines: see [Frames]. In a trace of sections (android.os.Trace) the call is named
// "Choreographer#doFrame", followed by the number of the vsync from Android 12 on.
//
// In a sampled trace a call begins at the first sample that contains it and ends at the first that
// does not, so both times are known to within one sampling period ([Call.Bounds]). Two calls
// without a sample between them are merged, and calls between two samples are missing.
type CallCollector struct {
	Symbols  *trace.Symbols
	Method   trace.MethodID // method of the collected calls, unless Frames is set
	Frames   bool           // collect display frames
	Over     time.Duration  // calls that take longer are kept
	MaxCalls int            // maximum number of calls kept, the longest ones; 0: all

	Calls  int // number of calls that begin and end in the trace
	Longer int // number of these that take longer than Over
	Open   int // number of calls open at the end of the trace

	threads    []callThread
	longest    longest
	drawsFrame []bool // by method, for the methods met so far
}

// callThread is the state of a thread.
type callThread struct {
	stack trace.Stack[struct{}]
	depth int // stack depth below its current call; -1: not in such a call
	call  Call
	last  time.Duration // wall time of the last event; Never before the first
	seen  time.Duration // time of the last event with a time other than last
	parts map[trace.MethodID]time.Duration
}

// WriteEvents implements [trace.Writer]. It never fails.
func (c *CallCollector) WriteEvents(events []trace.Event) error {
	for i := range events {
		c.take(&events[i])
	}
	return nil
}

// take processes an event.
func (c *CallCollector) take(e *trace.Event) {
	for int(e.Thread) >= len(c.threads) {
		c.threads = append(c.threads, callThread{depth: -1, last: Never, seen: Never, parts: map[trace.MethodID]time.Duration{}})
	}
	t := &c.threads[e.Thread]
	if m, ok := t.stack.Innermost(); ok && t.depth >= 0 {
		t.parts[m] += e.Wall - t.last
	}
	if e.Wall != t.last { // all events of a sample have the same time
		t.seen, t.last = t.last, e.Wall
	}
	before := t.stack.Depth()
	t.stack.Apply(e, struct{}{})
	switch {
	case t.depth < 0 && e.Action == trace.Enter && c.matches(e.Method):
		t.depth = before
		t.call = Call{Thread: e.Thread, Begin: e.Wall, CPU: e.CPU, Before: t.seen}
		clear(t.parts)
	case t.depth >= 0 && t.stack.Depth() == t.depth:
		t.depth = -1
		t.call.Took, t.call.CPU, t.call.Seen = e.Wall-t.call.Begin, e.CPU-t.call.CPU, t.seen
		c.ended(t)
	}
}

// ended counts a call at its end, and keeps it if it is one of the longest.
func (c *CallCollector) ended(t *callThread) {
	c.Calls++
	if t.call.Took <= c.Over {
		return
	}
	c.Longer++
	if c.MaxCalls > 0 && len(c.longest) == c.MaxCalls {
		if t.call.Took <= c.longest[0].Took {
			return
		}
		heap.Pop(&c.longest)
	}
	call := t.call
	call.Parts = partsOf(t.parts)
	heap.Push(&c.longest, call)
}

// matches reports whether calls of a method are collected.
func (c *CallCollector) matches(id trace.MethodID) bool {
	if !c.Frames {
		return id == c.Method
	}
	for len(c.drawsFrame) <= int(id) {
		c.drawsFrame = append(c.drawsFrame, c.Symbols.Method(trace.MethodID(len(c.drawsFrame))).DrawsFrame())
	}
	return c.drawsFrame[id]
}

// Longest returns the kept calls, the longest first. All events must have been written.
func (c *CallCollector) Longest() []Call {
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

// longest is a heap of calls with the shortest at the root.
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
