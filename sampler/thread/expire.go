package thread

import (
	"time"

	"artifice/diffstack"
	"artifice/internal/recorder"
	"artifice/trace"
)

// expire takes the sample of an expiration, unless the recording has ended. A thread that does not
// run is not delayed.
func (t *Tracer) expire(id trace.ThreadID, th *thread, app time.Duration, does recorder.State) {
	if t.cfg.Until > 0 && app >= t.cfg.Until {
		return
	}
	at := moment{app, t.stamp(id, th, app)}
	if t.cfg.Timer == WallTimer {
		// also for a wait that lasts longer than in the truth, because the thread missed the event
		// that would end it
		at.stamp.Wall = th.due
	}
	if does.LosesToOwn() {
		t.charge(id, th)
	}
	t.compareStack(th, at, false)
}

// moment is the time of an observation of a thread: in the truth's time, and as recorded.
type moment struct {
	app   time.Duration
	stamp trace.Event
}

// stamp returns a thread's event with the current times.
func (t *Tracer) stamp(id trace.ThreadID, th *thread, app time.Duration) trace.Event {
	e := trace.Event{Wall: app + th.Late, Thread: id}
	if t.hasCPU && t.cfg.Timer != WallTimer {
		e.CPU = time.Duration(th.kept) * t.cfg.Interval
	}
	return e
}

// charge adds the cost of a sample to its thread and to its timer.
func (t *Tracer) charge(id trace.ThreadID, th *thread) {
	cost := t.cfg.draw(th, id, th.frames.Depth())
	th.Take(cost)
	th.unknown += cost
	t.stats.Longest = max(t.stats.Longest, cost)
}

// compareStack compares a thread's stack with the last sampled one. If anew is set, the innermost call
// counts as a different call even if both stacks are equal.
func (t *Tracer) compareStack(th *thread, now moment, anew bool) {
	methods := th.frames.Methods()
	deepest := len(methods)
	if t.cfg.Deepest > 0 {
		deepest = min(deepest, t.cfg.Deepest)
	}
	failure := t.drawFailure(th, now.stamp.Thread)
	switch {
	case failure >= 0 && t.cfg.Failures[failure].blank():
		t.stats.Failed[failure]++
		t.stats.Blank++
		return
	case deepest < len(methods) && !t.cfg.Cut:
		t.stats.TooDeep++
		return
	case !t.buffer.admit(now.stamp.Wall):
		t.stats.Lost++
		return
	}
	t.stats.Samples++
	th.kept++
	fresh := len(methods) - th.shown
	th.shown = len(methods)
	if t.cuts {
		if failure >= 0 {
			t.stats.Failed[failure]++
			deepest = min(deepest, t.cfg.Failures[failure].Frames)
		}
		outside := len(methods) - deepest
		methods, fresh = methods[outside:], see(th.seen[outside:])
	}
	if failure >= 0 && t.reasons {
		methods = t.withReason(failure, methods)
	}
	t.sample = Sample{Thread: now.stamp.Thread, App: now.app, ExitApp: now.app, Stamp: now.stamp, Stack: methods, Fresh: fresh}
	t.events = t.events[:0]
	switch {
	case anew:
		leaf := now.stamp
		leaf.Method = methods[len(methods)-1]
		t.events = append(t.events, leaf, leaf)
		t.events[0].Action = trace.Exit
	case th.changed || t.cuts: // samples may contain a different part of the same stack
		t.change(th, methods, now)
	}
	th.changed = false
	t.sample.Events = t.events
	th.last = now
	t.observer.Sampled(&t.sample)
}

// drawFailure draws the failure of a walk; -1: none.
func (t *Tracer) drawFailure(th *thread, id trace.ThreadID) int {
	if t.cfg.failing() == 0 {
		return -1
	}
	x := t.cfg.rng(th, id).Float64()
	for i, f := range t.cfg.Failures {
		if x < f.Share {
			return i
		}
		x -= f.Share
	}
	return -1
}

// withReason returns the frames that a walk found, called from a frame that names the reason for
// the failure.
func (t *Tracer) withReason(failure int, methods []trace.MethodID) []trace.MethodID {
	if reason := t.cfg.Failures[failure].Reason; reason != "" {
		if t.reason[failure] == 0 {
			t.reason[failure] = t.truth.Symbols.AddWalkEnd(reason) + 1
		}
		t.found = append(append(t.found[:0], t.reason[failure]-1), methods...)
		return t.found
	}
	return methods
}

// see marks frames as sampled, and returns how many were not sampled before.
func see(frames []bool) (fresh int) {
	for i := range frames {
		if !frames[i] {
			frames[i] = true
			fresh++
		}
	}
	return fresh
}

// change appends the events that turn the last sampled stack into another one.
func (t *Tracer) change(th *thread, methods []trace.MethodID, now moment) {
	exit, enter := now.stamp, now.stamp
	exit.Action = trace.Exit
	if ends := t.cfg.Ends; ends != diffstack.EndNext && len(th.memory) > 0 {
		exit.Wall, exit.CPU = ends.Between(th.last.stamp.Wall, exit.Wall), ends.Between(th.last.stamp.CPU, exit.CPU)
		t.sample.ExitApp = ends.Between(th.last.app, now.app)
	}
	for action, m := range diffstack.Compare(th.memory, methods) {
		e := enter
		if action == trace.Exit {
			e = exit
		}
		e.Method = m
		t.events = append(t.events, e)
	}
	th.memory = append(th.memory[:0], methods...)
}
