package score

import (
	"io"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// RecordedTimeline compares what a tracer of calls records with the true state. It
// stands on both sides of the tracer: the tracer reads the truth through it, and
// what the tracer records is written to it, each thread's events in their order.
type RecordedTimeline interface {
	trace.Reader
	trace.Writer

	// finish returns the timeline, once the state is finished.
	finish() Timeline
}

// ScoreRecording reads a recording that a tracer makes of the truth behind state,
// to its end, and returns what it reports. The truth's symbols are the
// recording's.
func ScoreRecording(state *TrueState, truth, recording *trace.Recording, line RecordedTimeline, cpu bool) (*Accumulator, error) {
	reported := NewEventScorer(state, AllSamples, 0)
	if cpu && recording.Info.Clock.HasCPU() {
		reported.WithCPU()
	}
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := recording.Events.ReadEvents(batch)
		if n == 0 && err != io.EOF {
			return nil, err
		}
		if n == 0 {
			break
		}
		reported.WriteEvents(batch[:n])
		if err := line.WriteEvents(batch[:n]); err != nil {
			return nil, err
		}
	}
	if err := state.Finish(truth); err != nil {
		return nil, err
	}
	reported.addTails()
	reported.Line = line.finish()
	reported.Samples, reported.Seen = Unknown, reported.Reported
	return &reported.Accumulator, nil
}

// MatchedTimeline is for tracers that record every event when it happens. A
// recorded event has the tracer's time, not the app's: its place is that of the
// event of the truth which it stems from. It is taken to stem from the first
// event of its thread that waits for its record and enters or leaves its method;
// those before that one were not recorded.
//
// A tracer may be far behind the truth that it has read. So the comparison has a
// true state of its own, in which events count when they are recorded.
type MatchedTimeline struct {
	ahead   *TrueState
	stacks  stackComparison
	threads []matchedThread
	blocks  eventlog.Pool
}

// matchedThread is a thread's events that wait for their record.
type matchedThread struct {
	first   trace.Event    // the oldest of them, as a rule the one that is recorded next
	held    bool           // there is a first
	waiting eventlog.Queue // the others
	last    time.Duration  // of the last one that no longer waits
}

// add makes an event wait.
func (t *matchedThread) add(e trace.Event, blocks *eventlog.Pool) {
	if !t.held {
		t.first, t.held = e, true
		return
	}
	t.waiting.Add(&e, blocks)
}

// take takes the first event that waits, of which there has to be one.
func (t *matchedThread) take(blocks *eventlog.Pool) trace.Event {
	var next [1]trace.Event
	e := t.first
	t.held = t.waiting.Take(next[:], blocks) > 0
	t.first, t.last = next[0], e.Wall
	return e
}

// NewMatchedTimeline returns the timeline of a tracer that is to read the truth
// through it.
func NewMatchedTimeline(state *TrueState) *MatchedTimeline {
	state.immediate = true
	behind := &TrueState{symbols: state.symbols, synthetic: state.synthetic}
	return &MatchedTimeline{ahead: state, stacks: stackComparison{state: behind}}
}

// ReadEvents implements [trace.Reader].
func (m *MatchedTimeline) ReadEvents(p []trace.Event) (int, error) {
	n, err := m.ahead.ReadEvents(p)
	for i := range p[:n] {
		e := &p[i]
		if m.ahead.leavesOut(e.Thread) {
			continue
		}
		for int(e.Thread) >= len(m.threads) {
			m.threads = append(m.threads, matchedThread{})
		}
		if !m.ahead.symbols.IsRuntime(e.Method) {
			m.threads[e.Thread].add(trace.Event{Wall: e.Wall, Method: e.Method, Thread: e.Thread, Action: e.Action}, &m.blocks)
		}
	}
	return n, err
}

// WriteEvents implements [trace.Writer]. It never fails.
func (m *MatchedTimeline) WriteEvents(events []trace.Event) error {
	for i := range events {
		e := &events[i]
		if m.ahead.leavesOut(e.Thread) {
			continue
		}
		if int(e.Thread) >= len(m.threads) {
			m.stacks.apply(e, 0) // of a thread that the truth does not have yet
			continue
		}
		t := &m.threads[e.Thread]
		for range t.place(e) {
			m.take(e.Thread)
		}
		m.stacks.apply(e, t.last)
	}
	return nil
}

// place returns which of the events that wait does to the stack what e does,
// counted from 1: the first one; 0 when there is none.
func (t *matchedThread) place(e *trace.Event) int {
	if !t.held {
		return 0
	}
	r, other := t.waiting.Reader(), t.first
	for n := 1; ; n++ {
		if other.Method == e.Method && (other.Action == trace.Enter) == (e.Action == trace.Enter) {
			return n
		}
		if n > t.waiting.Len() {
			return 0
		}
		r.Next(&other)
	}
}

// take takes the first event that waits.
func (m *MatchedTimeline) take(id trace.ThreadID) {
	e := m.threads[id].take(&m.blocks)
	behind := m.stacks.state
	behind.thread(id, m.ahead.threads[id].start)
	behind.apply(&e)
}

// finish takes the events that were not recorded.
func (m *MatchedTimeline) finish() Timeline {
	behind := m.stacks.state
	for id := range m.ahead.threads {
		if !m.ahead.threads[id].begun() {
			continue
		}
		behind.thread(trace.ThreadID(id), m.ahead.threads[id].start)
		for id < len(m.threads) && m.threads[id].held {
			m.take(trace.ThreadID(id))
		}
	}
	behind.finish(m.ahead.end)
	return m.stacks.finish()
}
