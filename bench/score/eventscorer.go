package score

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// Reading is the way in which a reader interprets a sampled trace. The zero value uses every
// sample, including those with an unchanged stack, which leave no event.
type Reading uint8

const (
	// AllSamples gives each sample the time until the next one.
	AllSamples Reading = iota

	// ExactStamps uses the stamps of the events. A thread's time ends at its last event, as in
	// dmtracedump and Traceview.
	ExactStamps

	// Resampled takes samples of the exact timeline at multiples of the estimated interval, here
	// the period, and gives each sample one interval, like the Firefox Profiler. Stacks shorter
	// than an interval may vanish.
	Resampled

	// RoundedUp rounds the duration of each stack up to ticks of 10 ms, like readers that count in
	// jiffies.
	RoundedUp

	// CountTimesInterval gives each sample the nominal interval, whatever its stamp.
	CountTimesInterval
)

// HasSamples reports whether the reader uses samples; others use events.
func (r Reading) HasSamples() bool { return r == AllSamples || r == CountTimesInterval }

// HasCPU reports whether the reader uses CPU stamps. The results of other readers have no CPU time.
func (r Reading) HasCPU() bool { return r == AllSamples || r == ExactStamps }

// jiffy is the unit of RoundedUp.
const jiffy = 10 * time.Millisecond

// span returns the duration, for this reader, of a stack that is unchanged from one stamp to
// another. interval is the reader's estimate of the sampling interval.
func (r Reading) span(from, to, interval time.Duration) time.Duration {
	switch {
	case r == Resampled && interval > 0:
		return (to/interval - from/interval) * interval
	case r == RoundedUp && to > from:
		return (to - from + jiffy - 1) / jiffy * jiffy
	}
	return to - from
}

// EventScorer sums up an observed trace from its events alone, as a reader of the
// file would. It is a [trace.Writer]; events of one thread come in time order.
//
// The time between two events of a thread belongs to the stack that the first
// of them left; a thread's time ends at its last event.
type EventScorer struct {
	Accumulator
	state    *TrueState // provides the contexts
	reading  Reading
	interval time.Duration // estimated by the reader
	threads  []readThread
}

// readThread is the state of a thread.
type readThread struct {
	context calltree.Node
	last    time.Duration   // stamp of the last event
	cpu     time.Duration   // its CPU stamp
	enters  []time.Duration // stamps of the open frames, outermost first
	ended   bool            // the time of its last stack has been added
}

// NewEventScorer returns a scorer of events for a reader with its estimate of the interval.
func NewEventScorer(state *TrueState, reading Reading, interval time.Duration) *EventScorer {
	s := &EventScorer{state: state, reading: reading, interval: interval}
	s.pages.memory = state.memory
	return s
}

// WriteEvents implements [trace.Writer]. It never fails.
func (s *EventScorer) WriteEvents(events []trace.Event) error {
	for i := range events {
		if !s.state.leavesOut(events[i].Thread) {
			s.add(&events[i])
		}
	}
	return nil
}

// begin begins a thread at a wall time, unless it has begun.
func (s *EventScorer) begin(id trace.ThreadID, wall, cpu time.Duration) *readThread {
	for int(id) >= len(s.threads) {
		s.threads = append(s.threads, readThread{})
	}
	t := &s.threads[id]
	if t.context == calltree.NoNode {
		t.context, t.last, t.cpu = s.state.contexts.AddRoot(id), wall, cpu
	}
	return t
}

func (s *EventScorer) add(e *trace.Event) {
	t := s.begin(e.Thread, e.Wall, e.CPU)
	s.spend(t.context, s.reading.span(t.last, e.Wall, s.interval), max(0, e.CPU-t.cpu))
	t.last, t.cpu = e.Wall, e.CPU
	before := t.context
	context, effect := s.state.contexts.Apply(before, e)
	t.context = context
	switch top := len(t.enters) - 1; {
	case effect == trace.Pushed:
		t.enters = append(t.enters, e.Wall)
		s.call(before, context)
	case effect.Closes():
		s.Durations.Add(e.Wall - t.enters[top])
		t.enters = t.enters[:top]
	}
}

// isOpen reports whether frames of a thread are open.
func (s *EventScorer) isOpen(id trace.ThreadID) bool {
	return int(id) < len(s.threads) && len(s.threads[id].enters) > 0
}

// addRun adds the time from a thread's last event to its end to its last stack.
func (s *EventScorer) addRun(id trace.ThreadID, end time.Duration) {
	if int(id) < len(s.threads) && s.threads[id].context != calltree.NoNode {
		t := &s.threads[id]
		s.spend(t.context, max(0, end-t.last), 0)
	}
}

// endThread adds the time up to a stamp to a thread's last reported stack, instead of the remaining
// lifetime of the thread in the truth.
func (s *EventScorer) endThread(id trace.ThreadID, wall, cpu time.Duration) {
	if int(id) < len(s.threads) && s.threads[id].context != calltree.NoNode {
		t := &s.threads[id]
		s.spend(t.context, max(0, wall-t.last), max(0, cpu-t.cpu))
		t.ended = true
	}
}

// addTails extends the threads of an emulated trace after their last event to their end in the
// truth, after the state is finished. Readers of the file do not have that time.
func (s *EventScorer) addTails() {
	for id := range s.threads {
		if t := &s.threads[id]; t.context != calltree.NoNode && !t.ended && id < len(s.state.threads) {
			s.spend(t.context, s.state.threads[id].tail, 0)
		}
	}
}
