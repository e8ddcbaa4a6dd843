package recorder

import (
	"time"

	"artifice/trace"
)

// Event is an event that a tracer kept.
type Event struct {
	trace.Event               // as its record has it
	App         time.Duration // the truth's time at which it happened
	Mark        Mark
}

// Mark says what became of an event. Most tracers deliver an event when it is known to be
// in the record. One that knows late can deliver it when it happens, and tell later, so that
// whoever compares it with the app does not have to remember what the app did.
type Mark uint8

const (
	Kept      Mark = iota // it is in the record
	Pending               // it happened; it is in the record once it is settled
	Confirmed             // it is the first of its thread's that are held, and is in the record
	Retracted             // it is the last of its thread's that are held, and will not be in the record
	Ended                 // it is none: what its thread reported last counts until then
)

// Source delivers the events of a record with the app's time. Events that were delivered
// by one of its methods are not delivered by the other.
type Source interface {
	trace.Reader

	// ReadRecorded reads as ReadEvents does: each thread's events are in the order of their
	// thread.
	ReadRecorded(p []Event) (n int, err error)
}

// Cost is what a tracer took from the app. It is complete at the end of the record.
type Cost struct {
	// Taken is the CPU time that it took from each thread, by its id; nil where it took none
	// or each event of a call takes the same, kept or not: Event.
	Taken []time.Duration
	Event time.Duration

	// Unslowed tells that the record has the app's own times: it does not show what
	// tracing takes. Delay is how much later the traced run ends then than the truth.
	Unslowed bool
	Delay    time.Duration

	// Late is by how much each thread, by its id, is late from its last event on.
	Late []time.Duration

	Dropped int64         // entries that found no room
	Kept    int64         // those that are in the record, where they are no events; else 0
	Longest time.Duration // the longest for which it stopped a thread at once; 0: not known
}

// CostReporter is a reader that knows what recording takes.
type CostReporter interface{ Cost() Cost }
