package machine

import "artifice/trace"

// firstFacts records the state of the cores at the start: idle, at their lowest clocks.
func (m *machine) firstFacts() {
	for i := range m.cores {
		m.recordClock(i)
		m.facts = append(m.facts, trace.SchedEvent{Kind: trace.CoreIdle, Core: i})
	}
}

func (m *machine) recordClock(core int) {
	if c := &m.cores[core]; len(c.MHz) > 0 {
		m.facts = append(m.facts, trace.SchedEvent{Wall: m.now, Kind: trace.CoreSpeed, Core: core, Value: 1000 * c.MHz[c.step]})
	}
}

// pass records that a thread has had core c for zero time.
func (m *machine) pass(c *coreState, id int32) {
	core := m.number(c)
	m.recordWakeups()
	m.begin(core)
	m.change(core, id)
	// The thread had another state before: the new one is recorded when it leaves the core.
}

// recordSched records the threads that have the cores from now on.
func (m *machine) recordSched() {
	m.recordWakeups()
	for changed := true; changed; {
		changed = false
		var moved *coreState // its new thread is still recorded on another core
		for i := range m.cores {
			c := &m.cores[i]
			switch {
			case c.task == c.shown:
			case c.task != none && m.showsElsewhere(c.task, i):
				moved = c
			default:
				m.switchTo(i)
				changed = true
			}
		}
		if !changed && moved != nil { // two threads swap cores
			m.change(m.shownAt(moved.task), none)
			changed = true
		}
	}
	for i := range m.cores {
		if c := &m.cores[i]; c.task == none && !c.idles {
			c.idles, c.idleAt, c.rise = true, m.now, 0
			m.facts = append(m.facts, trace.SchedEvent{Wall: m.now, Kind: trace.CoreIdle, Core: i})
		}
	}
}

// recordWakeups records the tasks that have become ready now, in the order of the kernel's
// try_to_wake_up: the waker, the end of the wait for a device, if any, and that the task is
// runnable. The core is the task's current core, its last one, or otherwise the first.
func (m *machine) recordWakeups() {
	for _, id := range m.woken {
		core := max(m.tasks[id].core, 0)
		prev := m.cores[core].shown
		fact := trace.SchedEvent{Wall: m.now, Core: core,
			Prev: int(prev), Next: int(id), PrevPriority: m.shownPriority(prev), NextPriority: m.priority(id)}
		for _, fact.Kind = range []trace.SchedKind{trace.SchedWaking, trace.SchedBlocked, trace.SchedWakeup} {
			if fact.Kind != trace.SchedBlocked || m.tasks[id].device {
				m.facts = append(m.facts, fact)
			}
		}
		m.tasks[id].device = false
	}
	m.woken = m.woken[:0]
}

// switchTo records the switch to the thread that has a core now.
func (m *machine) switchTo(core int) {
	c := &m.cores[core]
	if c.task != none {
		m.begin(core)
	}
	m.change(core, c.task)
}

// begin ends a core's idle time. After an idle time as long as its ramp the clock is at its lowest
// again.
func (m *machine) begin(core int) {
	c := &m.cores[core]
	if !c.idles {
		return
	}
	c.idles = false
	m.facts = append(m.facts, trace.SchedEvent{Wall: m.now, Kind: trace.CoreIdle, Core: core, Value: -1})
	if len(c.MHz) < 2 {
		return
	}
	if m.now-c.idleAt >= c.Ramp && c.step > 0 {
		c.step = 0
		m.recordClock(core)
	}
	if c.step+1 < len(c.MHz) {
		c.rise = m.now + c.Ramp
	}
}

// change records the switch of a core from its recorded thread to another.
func (m *machine) change(core int, next int32) {
	c := &m.cores[core]
	state := m.stateOf(c.shown)
	if state == trace.Uninterruptible {
		m.tasks[c.shown].device = true
	}
	m.facts = append(m.facts, trace.SchedEvent{Wall: m.now, Kind: trace.SchedSwitch, Core: core,
		Prev: int(c.shown), Next: int(next), PrevPriority: m.shownPriority(c.shown), NextPriority: m.shownPriority(next),
		State: state})
	c.shown = next
}

func (m *machine) shownPriority(id int32) int {
	if id == none {
		return DefaultPriority
	}
	return m.priority(id)
}

// stateOf returns the state in which a task leaves its core.
func (m *machine) stateOf(id int32) trace.SchedState {
	switch {
	case id == none:
		return trace.Ready
	case m.tasks[id].state == ended:
		return trace.Dead
	case m.tasks[id].state != asleep:
		return trace.Ready
	case m.tasks[id].wait == trace.IO:
		return trace.Uninterruptible
	}
	return trace.Sleeping
}

func (m *machine) showsElsewhere(id int32, core int) bool {
	at := m.shownAt(id)
	return at >= 0 && at != core
}

// shownAt returns the core on which a task is recorded, or -1.
func (m *machine) shownAt(id int32) int {
	for i := range m.cores {
		if m.cores[i].shown == id {
			return i
		}
	}
	return -1
}
