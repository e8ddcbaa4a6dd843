package recorder

import (
	"time"

	"artifice/trace"
)

// Delay is how late a tracer makes one thread of a truth that tells of its waits how they
// end ([trace.Method]). The tracer's own thread, and what it takes from others, is no part of
// it. The zero value is a thread that is on time and has had no event.
//
// A thread of an app that runs while it is traced ([trace.LiveApp]) is never late: what is taken
// from it is in the times of its events by then ([Delay.Settle]).
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
	held  time.Duration // until when it is suspended, of which its next event takes account
}

// Wait is a wait of a thread, by the app's time, that a [Wait] ends.
type Wait struct {
	Began, Ends time.Duration
	Rule        WaitRule
}

// Late returns how late a thread is at the end of the wait that was late when it began it.
func (w Wait) Late(late time.Duration) time.Duration {
	return w.Rule.End(w.Began, w.Ends, late) - w.Ends
}

// Absorbs reports whether a thread that is late waits for less.
func (w Wait) Absorbs() bool { return w.Rule.Absorbs() }

// Take takes time from a thread.
func (d *Delay) Take(cost time.Duration) {
	d.Late += cost
	d.Taken += cost
	d.Total += cost
}

// Defer makes a thread one that is on time and owes what was taken from it.
func (d *Delay) Defer() {
	d.pendingDelay += d.Late
	d.Taken -= d.Late
	d.Late = 0
}

// Settle returns what was taken from a thread since it was settled last, and makes it one that is on
// time.
func (d *Delay) Settle() time.Duration {
	d.Defer()
	cost := d.pendingDelay
	d.pendingDelay = 0
	return cost
}

// Hold suspends a thread from the begin of the truth to a time of the wall clock. What it
// runs is later by that, and a wait or native code goes on, and is left no earlier. A thread
// without frames runs if it has an event at all.
func (d *Delay) Hold(until time.Duration) {
	if d.stack.Depth() > 0 && d.state.LosesToPause() {
		d.Late = until
		return
	}
	d.held = until
}

// Ends returns when, by the wall clock, what a thread does since its last event ends, which in the
// truth does at an app time, if it loses nothing meanwhile.
func (d *Delay) Ends(at time.Duration) time.Duration {
	return d.wait.End(d.began, at, d.Late)
}

// Arrive brings a thread to an event at an app time, at the end of what it does since its last
// one, which it returns.
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

// Match lets a thread that has arrived at an event give others what they wait for, or wait until it is
// given.
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

// GoesOn says what a thread does after an event at an app time.
func (d *Delay) GoesOn(truth *trace.Recording, e *trace.Event, at time.Duration) {
	if truth.Info.Technique != trace.Truth {
		return // nothing says how its waits end: they last as long as they do
	}
	d.stack.Apply(e, struct{}{})
	d.began, d.wait, d.state = at, WaitRule{}, Waiting
	if innermost, any := d.stack.Innermost(); any {
		d.state, d.wait = StateOf(truth.Symbols.Method(innermost))
	}
}

// End returns when a thread ends, by the wall clock, that does so at an app time or, with
// the truth, is still there then.
func (d *Delay) End(at time.Duration) time.Duration {
	if d.wait.Absorbs() { // what ends it is not known, and not awaited
		return max(at, d.began+d.Late)
	}
	return at + d.Late
}
