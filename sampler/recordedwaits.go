package sampler

import (
	"time"

	"artifice/lateness"
	"artifice/trace"
)

// Of a recorded truth nobody says by what a wait has ended. Two rules do of some: a sleep, by the name of its
// method, ends so long after it began; and if the times at which a thread goes on with the same event lie on the ticks of a
// clock, it is that clock which ends the wait. All others are taken to end so long after they began. What
// is known of the clocks comes from the events that have been read, up to two windows before the replay.

// leastWait is the shortest wait that can make up for lost time: below it two clocks do not agree, or
// the thread has lost its core.
const leastWait = 50 * time.Microsecond

// Ruled is for how long the threads of a recorded truth wait, by what tells how these waits end.
type Ruled struct {
	Slept   time.Duration // the name of the method says that it is a time
	Clock   time.Duration // a clock ends it: its end lies on a lattice
	Unruled time.Duration // nothing: it is taken to be a time
}

// Unknown returns the share of waiting that no rule tells the end of, 0 to 1; 0 without any.
func (r Ruled) Unknown() float64 {
	all := r.Slept + r.Clock + r.Unruled
	if all <= 0 {
		return 0
	}
	return float64(r.Unruled) / float64(all)
}

// waitEnd is the event with which a thread goes on after a wait.
type waitEnd struct {
	thread trace.ThreadID
	method trace.MethodID
	action trace.Action
}

// recordedWaits finds out by what the waits of a recorded truth end.
type recordedWaits struct {
	truth *trace.Recording
	last  []trace.Event // by thread, of those learned from
	met   []bool
	by    map[waitEnd]*clockOf
	fresh []*clockOf // with ends that came since the last look
	ruled Ruled
}

// clockOf is what is known of the ends of waits with one event.
type clockOf struct {
	ends    []time.Duration // the last ones
	fresh   int             // of them, those since the last look
	lattice lateness.Lattice
	has     bool
}

// keptEnds is how many ends a lattice is found by, at most.
const keptEnds = 256

func newRecordedWaits(truth *trace.Recording) *recordedWaits {
	return &recordedWaits{truth: truth, by: map[waitEnd]*clockOf{}}
}

// learn looks at further events.
func (r *recordedWaits) learn(events []trace.Event) {
	for i := range events {
		e := &events[i]
		for int(e.Thread) >= len(r.last) {
			r.last, r.met = append(r.last, trace.Event{}), append(r.met, false)
		}
		if last := &r.last[e.Thread]; r.met[e.Thread] && e.Wall-last.Wall >= leastWait && r.waits(last, e) {
			r.add(waitEnd{e.Thread, e.Method, e.Action}, e.Wall)
		}
		r.last[e.Thread], r.met[e.Thread] = *e, true
	}
	for _, c := range r.fresh {
		c.lattice, c.has = lateness.FindLattice(c.ends)
		c.fresh = 0
	}
	r.fresh = r.fresh[:0]
}

// waits reports whether a thread waits between two events, and for no time that it is given.
func (r *recordedWaits) waits(last, e *trace.Event) bool {
	if r.truth.Info.Clock.HasCPU() && e.Wall-last.Wall-max(0, e.CPU-last.CPU) < leastWait {
		return false
	}
	if e.Action == trace.Enter {
		return r.truth.Info.Clock.HasCPU()
	}
	m := r.truth.Symbols.Method(e.Method)
	return !m.Sleeps() && (r.truth.Info.Clock.HasCPU() || last.Action == trace.Enter && last.Method == e.Method && m.Waits())
}

// add notes the end of a wait.
func (r *recordedWaits) add(key waitEnd, end time.Duration) {
	c := r.by[key]
	if c == nil {
		c = &clockOf{}
		r.by[key] = c
	}
	if c.ends = append(c.ends, end); len(c.ends) >= 2*keptEnds {
		c.ends = c.ends[:copy(c.ends, c.ends[len(c.ends)-keptEnds:])]
	}
	if c.fresh++; c.fresh == max(1, len(c.ends)/8) {
		r.fresh = append(r.fresh, c)
	}
}

// recordedWait returns how a thread's wait ends that begins at an app time, between the event before p.place
// and its next one, and when.
func (p *pass) recordedWait(from time.Duration) (lateness.Wait, time.Duration) {
	next := successor{wall: never}
	if p.place > 0 && p.place <= len(p.feed.now.after) {
		next = p.feed.now.after[p.place-1]
	}
	if from == never || next.wall < from+leastWait {
		return lateness.Wait{}, 0
	}
	switch p.samplers[0].cfg.Waits {
	case WaitsAbsorb:
		return lateness.Wait{Period: 1, AtOnce: true}, next.wall
	case WaitsByRule:
		if next.wall < never {
			return p.recorded.rule(next.event, from, next.wall), next.wall
		}
	}
	return lateness.Wait{}, 0
}

// rule returns how a wait ends from its end, and counts what tells that.
func (r *recordedWaits) rule(by waitEnd, from, end time.Duration) lateness.Wait {
	if by.action != trace.Enter && r.truth.Symbols.Method(by.method).Sleeps() {
		r.ruled.Slept += end - from
		return lateness.Wait{}
	}
	if c := r.by[by]; c != nil && c.has && c.lattice.Has(end) {
		r.ruled.Clock += end - from
		return lateness.Wait{Period: c.lattice.Period}
	}
	r.ruled.Unruled += end - from
	return lateness.Wait{}
}
