package recorder

import (
	"fmt"
	"math"
	"time"

	"artifice/trace"
)

// Latest bounds times, so that what tracing takes can be added to them.
const Latest = time.Duration(math.MaxInt64 / 4)

// Order follows a truth, which has to come in the order of time.
type Order struct {
	truth *trace.Recording
	now   time.Duration
}

// NewOrder returns the order of a truth of which no event has been read.
func NewOrder(truth *trace.Recording) Order { return Order{truth: truth} }

// At returns when an event happens on a thread whose last one happened before: one that
// goes back on its own thread counts as simultaneous with the one before. It refuses
// events that go back behind another thread's, those later than [Latest], and those of
// threads and methods that the truth does not name.
func (o *Order) At(e *trace.Event, before time.Duration) (time.Duration, error) {
	wall := max(e.Wall, before)
	switch {
	case wall < o.now:
		return 0, fmt.Errorf("event at %s after one at %s: what is to be traced must be in time order", wall, o.now)
	case max(wall, e.CPU) > Latest:
		return 0, fmt.Errorf("an event at %s, CPU time %s: only %s can be traced", e.Wall, e.CPU, Latest)
	}
	o.now = wall
	return wall, nil
}

// Named refuses an event of a thread or method that the truth does not name.
func (o *Order) Named(e *trace.Event) error {
	if s := o.truth.Symbols; int(e.Thread) >= len(s.Threads) || int(e.Method) >= len(s.Methods) {
		return fmt.Errorf("event at %s of thread %d and method %d: the truth names %d threads and %d methods",
			e.Wall, e.Thread, e.Method, len(s.Threads), len(s.Methods))
	}
	return nil
}

// Read returns when the last event was that has been read.
func (o *Order) Read() time.Duration { return o.now }

// Length returns how long the truth is, as far as it has been read.
func (o *Order) Length() time.Duration { return max(o.truth.Info.Elapsed, o.now) }

// End returns when a thread ends, which only a synthetic truth tells: that a thread of a
// recorded trace had no more events does not mean that it was gone. known is false for one
// that lives on to the end.
func (o *Order) End(id trace.ThreadID) (end time.Duration, known bool) {
	if o.truth.Info.Technique == trace.Truth {
		end = o.truth.Symbols.Threads[id].End
	}
	if end == 0 {
		return o.Length(), false
	}
	return end, true
}
