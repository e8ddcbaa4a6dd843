package recorder

import (
	"time"

	"artifice/trace"
)

// Delay is the delay of one thread by its own tracing overhead, in a truth that states the causes
// that end waits ([trace.Method]). The zero value is a thread without a delay and without events.
//
// A thread of a live app ([trace.LiveApp]) has no delay: the times of its events already include
// the overhead ([Delay.Settle]).
type Delay struct {
	Late         time.Duration // delay at its last event, relative to the truth
	Taken        time.Duration // CPU time taken from it by then, visible on its CPU clock
	Total        time.Duration // Taken plus settled overhead
	Paid         time.Duration // overhead of its last event once settled; its next event will include it
	pendingDelay time.Duration

	stack trace.Stack[struct{}]
	state State
	wait  WaitRule      // of its current wait
	began time.Duration // begin of its wait: the app time of its last event
	held  time.Duration // end of its suspension, for its next event
}

// Wait is a wait of a thread in app time.
type Wait struct {
	Began, Ends time.Duration
	Rule        WaitRule
}

// Late returns the delay at the end of the wait, given the delay late at its begin.
func (w Wait) Late(late time.Duration) time.Duration {
	return w.Rule.End(w.Began, w.Ends, late) - w.Ends
}

// Absorbs reports whether a delayed thread has a shorter wait.
func (w Wait) Absorbs() bool { return w.Rule.Absorbs() }

// Take adds overhead.
func (d *Delay) Take(cost time.Duration) {
	d.Late += cost
	d.Taken += cost
	d.Total += cost
}

// Defer converts the delay to pending overhead, which Settle returns.
func (d *Delay) Defer() {
	d.pendingDelay += d.Late
	d.Taken -= d.Late
	d.Late = 0
}

// Settle returns the overhead since the last Settle, and removes the delay.
func (d *Delay) Settle() time.Duration {
	d.Defer()
	cost := d.pendingDelay
	d.pendingDelay = 0
	return cost
}

// Hold suspends a thread from the begin of the truth to a wall time. Managed code is delayed by
// that time. A wait or native code continues, and ends no earlier than the suspension. A thread
// without frames counts as running if it has any event.
func (d *Delay) Hold(until time.Duration) {
	if d.stack.Depth() > 0 && d.state.LosesToPause() {
		d.Late = until
		return
	}
	d.held = until
}

// Ends returns the wall time at which the thread reaches an app time after its last event, if it
// loses no time until then.
func (d *Delay) Ends(at time.Duration) time.Duration {
	return d.wait.End(d.began, at, d.Late)
}

// Arrive moves the thread to an event at an app time. It returns the wait before the event.
func (d *Delay) Arrive(at time.Duration) Wait {
	d.Paid = 0
	w := Wait{d.began, at, d.wait}
	switch {
	case w.Absorbs():
		d.Late = max(w.Late(d.Late), d.held-at)
	case d.stack.Depth() > 0:
		d.Late = max(d.Late, d.held-at)
	default:
		d.Late += d.held
	}
	d.held = 0
	return w
}

// Match performs the handoff of an event at which the thread has arrived: it gives, or waits until
// the handoff is given.
func (d *Delay) Match(h *Handoffs[time.Duration], truth *trace.Recording, e *trace.Event, at time.Duration) {
	link := truth.Symbols.Method(e.Method).Link
	if e.Action != trace.Enter {
		return
	}
	if link.Does == trace.Gives {
		h.Give(link, at+d.Late)
	} else if given, ok := h.Match(link); ok {
		d.Late = max(d.Late, given-at)
	}
}

// SetState sets the state of the thread after an event at an app time.
func (d *Delay) SetState(truth *trace.Recording, e *trace.Event, at time.Duration) {
	if truth.Info.Technique != trace.Truth {
		return // the truth does not state what ends waits: their lengths do not change
	}
	d.stack.Apply(e, struct{}{})
	d.began, d.wait, d.state = at, WaitRule{}, Waiting
	if innermost, any := d.stack.Innermost(); any {
		d.state, d.wait = StateOf(truth.Symbols.Method(innermost))
	}
}

// End returns the wall time at which the thread ends, given its end or the truth's end in app time.
func (d *Delay) End(at time.Duration) time.Duration {
	if d.wait.Absorbs() { // the cause that ends it is unknown, and is not awaited
		return max(at, d.began+d.Late)
	}
	return at + d.Late
}
