package recorder

import (
	"fmt"
	"math"
	"time"

	"artifice/trace"
)

// MaxTime limits times, so that adding tracing overhead cannot overflow.
const MaxTime = time.Duration(math.MaxInt64 / 4)

// Order checks that a truth is in time order.
type Order struct {
	truth *trace.Recording
	now   time.Duration
}

// NewOrder returns the order of a truth before it is read.
func NewOrder(truth *trace.Recording) Order { return Order{truth: truth} }

// At returns the time of an event on a thread with its previous event at before. An event earlier
// than that counts as simultaneous. At returns an error for an event earlier than one of another
// thread, later than [MaxTime], or with a thread or method that the truth does not name.
func (o *Order) At(e *trace.Event, before time.Duration) (time.Duration, error) {
	wall := max(e.Wall, before)
	switch {
	case wall < o.now:
		return 0, fmt.Errorf("event at %s after one at %s: the source must be in time order", wall, o.now)
	case max(wall, e.CPU) > MaxTime:
		return 0, fmt.Errorf("an event at %s, CPU time %s: only times up to %s can be traced", e.Wall, e.CPU, MaxTime)
	}
	o.now = wall
	return wall, nil
}

// CheckNames returns an error if the truth does not name the event's thread or method.
func (o *Order) CheckNames(e *trace.Event) error {
	if s := o.truth.Symbols; int(e.Thread) >= len(s.Threads) || int(e.Method) >= len(s.Methods) {
		return fmt.Errorf("event at %s of thread %d and method %d: the truth has %d threads and %d methods",
			e.Wall, e.Thread, e.Method, len(s.Threads), len(s.Methods))
	}
	return nil
}

// Read returns the time of the last event read.
func (o *Order) Read() time.Duration { return o.now }

// Length returns the length of the truth read so far.
func (o *Order) Length() time.Duration { return o.truth.Stop(o.now) }

// End returns the time at which a thread ends. If the thread does not end before the truth, it
// returns the length of the truth and false. Only a synthetic truth states ends: a thread of a
// recorded trace may live on after its last event.
func (o *Order) End(id trace.ThreadID) (end time.Duration, known bool) {
	if o.truth.Info.Technique == trace.Truth {
		end = o.truth.Symbols.Threads[id].End
	}
	if end == 0 {
		return o.Length(), false
	}
	return end, true
}

// LastEvents tracks the last events of the threads of a recorded truth, to decide whether the
// threads run from there to the end.
type LastEvents struct {
	truth  *trace.Recording
	at     []time.Duration // by thread
	stacks trace.Stacks    // if no CPU clock shows that a thread waits
	now    time.Duration   // time of the last event of all threads
}

// FollowLast returns the LastEvents of a recorded truth before it is read, complete once it has
// been read; nil for other truths.
func FollowLast(truth *trace.Recording) *LastEvents {
	if truth.Info.Technique == trace.Truth {
		return nil
	}
	l := &LastEvents{truth: truth}
	truth.Events = Tap(truth.Events, l)
	return l
}

// Observe implements [Observer].
func (l *LastEvents) Observe(events []trace.Event) {
	for i := range events {
		e := &events[i]
		for int(e.Thread) >= len(l.at) {
			l.at = append(l.at, 0)
		}
		l.at[e.Thread], l.now = max(l.at[e.Thread], e.Wall), max(l.now, e.Wall)
		if !l.truth.Info.Clock.HasCPU() {
			l.stacks.Apply(*e)
		}
	}
}

// Delay returns the additional duration of the run, given the delay of each thread at its last
// event ([Cost]). A thread that runs from there to the end has that delay at the end. A thread
// that waits has it only at its last event, because the cause that ends the wait is unknown. With
// a CPU clock, every thread is assumed to wait after its last event; otherwise the name of the
// innermost method decides. Samplers of such a truth follow the same rule ([artifice/sampler]), as
// does an app that runs until all threads have done the same ([artifice/bench/measure]).
func (l *LastEvents) Delay(late []time.Duration) (delay time.Duration) {
	for id, at := range l.at {
		if l.runsOn(trace.ThreadID(id)) {
			at = l.now
		}
		if id < len(late) {
			delay = max(delay, at+late[id]-l.now)
		}
	}
	return delay
}

// runsOn reports whether a thread runs from its last event to the end.
func (l *LastEvents) runsOn(id trace.ThreadID) bool {
	if l.truth.Info.Clock.HasCPU() || l.truth.Symbols.Threads[id].End > 0 {
		return false
	}
	open := l.stacks.Of(id)
	return len(open) > 0 && !l.truth.Symbols.Method(open[len(open)-1]).Waits()
}
