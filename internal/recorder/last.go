package recorder

import (
	"time"

	"artifice/trace"
)

// LastEvents are what the threads of a recorded truth do after their last events. They are nil of another truth.
type LastEvents struct {
	truth  *trace.Recording
	at     []time.Duration // by thread
	stacks trace.Stacks    // where no CPU clock tells that a thread waits
	now    time.Duration   // of the last event of all
}

// FollowLast returns the last events of a recorded truth, of which nothing has been read: they are known when that has been.
func FollowLast(truth *trace.Recording) *LastEvents {
	if truth.Info.Technique == trace.Truth {
		return nil
	}
	l := &LastEvents{truth: truth}
	truth.Events = Seen(truth.Events, l.add)
	return l
}

func (l *LastEvents) add(events []trace.Event) {
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

// Delay returns by how much longer the run takes whose threads are late by a time at their last events ([Cost]). A thread that lives on from there to the end
// waits, or, without a CPU clock, if its innermost method does by its name: nothing tells what ends that wait, and nobody awaits it, so how late the
// thread is counts up to its last event, and no further. One that runs is as late at the end. Samplers of such a truth have the same rule
// ([artifice/sampler]), and so has an app that runs until all threads have done what they did ([artifice/bench/measure]).
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
