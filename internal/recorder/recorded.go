package recorder

import (
	"time"

	"artifice/trace"
)

// Of a recorded truth nobody says by what a wait has ended. Two rules do of some: a sleep, by the name of its
// method, ends so long after it began; and if the times at which a thread goes on with the same event lie on the ticks of a
// clock, it is that clock which ends the wait. All others are taken to end so long after they began. What
// is known of the clocks comes from the events that have been read, up to two windows before the replay.

// MinWait is the shortest wait that can make up for lost time: below it two clocks do not agree, or
// the thread has lost its core.
const MinWait = 50 * time.Microsecond

// Totals is for how long the threads of a recorded truth wait, by what tells how these waits end.
type WaitTotals struct {
	Timeout      time.Duration // the name of the method says that it is a time
	Deadline     time.Duration // a clock ends it: its end lies on a lattice
	Unclassified time.Duration // nothing: it is taken to be a time
}

// UnclassifiedShare returns the share of waiting that no rule tells the end of, 0 to 1; 0 without any.
func (r WaitTotals) UnclassifiedShare() float64 {
	all := r.Timeout + r.Deadline + r.Unclassified
	if all <= 0 {
		return 0
	}
	return float64(r.Unclassified) / float64(all)
}

// WakeEvent is the event with which a thread goes on after a wait.
type WakeEvent struct {
	Thread trace.ThreadID
	Method trace.MethodID
	Action trace.Action
}

// RecordedWaits finds out by what the waits of a recorded truth end.
type RecordedWaits struct {
	truth  *trace.Recording
	last   []trace.Event // by thread, of those learned from
	met    []bool
	by     map[WakeEvent]*wakeTimes
	fresh  []*wakeTimes // with ends that came since the last look
	totals WaitTotals
}

// wakeTimes is what is known of the ends of waits with one event.
type wakeTimes struct {
	ends     []time.Duration // the last ones
	fresh    int             // of them, those since the last look
	timer    periodicTimer
	periodic bool
}

// keptEnds is how many ends a lattice is found by, at most.
const keptEnds = 256

// NewRecordedWaits returns the waits of a truth of which no event is known.
func NewRecordedWaits(truth *trace.Recording) *RecordedWaits {
	return &RecordedWaits{truth: truth, by: map[WakeEvent]*wakeTimes{}}
}

// Learn looks at further events of the truth, in the order of time.
func (r *RecordedWaits) Learn(events []trace.Event) {
	for i := range events {
		e := &events[i]
		for int(e.Thread) >= len(r.last) {
			r.last, r.met = append(r.last, trace.Event{}), append(r.met, false)
		}
		if last := &r.last[e.Thread]; r.met[e.Thread] && e.Wall-last.Wall >= MinWait && r.waits(last, e) {
			r.add(WakeEvent{e.Thread, e.Method, e.Action}, e.Wall)
		}
		r.last[e.Thread], r.met[e.Thread] = *e, true
	}
	for _, c := range r.fresh {
		c.timer, c.periodic = findTimer(c.ends)
		c.fresh = 0
	}
	r.fresh = r.fresh[:0]
}

// waits reports whether a thread waits between two events, and for no time that it is given.
func (r *RecordedWaits) waits(last, e *trace.Event) bool {
	if r.truth.Info.Clock.HasCPU() && e.Wall-last.Wall-max(0, e.CPU-last.CPU) < MinWait {
		return false
	}
	if e.Action == trace.Enter {
		return r.truth.Info.Clock.HasCPU()
	}
	m := r.truth.Symbols.Method(e.Method)
	return !m.Sleeps() && (r.truth.Info.Clock.HasCPU() || last.Action == trace.Enter && last.Method == e.Method && m.Waits())
}

// add notes the end of a wait.
func (r *RecordedWaits) add(key WakeEvent, end time.Duration) {
	c := r.by[key]
	if c == nil {
		c = &wakeTimes{}
		r.by[key] = c
	}
	if c.ends = append(c.ends, end); len(c.ends) >= 2*keptEnds {
		c.ends = c.ends[:copy(c.ends, c.ends[len(c.ends)-keptEnds:])]
	}
	if c.fresh++; c.fresh == max(1, len(c.ends)/8) {
		r.fresh = append(r.fresh, c)
	}
}

// Totals returns by what the waits have ended that Rule was asked about.
func (r *RecordedWaits) Totals() WaitTotals { return r.totals }

// Classify returns how a wait from one time to another has ended, from the event at its end, and counts what tells that.
// Learn has been given that event, and better some that come after it.
func (r *RecordedWaits) Classify(by WakeEvent, from, end time.Duration) WaitRule {
	if by.Action != trace.Enter && r.truth.Symbols.Method(by.Method).Sleeps() {
		r.totals.Timeout += end - from
		return WaitRule{}
	}
	if c := r.by[by]; c != nil && c.periodic && c.timer.Has(end) {
		r.totals.Deadline += end - from
		return WaitRule{Period: c.timer.Period}
	}
	r.totals.Unclassified += end - from
	return WaitRule{}
}
