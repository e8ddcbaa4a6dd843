package report

import (
	"cmp"
	"slices"
	"time"

	"artifice/trace"
)

// Frame is a display frame of the trace, with the activity of the app's main thread during the
// frame.
type Frame struct {
	trace.DisplayFrame
	Thread trace.ThreadID
	CPU    time.Duration // CPU time of the thread during the frame; 0 if the trace has none
	Parts  []Part        // self times of the methods during the frame, the longest first
}

// Frames is a [trace.Writer] that finds the methods that the main threads of apps executed during
// display frames. Frames can overlap: the app begins the next one while the GPU draws. The events
// of each thread have to be in time order.
//
// CPU time is distributed evenly between two events of a thread. In a trace sampled by CPU time, a
// sample belongs to the frame in which it was taken, with all of its CPU time, because the thread
// can wait between two samples and the trace does not state when.
type Frames struct {
	symbols *trace.Symbols
	ofCPU   bool
	frames  []Frame
	parts   []map[trace.MethodID]time.Duration // by frame: self times of methods
	// by process: indexes of its frames, in the order of their begins
	byPID   map[uint32][]int
	threads []frameThread
}

// frameThread is the state of a thread.
type frameThread struct {
	begun     bool
	stack     trace.Stack[struct{}]
	wall, cpu time.Duration // of the last event
	coming    []int         // frames that have not begun yet
	open      []int         // frames that have begun and not ended
}

// NewFrames returns a writer of rec's events for some of its frames.
func NewFrames(rec *trace.Recording, frames []trace.DisplayFrame) *Frames {
	f := &Frames{symbols: rec.Symbols, ofCPU: rec.Info.OfCPU, byPID: map[uint32][]int{}}
	for i, frame := range frames {
		f.frames = append(f.frames, Frame{DisplayFrame: frame})
		f.parts = append(f.parts, map[trace.MethodID]time.Duration{})
		f.byPID[frame.PID] = append(f.byPID[frame.PID], i)
	}
	for _, of := range f.byPID {
		slices.SortStableFunc(of, func(a, b int) int { return cmp.Compare(frames[a].Begin, frames[b].Begin) })
	}
	return f
}

// WriteEvents implements [trace.Writer]. It never fails.
func (f *Frames) WriteEvents(events []trace.Event) error {
	for i := range events {
		f.take(&events[i])
	}
	return nil
}

// take processes an event.
func (f *Frames) take(e *trace.Event) {
	for int(e.Thread) >= len(f.threads) {
		f.threads = append(f.threads, frameThread{})
	}
	t := &f.threads[e.Thread]
	if !t.begun {
		t.begun, t.wall, t.cpu = true, e.Wall, e.CPU
		t.coming = f.byPID[f.symbols.Thread(e.Thread).TID]
		for _, i := range t.coming {
			f.frames[i].Thread = e.Thread
		}
	}
	if e.Wall > t.wall {
		f.pass(t, e)
		t.wall, t.cpu = e.Wall, e.CPU
	}
	t.stack.Apply(e, struct{}{})
}

// pass distributes the time up to an event over the frames that contain it.
func (f *Frames) pass(t *frameThread, e *trace.Event) {
	for len(t.coming) > 0 && f.frames[t.coming[0]].Begin < e.Wall {
		t.open, t.coming = append(t.open, t.coming[0]), t.coming[1:]
	}
	method, inside := t.stack.Innermost()
	for _, i := range t.open {
		frame := &f.frames[i]
		wall := max(0, min(frame.End, e.Wall)-max(frame.Begin, t.wall))
		cpu := time.Duration(float64(e.CPU-t.cpu) * float64(wall) / float64(e.Wall-t.wall))
		if f.ofCPU {
			if cpu = 0; frame.Begin <= t.wall && t.wall < frame.End {
				cpu = e.CPU - t.cpu
			}
			wall = cpu
		}
		frame.CPU += cpu
		if inside {
			f.parts[i][method] += wall
		}
	}
	t.open = slices.DeleteFunc(t.open, func(i int) bool { return f.frames[i].End <= e.Wall })
}

// All returns the frames in the order given to [NewFrames]. All events must have been written.
func (f *Frames) All() []Frame {
	for i := range f.frames {
		f.frames[i].Parts = partsOf(f.parts[i])
	}
	return f.frames
}
