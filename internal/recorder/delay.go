package recorder

import (
	"time"

	"artifice/trace"
)

// Delay is the delay of one thread by its own tracing overhead, in a truth that states what
// ends its waits ([trace.Method]). The zero value is a thread without a delay and without an
// event.
//
// A thread of an app that runs while it is traced ([trace.LiveApp]) has no delay: the
// overhead is in the times of its events already ([Delay.Settle]).
type Delay struct {
	Late         time.Duration // at its last event, behind the truth
	Taken        time.Duration // from it by then, which its CPU clock shows
	Total        time.Duration // Taken, and what was settled
	Paid         time.Duration // what its last event took, once that was settled: its next one will show it
	pendingDelay time.Duration

	stack trace.Stack[struct{}]
	state State
	wait  WaitRule      // where it waits
	began time.Duration // its wait: the app time of its last event
	held  time.Duration // until when it is suspended, for its next event
}

// Wait is a wait of a thread in app time.
type Wait struct {
	Began, Ends time.Duration
	Rule        WaitRule
}

// Late returns the delay at the end of the wait of a thread with a delay at its begin.
func (w Wait) Late(late time.Duration) time.Duration {
	return w.Rule.End(w.Began, w.Ends, late) - w.Ends
}

// Absorbs reports whether a delayed thread waits for less time.
func (w Wait) Absorbs() bool { return w.Rule.Absorbs() }

// Take adds overhead.
func (d *Delay) Take(cost time.Duration) {
	d.Late += cost
	d.Taken += cost
	d.Total += cost
}

// Defer turns the delay into pending overhead, which Settle returns.
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
// that; a wait or native code goes on, and ends no earlier. A thread without frames runs if it has
// an event at all.
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

// GoesOn sets the state of the thread after an event at an app time.
func (d *Delay) GoesOn(truth *trace.Recording, e *trace.Event, at time.Duration) {
	if truth.Info.Technique != trace.Truth {
		return // the truth does not state what ends waits: they keep their length
	}
	d.stack.Apply(e, struct{}{})
	d.began, d.wait, d.state = at, WaitRule{}, Waiting
	if innermost, any := d.stack.Innermost(); any {
		d.state, d.wait = StateOf(truth.Symbols.Method(innermost))
	}
}

// End returns the wall time of the thread's end, at an app time, or of the truth's end.
func (d *Delay) End(at time.Duration) time.Duration {
	if d.wait.Absorbs() { // what ends it is not known, and not awaited
		return max(at, d.began+d.Late)
	}
	return at + d.Late
}
