package score

import (
	"io"
	"time"

	"artifice/bench/measure"
	"artifice/internal/eventlog"
	"artifice/internal/recorder"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Record runs a tracer on the truth of state, reads the recording to its end, and returns its
// report and its cost. The recording has the truth's symbols.
//
// If the tracer states the app times of its events ([recorder.Source]), these are used. Otherwise
// an event is matched with the first pending event of its thread that enters or leaves the same
// method; the pending events before that one were not recorded.
func Record(state *TrueState, truth *trace.Recording, record func(*trace.Recording) (*trace.Recording, error), cpu bool) (*Accumulator, *Recorded, error) {
	line := newRecordedTimeline(state)
	truth.Events = recorder.Tap(state.src, line)
	rec, err := record(truth)
	if err != nil {
		return nil, nil, err
	}
	reported := NewEventScorer(state, AllSamples, 0)
	if cpu && rec.Info.Clock.HasCPU() {
		reported.WithCPU()
	}
	if source, ok := rec.Events.(recorder.Source); ok {
		err = line.readSource(source, reported)
	} else {
		err = line.match(rec.Events, reported)
	}
	if err != nil {
		return nil, nil, err
	}
	if err := state.Finish(truth); err != nil {
		return nil, nil, err
	}
	reported.addTails()
	reported.Line = line.finish()
	reported.Samples, reported.Seen = measure.Unknown, reported.Reported
	made := &Recorded{Elapsed: rec.Info.Elapsed}
	if source, ok := rec.Events.(recorder.CostReporter); ok {
		made.Cost = source.Cost()
	}
	return &reported.Accumulator, made, nil
}

// Recorded contains the properties of a recording other than its events.
type Recorded struct {
	recorder.Cost
	Elapsed time.Duration // at the stop
}

// readSource reads events with app times.
func (m *recordedTimeline) readSource(source recorder.Source, reported *EventScorer) error {
	batch := make([]recorder.Event, trace.BatchSize)
	for {
		n, err := source.ReadRecorded(batch)
		if n == 0 {
			return unlessEOF(err)
		}
		for i := range batch[:n] {
			e := &batch[i]
			if m.ahead.leavesOut(e.Thread) || int(e.Thread) >= len(m.threads) {
				continue
			}
			switch e.Mark {
			case recorder.Kept:
				m.catchUp(e.Thread, e.App)
				m.stacks.apply(&e.Event, e.App)
			case recorder.Pending:
				m.catchUp(e.Thread, e.App)
				m.hold(e)
			case recorder.Confirmed:
				m.settle(e.Thread)
			case recorder.Retracted:
				t := &m.threads[e.Thread]
				t.held = t.held[:len(t.held)-1]
			case recorder.Ended:
				reported.endThread(e.Thread, e.Wall, e.CPU)
			}
			if e.Mark == recorder.Kept || e.Mark == recorder.Confirmed {
				reported.add(&e.Event)
			}
		}
		if last := batch[n-1]; last.Mark == recorder.Pending || last.Mark == recorder.Confirmed || last.Mark == recorder.Retracted {
			for id := range m.threads {
				m.catchUp(trace.ThreadID(id), last.App)
			}
		}
	}
}

// match reads events with tracer times only.
func (m *recordedTimeline) match(source trace.Reader, reported *EventScorer) error {
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := source.ReadEvents(batch)
		if n == 0 {
			return unlessEOF(err)
		}
		reported.WriteEvents(batch[:n])
		m.WriteEvents(batch[:n])
	}
}

func unlessEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// recordedTimeline compares a recording with the true state. It receives the truth before the
// tracer, and the recorded events after the tracer, those of each thread in order.
//
// A tracer may record an event long after it has read it from the truth. The comparison therefore
// has its own true state, in which an event counts when it is recorded.
type recordedTimeline struct {
	ahead   *TrueState
	stacks  stackComparison
	threads []matchedThread
	blocks  eventlog.Pool
}

// catchUp applies the true events of a thread up to an app time, inclusive.
func (m *recordedTimeline) catchUp(id trace.ThreadID, app time.Duration) {
	for t := &m.threads[id]; t.waits && t.first.Wall <= app; {
		m.take(id)
	}
}

// heldEvent is an event that can still be revoked.
type heldEvent struct {
	context calltree.Node    // the reported stack after it
	line    measure.Timeline // its contribution
}

