package recorder

import (
	"time"

	"artifice/trace"
)

// Event is an event that a tracer kept.
type Event struct {
	trace.Event               // as recorded
	App         time.Duration // app time at which it happened
	Mark        Mark
}

// Mark is the state of an event in the recording. Most tracers deliver an event when it is known
// to be recorded. A tracer that decides later can deliver the event when it happens, and the
// decision afterwards, so that scorers need not remember the app's events.
type Mark uint8

const (
	Kept      Mark = iota // it is recorded
	Pending               // it happened; a Confirmed event may follow
	Confirmed             // the first pending event of its thread is recorded
	Retracted             // the last pending event of its thread is not recorded
	Ended                 // no event: the last report of its thread counts until this time
)

// Source delivers the events of a recording with their app times. Only one of its two read methods
// may be used.
type Source interface {
	trace.Reader

	// ReadRecorded follows the rules of ReadEvents. The events of each thread are in order.
	ReadRecorded(p []Event) (n int, err error)
}

// Cost is the overhead of a tracer. It is complete at the end of the recording.
type Cost struct {
	// Taken is the CPU time taken from each thread, by its id. It is nil if none was taken, or if
	// each event of a call, recorded or not, has the same cost: Event.
	Taken []time.Duration
	Event time.Duration

	// WithoutOverhead: the recording has the app's own times, without the tracing overhead. Delay
	// is then the additional duration of the traced run.
	WithoutOverhead bool
	Delay           time.Duration

	// Late is the delay of each thread, by its id, from its last event on.
	Late []time.Duration

	Dropped int64         // entries that did not fit into a buffer
	Kept    int64         // recorded entries, if they are not events; otherwise 0
	Longest time.Duration // the longest pause of a thread; 0: unknown
}

// CostReporter is a reader that reports the overhead of the recording.
type CostReporter interface{ Cost() Cost }
