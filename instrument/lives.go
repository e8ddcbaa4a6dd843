package instrument

import (
	"slices"
	"time"

	"artifice/trace"
)

// scheduleBirth sets nextBirth to the start of the first thread that has not
// been attached. Threads are in the order of their start.
func (t *tracer) scheduleBirth() {
	t.nextBirth = never
	if t.births < len(t.threads) && !t.starting {
		t.nextBirth = t.truth.Symbols.Threads[t.births].Start
	}
}

// bear attaches the threads that start up to a true time.
func (t *tracer) bear(until time.Duration) {
	for ; t.births < len(t.threads); t.births++ {
		start := t.truth.Symbols.Threads[t.births].Start
		if start > until {
			break
		}
		id := trace.ThreadID(t.births)
		t.place(trace.Event{Thread: id, Action: attach}, start+t.offset)
	}
	t.scheduleBirth()
}

// endOf returns when a thread ends, or 0 when it outlives the trace or its end
// is not known yet. Of a recorded trace it is not known at all: that a thread
// had no more events does not mean that it was gone.
func (t *tracer) endOf(id trace.ThreadID) time.Duration {
	if t.truth.Info.Technique != trace.Truth {
		return 0
	}
	return t.truth.Symbols.Threads[id].End
}

// scheduleEnd notes the end of a thread once the truth tells it.
func (t *tracer) scheduleEnd(id trace.ThreadID) {
	at := t.endOf(id)
	if at == 0 {
		return
	}
	t.threads[id].due = true
	i, _ := slices.BinarySearchFunc(t.ends, at, func(other trace.ThreadID, at time.Duration) int {
		// Later ones first, so that the next is the last.
		if t.truth.Symbols.Threads[other].End > at {
			return -1
		}
		return 1
	})
	t.ends = slices.Insert(t.ends, i, id)
}

// endUntil ends the threads whose end is before a true time.
func (t *tracer) endUntil(now time.Duration) {
	for n := len(t.ends); n > 0; n = len(t.ends) {
		id := t.ends[n-1]
		at := t.truth.Symbols.Threads[id].End
		if at >= now {
			return
		}
		t.ends = t.ends[:n-1]
		t.place(trace.Event{Thread: id, Action: end}, at+t.threads[id].delay)
	}
}