// hold computes the contribution of an event to the timeline, which is added when the event is
// settled. A revoked event removes its contribution, as if the stack had not changed.
func (m *recordedTimeline) hold(e *recorder.Event) {
	s, t, from := m.stacks.state, &m.threads[e.Thread], m.stacks.thread(e.Thread).context
	if n := len(t.held); n > t.settled {
		from = t.held[n-1].context
	}
	added := heldEvent{context: from}
	if !s.symbols.IsRuntime(e.Method) {
		to, effect := s.contexts.Apply(from, &e.Event)
		state := s.thread(e.Thread, e.App)
		switch {
		case effect == trace.Pushed:
			s.exchange(&added.line, state, from, to, from, e.App)
		case effect.Closes():
			s.exchange(&added.line, state, from, to, to, e.App)
		}
		added.context = to
	}
	t.held = append(t.held, added)
}

// settle adds the contribution of the first held event.
func (m *recordedTimeline) settle(id trace.ThreadID) {
	t, r := &m.threads[id], m.stacks.thread(id)
	first := &t.held[t.settled]
	r.context, r.counted = first.context, true // it began after the thread
	m.stacks.line.Add(&first.line)
	if t.settled++; 2*t.settled >= len(t.held) {
		t.held = t.held[:copy(t.held, t.held[t.settled:])]
		t.settled = 0
	}
}

// matchedThread contains the pending true events of a thread, which have no record yet.
type matchedThread struct {
	first   trace.Event    // the oldest, usually recorded next
	waits   bool           // first is set
	waiting eventlog.Queue // the others
	last    time.Duration  // of the last event no longer pending

	held    []heldEvent // recorded events that are not settled
	settled int         // number of first events in held already settled
}

// add adds a pending event.
func (t *matchedThread) add(e trace.Event) {
	if !t.waits {
		t.first, t.waits = e, true
		return
	}
	t.waiting.Add(&e)
}

// take removes the first pending event, which must exist.
func (t *matchedThread) take() trace.Event {
	var next [1]trace.Event
	e := t.first
	t.waits = t.waiting.Take(next[:]) > 0
	t.first, t.last = next[0], e.Wall
	return e
}

// newRecordedTimeline returns the timeline of a tracer.
func newRecordedTimeline(state *TrueState) *recordedTimeline {
	state.immediate = true
	behind := &TrueState{symbols: state.symbols, synthetic: state.synthetic, memory: state.memory, scratch: state.scratch}
	behind.contexts.Memory, behind.sums.Memory = state.contexts.Memory, state.memory
	return &recordedTimeline{ahead: state, stacks: stackComparison{state: behind}}
}

// Observe implements [recorder.Observer]: it receives the next events of the tracer.
func (m *recordedTimeline) Observe(events []trace.Event) {
	m.ahead.Observe(events)
	for i := range events {
		e := &events[i]
		if m.ahead.leavesOut(e.Thread) {
			continue
		}
		for int(e.Thread) >= len(m.threads) {
			m.threads = append(m.threads, matchedThread{waiting: m.blocks.Queue()})
		}
		if !m.ahead.symbols.IsRuntime(e.Method) {
			m.threads[e.Thread].add(trace.Event{Wall: e.Wall, Method: e.Method, Thread: e.Thread, Action: e.Action})
		}
	}
}

// WriteEvents implements [trace.Writer]. It never fails.
func (m *recordedTimeline) WriteEvents(events []trace.Event) error {
	for i := range events {
		e := &events[i]
		if m.ahead.leavesOut(e.Thread) {
			continue
		}
		if int(e.Thread) >= len(m.threads) {
			m.stacks.apply(e, 0) // of a thread not yet in the truth
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

// place returns the position, from 1, of the first pending event with the same effect on the stack
// as e; 0: none.
func (t *matchedThread) place(e *trace.Event) int {
	if !t.waits {
		return 0
	}
	r, other := t.waiting.Cursor(), t.first
	for n := 1; ; n++ {
		if other.Method == e.Method && (other.Action == trace.Enter) == (e.Action == trace.Enter) {
			return n
		}
		if n > t.waiting.Len() {
			return 0
		}
		other = r.Next()
	}
}

// take applies the first pending event.
func (m *recordedTimeline) take(id trace.ThreadID) {
	e := m.threads[id].take()
	behind := m.stacks.state
	behind.thread(id, m.ahead.threads[id].start)
	behind.apply(&e)
}

// finish applies the events that were not recorded.
func (m *recordedTimeline) finish() measure.Timeline {
	behind := m.stacks.state
	for id := range m.ahead.threads {
		if !m.ahead.threads[id].begun() {
			continue
		}
		behind.thread(trace.ThreadID(id), m.ahead.threads[id].start)
		for id < len(m.threads) && m.threads[id].waits {
			m.take(trace.ThreadID(id))
		}
	}
	behind.finish(m.ahead.end)
	return m.stacks.finish()
}
