package score

import (
	"fmt"
	"math"

	"artifice/calltree"
	"artifice/trace"
)

// KeptTimeline is for long-running-methods tracing, which tells of a call long
// after it began, when the state has moved on. So what an event does to the
// timeline is worked out when the tracer puts it into a buffer
// ([instrument.BufferObserver]), and counts once the event is recorded. An event that is
// taken back takes its part with it, as if the stack had not changed.
type KeptTimeline struct {
	stacks  stackComparison // reported is what was recorded
	threads []keptThread
}

// keptThread is the buffer of a thread, as the observer sees it, and what was
// flushed and is not recorded yet.
type keptThread struct {
	entries  []keptEntry
	recorded int // entries, from the first on, that count already
}

// keptEntry is an event in a buffer.
type keptEntry struct {
	event   trace.Event
	context calltree.Node // the reported stack after it
	line    Timeline      // what it adds
}

// NewKeptTimeline returns the timeline of a tracer that is to read the truth
// through it and has it as its observer.
func NewKeptTimeline(state *TrueState) *KeptTimeline {
	return &KeptTimeline{stacks: stackComparison{state: state}}
}

// ReadEvents implements [trace.Reader]. The tracer has seen to the end what it
// read before.
func (k *KeptTimeline) ReadEvents(p []trace.Event) (int, error) {
	k.stacks.state.advance(math.MaxInt64)
	return k.stacks.state.ReadEvents(p)
}

// Put implements [instrument.BufferObserver].
func (k *KeptTimeline) Put(e *trace.Event) {
	s := k.stacks.state
	if s.leavesOut(e.Thread) {
		return
	}
	s.advance(e.Wall)
	state, t := s.thread(e.Thread, e.Wall), k.thread(e.Thread)
	from := k.context(e.Thread)
	added := keptEntry{event: *e, context: from}
	if !s.symbols.IsRuntime(e.Method) {
		to, effect := s.contexts.Apply(from, e)
		switch {
		case effect == trace.Pushed:
			s.exchange(&added.line, state, from, to, from, e.Wall)
		case effect.Closes():
			s.exchange(&added.line, state, from, to, to, e.Wall)
		}
		added.context = to
	}
	t.entries = append(t.entries, added)
}

// TakeBack implements [instrument.BufferObserver].
func (k *KeptTimeline) TakeBack(id trace.ThreadID) {
	if k.stacks.state.leavesOut(id) {
		return
	}
	t := k.thread(id)
	t.entries = t.entries[:len(t.entries)-1]
}

// context returns the reported stack if all that is in the buffer is recorded.
func (k *KeptTimeline) context(id trace.ThreadID) calltree.Node {
	if t := k.thread(id); len(t.entries) > t.recorded {
		return t.entries[len(t.entries)-1].context
	}
	return k.stacks.thread(id).context
}

// WriteEvents implements [trace.Writer]. It fails when an event is recorded that
// was not next in its thread's buffer.
func (k *KeptTimeline) WriteEvents(events []trace.Event) error {
	for i := range events {
		if k.stacks.state.leavesOut(events[i].Thread) {
			continue
		}
		t := k.thread(events[i].Thread)
		if t.recorded == len(t.entries) || t.entries[t.recorded].event != events[i] {
			return fmt.Errorf("recorded is %+v, which was not next in its thread's buffer", events[i])
		}
		e := &t.entries[t.recorded]
		k.stacks.thread(e.event.Thread).context = e.context
		k.stacks.line.add(&e.line)
		if t.recorded++; 2*t.recorded >= len(t.entries) {
			t.entries = t.entries[:copy(t.entries, t.entries[t.recorded:])]
			t.recorded = 0
		}
	}
	return nil
}

// finish implements [RecordedTimeline]. What a buffer still holds was lost.
func (k *KeptTimeline) finish() Timeline {
	for id := range k.stacks.state.threads {
		k.stacks.thread(trace.ThreadID(id)).counted = true // every report began after the thread
	}
	return k.stacks.finish()
}

func (k *KeptTimeline) thread(id trace.ThreadID) *keptThread {
	for int(id) >= len(k.threads) {
		k.threads = append(k.threads, keptThread{})
	}
	return &k.threads[id]
}
