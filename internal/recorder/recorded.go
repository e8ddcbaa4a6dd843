package recorder

import (
	"time"

	"artifice/trace"
)

// A recorded truth does not state the causes that end waits. Two rules classify some waits: a
// sleep, by the name of its method, has a timeout; and if a thread repeatedly wakes with the same
// event at the ticks of a timer, that timer ends the wait. All others are assumed to be timeouts.
// Timers are estimated from the events read so far, up to two windows ahead of the replay.

// MinWait is the shortest wait that can absorb a delay. Shorter ones are differences between two
// clocks, or times without a core.
const MinWait = 50 * time.Microsecond

// WaitTotals is the total waiting time of the threads of a recorded truth, by the classification
// of waits.
type WaitTotals struct {
	Timeout      time.Duration // sleeps, by the name of the method
	Deadline     time.Duration // a timer ends them
	Unclassified time.Duration // assumed to be timeouts
}

// UnclassifiedShare returns the unclassified share of waiting time, 0 to 1; 0 without waiting.
func (r WaitTotals) UnclassifiedShare() float64 {
	all := r.Timeout + r.Deadline + r.Unclassified
	if all <= 0 {
		return 0
	}
	return float64(r.Unclassified) / float64(all)
}

// WakeEvent is the event that follows a wait of a thread.
type WakeEvent struct {
	Thread trace.ThreadID
	Method trace.MethodID
	Action trace.Action
}

// RecordedWaits classifies the waits of a recorded truth.
type RecordedWaits struct {
	truth  *trace.Recording
	last   []trace.Event // by thread: the last event passed to Learn
	met    []bool
	by     map[WakeEvent]*wakeTimes
	fresh  []*wakeTimes // with ends since the last estimate
	totals WaitTotals
}

// wakeTimes are the ends of the waits that precede one event.
type wakeTimes struct {
	ends     []time.Duration // the last ones
	fresh    int             // number of ends since the last estimate
	timer    periodicTimer
	periodic bool
}

// keptEnds is the maximum number of ends from which a timer is estimated.
const keptEnds = 256

// NewRecordedWaits returns the waits of a truth before it is read.
func NewRecordedWaits(truth *trace.Recording) *RecordedWaits {
	return &RecordedWaits{truth: truth, by: map[WakeEvent]*wakeTimes{}}
}

// Learn reads further events of the truth, in time order.
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

// waits reports whether a thread waits between two events, other than in a sleep.
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

// add records the end of a wait.
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

// Totals returns the waiting times that Classify has counted.
func (r *RecordedWaits) Totals() WaitTotals { return r.totals }

// Classify returns the rule of a wait before an event, and adds its time to the totals. Learn must
// have received that event, and should have received some later ones.
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
