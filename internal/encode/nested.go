package encode

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// Nested makes events nest for timeline viewers. These require an end for every begin, and events
// of each thread in the order of time and nesting:
//
//   - An exit from a method other than the innermost ends the innermost call, see
//     [trace.EffectOf]; an unwind is an exit.
//   - An exit with no frame open is dropped: the beginning of its call is unknown.
//   - An event earlier than its predecessor on the thread is moved to the predecessor's time.
//   - A frame open at the end is closed according to [calltree.EndPolicy].
type Nested struct {
	Rec   *trace.Recording
	Until calltree.EndPolicy
	To    Timeline

	ForPerfetto bool // Perfetto reads the format: Notes mentions calls that are too deep for it

	Threads  []nestedThread
	detector stats.Detector
	mended   trace.Event // passed on in place of an event of the recording that does not nest
	stats    calltree.Stats
	deepest  int // most frames of a thread that were open at once
}

// Timeline receives nested events. Types that embed [Nested] need not define BeginThread.
type Timeline interface {
	// BeginThread is called before the first event of a thread.
	BeginThread(trace.ThreadID) error
	// Event is called for every event. Its action is Enter or Exit. Event must not change or retain
	// it.
	Event(*trace.Event) error
}

// BeginThread implements [Timeline] for formats without a record of a thread's first event.
func (n *Nested) BeginThread(trace.ThreadID) error { return nil }

// nestedThread is the state of a thread with events.
type nestedThread struct {
	seen      bool
	stack     trace.Stack[struct{}]
	Wall, Cpu time.Duration // of the last event
}

// WriteEvents implements [trace.Writer]. It fails if [Timeline] does, or if the recording lacks a
// symbol of an event.
func (n *Nested) WriteEvents(events []trace.Event) error {
	n.detector.Observe(&n.Rec.Info, events)
	for i := range events {
		if err := n.add(&events[i]); err != nil {
			return err
		}
	}
	n.stats.Events += int64(len(events))
	return nil
}

func (n *Nested) add(e *trace.Event) error {
	t, err := n.thread(e)
	if err != nil {
		return err
	}
	if e.Wall < t.Wall || e.CPU < t.Cpu {
		n.stats.StepsBack++
		n.mended = *e
		e = &n.mended
		e.Wall, e.CPU = max(e.Wall, t.Wall), max(e.CPU, t.Cpu)
	}
	t.Wall, t.Cpu = e.Wall, e.CPU
	n.stats.Last = max(n.stats.Last, e.Wall)
	closed, effect := t.stack.Apply(e, struct{}{})
	n.deepest = max(n.deepest, t.stack.Depth())
	switch effect {
	case trace.Orphan:
		n.stats.Orphans++
		return nil
	case trace.Mismatch:
		n.stats.Mismatches++
	}
	if effect.Closes() && (e.Method != closed.Method || e.Action != trace.Exit) {
		n.mended = *e
		e = &n.mended
		e.Method, e.Action = closed.Method, trace.Exit
	}
	return n.To.Event(e)
}

// thread returns the thread of an event, and checks its symbols.
func (n *Nested) thread(e *trace.Event) (*nestedThread, error) {
	if int(e.Method) >= len(n.Rec.Symbols.Methods) {
		return nil, UnknownMethod(e.Method, n.Rec.Symbols)
	}
	if int(e.Thread) >= len(n.Threads) {
		if int(e.Thread) >= len(n.Rec.Symbols.Threads) {
			return nil, UnknownThread(e.Thread, n.Rec.Symbols)
		}
		n.Threads = append(n.Threads, make([]nestedThread, len(n.Rec.Symbols.Threads)-len(n.Threads))...)
	}
	t := &n.Threads[e.Thread]
	if !t.seen {
		t.seen, t.Wall, t.Cpu = true, e.Wall, e.CPU
		return t, n.To.BeginThread(e.Thread)
	}
	return t, nil
}

// Finish closes the frames that are open.
func (n *Nested) Finish() error {
	lives := trace.NewLifetimes(n.Rec, n.detector.Technique(&n.Rec.Info), n.stats.Last)
	for id := range n.Threads {
		t := &n.Threads[id]
		end := trace.Event{Thread: trace.ThreadID(id), Action: trace.Exit, Wall: t.Wall, CPU: t.Cpu}
		if t.stack.Depth() > 0 {
			if n.Rec.Info.Clock.HasWall() {
				end.Wall, _ = n.Until.End(lives, trace.ThreadID(id), t.Wall)
			}
			n.stats.OpenFrames += int64(t.stack.Depth())
			t.Wall = end.Wall
		}
		for {
			method, ok := t.stack.Innermost()
			if !ok {
				break
			}
			end.Method = method
			t.stack.Apply(&end, struct{}{})
			if err := n.To.Event(&end); err != nil {
				return err
			}
		}
	}
	return nil
}

// Notes describes how the timeline differs from the recording.
func (n *Nested) Notes() []string {
	notes := n.stats.Notes(calltree.Handling{
		Orphans:    "is ignored",
		StepsBack:  "is written at the time of the previous one",
		OpenFrames: "ends at " + n.Until.At(&n.Rec.Info),
	})
	if n.ForPerfetto {
		notes = append(notes, PerfettoNotes(n.deepest)...)
	}
	return notes
}
