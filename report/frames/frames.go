// Package frames finds the frames of the display in a trace: calls of Choreographer.doFrame, in which
// an Android app's thread handles input, runs animations, lays out and draws one frame, from the
// vsync on (android/view/Choreographer.java). One that takes longer than the display shows a frame is
// late: the next one begins where it should be over already, and the display shows the one before again.
//
// In a trace of sections (android.os.Trace) the call is called "Choreographer#doFrame", with the number
// of the vsync behind it from Android 12 on. A sampled trace knows the begin and the end of a frame to
// one period, and takes two that follow each other for one where no sample lies between them.
//
// What happens to a frame elsewhere, on the thread that renders and in the compositor, is not in such a trace.
package frames

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
	"time"

	"artifice/trace"
)

// Frame is one frame.
type Frame struct {
	Thread trace.ThreadID
	Begin  time.Duration // wall time since the trace's beginning
	Took   time.Duration // wall time
	CPU    time.Duration // of its thread in it; 0 in a trace without
	Parts  []Part        // what its thread did, the longest first
}

// Part is the time in which a method was innermost.
type Part struct {
	Method trace.MethodID
	Wall   time.Duration
}

// Collector is a [trace.Writer] that finds the frames of a trace. Of each thread the events have to come in the order
// of time; the threads' need not. Its memory is that of the frames that it keeps.
type Collector struct {
	Symbols *trace.Symbols
	Budget  time.Duration // a frame that takes longer is late
	Most    int           // frames that are kept, those that took longest; 0: all that are late

	Frames int // those that begin and end in the trace
	Late   int
	Open   int // those that go on when the trace ends

	threads []thread
	longest longest
	display []bool // by method: whether it is a frame
}

// thread is what is known of a thread.
type thread struct {
	stack trace.Stack[struct{}]
	depth int // of the stack in front of the frame that it is in; -1: in none
	frame Frame
	last  trace.Event
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
		c.threads = append(c.threads, thread{depth: -1, parts: map[trace.MethodID]time.Duration{}})
	}
	t := &c.threads[e.Thread]
	if m, ok := t.stack.Innermost(); ok && t.depth >= 0 {
		t.parts[m] += e.Wall - t.last.Wall
	}
	t.last = *e
	before := t.stack.Depth()
	t.stack.Apply(e, struct{}{})
	switch {
	case t.depth < 0 && e.Action == trace.Enter && c.isFrame(e.Method):
		t.depth = before
		t.frame = Frame{Thread: e.Thread, Begin: e.Wall, CPU: e.CPU}
		clear(t.parts)
	case t.depth >= 0 && t.stack.Depth() == t.depth:
		t.depth = -1
		t.frame.Took, t.frame.CPU = e.Wall-t.frame.Begin, e.CPU-t.frame.CPU
		c.ended(t)
	}
}

// ended counts a frame, and keeps it if it is one of the longest.
func (c *Collector) ended(t *thread) {
	c.Frames++
	if t.frame.Took <= c.Budget {
		return
	}
	c.Late++
	if c.Most > 0 && len(c.longest) == c.Most {
		if t.frame.Took <= c.longest[0].Took {
			return
		}
		heap.Pop(&c.longest)
	}
	frame := t.frame
	for m, wall := range t.parts {
		if wall > 0 {
			frame.Parts = append(frame.Parts, Part{m, wall})
		}
	}
	slices.SortFunc(frame.Parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Wall, a.Wall), cmp.Compare(a.Method, b.Method))
	})
	heap.Push(&c.longest, frame)
}

// isFrame reports whether a call of a method is a frame.
func (c *Collector) isFrame(id trace.MethodID) bool {
	for len(c.display) <= int(id) {
		c.display = append(c.display, isFrame(c.Symbols.Method(trace.MethodID(len(c.display)))))
	}
	return c.display[id]
}

func isFrame(m *trace.Method) bool {
	if m.Name == "doFrame" {
		return m.Class == "android.view.Choreographer" || m.Class == "android/view/Choreographer"
	}
	section := m.Class == "" && strings.HasPrefix(m.Name, "Choreographer#doFrame")
	return section && (len(m.Name) == len("Choreographer#doFrame") || m.Name[len("Choreographer#doFrame")] == ' ')
}

// Longest returns the frames that are kept, the longest first, once all events are written.
func (c *Collector) Longest() []Frame {
	c.Open = 0
	for i := range c.threads {
		if c.threads[i].depth >= 0 {
			c.Open++
		}
	}
	frames := slices.Clone(c.longest)
	slices.SortFunc(frames, func(a, b Frame) int {
		return cmp.Or(cmp.Compare(b.Took, a.Took), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Thread, b.Thread))
	})
	return frames
}

// longest is a heap of frames whose root took the least time.
type longest []Frame

func (l longest) Len() int           { return len(l) }
func (l longest) Less(i, j int) bool { return l[i].Took < l[j].Took }
func (l longest) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *longest) Push(x any)        { *l = append(*l, x.(Frame)) }
func (l *longest) Pop() any {
	last := len(*l) - 1
	frame := (*l)[last]
	*l = (*l)[:last]
	return frame
}
