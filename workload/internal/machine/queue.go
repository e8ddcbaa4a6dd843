package machine

import (
	"slices"

	"artifice/trace"
)

// expire executes a timer.
func (m *machine) expire(x timer) {
	t := &m.tasks[x.task]
	switch {
	case t.state == ended:
	case x.ends:
		m.end(x.task)
	case t.state == asleep && x.number == t.number:
		if t.core < 0 && t.run.thread.Before && !m.opened {
			m.open(t)
		}
		t.state, t.work, t.left = ready, 0, m.program.Slice
		m.queue(x.task, false)
		m.woken = append(m.woken, x.task)
	}
}

// open enters the frames that were open before the trace.
func (m *machine) open(t *task) {
	for t.run.phase == opening {
		from := len(m.out)
		m.out = append(m.out, make([]trace.Event, 16)...)
		m.out = m.out[:from+t.run.open(m.out[from:])]
		for i := from; m.watcher != nil && i < len(m.out); i++ {
			m.watcher.Happens(&m.out[i]) // no overhead: the frame is from before the trace
		}
	}
}

// end ends a thread in any state.
func (m *machine) end(id int32) {
	t := &m.tasks[id]
	m.unmark(t)
	if t.state == onCore {
		m.cores[t.core].task = none
	}
	m.ready.remove(id, m.priority(id))
	m.leave(id)
	t.state, t.run.phase = ended, closing
	for m.err == nil && (t.run.phase != stopped || t.held != nil) {
		t.run.charged = 0 // it ends, regardless of the cost of its last events
		m.carryOut(t)
	}
	m.ends(id)
}

// readyQueue contains the runnable tasks, by priority and in order.
type readyQueue [LastPriority + 1][]int32

// has reports whether a task of a priority waits for a core.
func (q *readyQueue) has(priority int) bool { return len(q[priority]) > 0 }

// first returns the task to run first, or none.
func (q *readyQueue) first() int32 {
	for i := range q {
		if len(q[i]) > 0 {
			return q[i][0]
		}
	}
	return none
}

func (q *readyQueue) remove(id int32, priority int) {
	q[priority] = slices.DeleteFunc(q[priority], func(r int32) bool { return r == id })
}

// queue adds a runnable task after all of its priority, or before them.
func (m *machine) queue(id int32, inFront bool) {
	q := &m.ready[m.priority(id)]
	if inFront {
		*q = slices.Insert(*q, 0, id)
	} else {
		*q = append(*q, id)
	}
	m.fresh = append(m.fresh, id)
}

// endSlices takes the cores from threads that have used their slices, if others of their priority
// wait.
func (m *machine) endSlices() {
	for i := range m.cores {
		c := &m.cores[i]
		if c.task == none || m.tasks[c.task].left > 0 || !m.ready.has(m.priority(c.task)) {
			continue
		}
		m.tasks[c.task].left = m.program.Slice
		m.preempt(c, false)
	}
}

// preempt takes core c from its thread, which goes to the end or the front of its priority.
func (m *machine) preempt(c *coreState, inFront bool) {
	id := c.task
	c.task = none
	m.tasks[id].state = ready
	m.queue(id, inFront)
}

// dispatch assigns cores to runnable tasks, and marks those that get none.
func (m *machine) dispatch() {
	for id := m.ready.first(); id != none; id = m.ready.first() {
		c := m.coreFor(id)
		if c == nil {
			break
		}
		q := &m.ready[m.priority(id)]
		*q = (*q)[1:]
		if c.task != none {
			m.preempt(c, true)
		}
		if id == tracerTask {
			m.tracer = tracerThread{onCore, m.number(c)}
			continue
		}
		m.give(c, id)
	}
	for _, id := range m.fresh {
		if t := &m.tasks[id]; t.state == ready && !t.marked {
			t.marked = true
			m.mark(t, trace.Enter)
		}
	}
	m.fresh = m.fresh[:0]
}

// give assigns core c to a task. A task without remaining work continues immediately, and can leave
// the core in the same instant.
func (m *machine) give(c *coreState, id int32) {
	t := &m.tasks[id]
	m.unmark(t)
	t.state, c.task = onCore, id
	t.core = m.number(c)
	if t.work == 0 {
		m.proceed(c)
	}
	if c.task == none { // it has run for zero time, which is recorded
		m.pass(c, id)
	}
}

// coreFor returns the core that a task takes, or nil if there is none for it.
func (m *machine) coreFor(id int32) *coreState {
	var best *coreState
	last := m.tracer.core
	if id != tracerTask {
		last = m.tasks[id].core
	}
	for i := range m.cores {
		c := &m.cores[i]
		if !m.tracer.has(i) && c.task == none && (best == nil || c.Speed > best.Speed || c.Speed == best.Speed && i == last) {
			best = c
		}
	}
	if best != nil {
		return best
	}
	for i := range m.cores { // the slowest of those with the lowest priority
		c := &m.cores[i]
		switch {
		case m.tracer.has(i), m.priority(c.task) <= m.priority(id):
		case best == nil, m.priority(c.task) > m.priority(best.task),
			m.priority(c.task) == m.priority(best.task) && c.Speed < best.Speed:
			best = c
		}
	}
	return best
}

// number returns the number of core c.
func (m *machine) number(c *coreState) int {
	for i := range m.cores {
		if &m.cores[i] == c {
			return i
		}
	}
	return -1
}

// mark enters or leaves the frame that marks a thread as waiting for a core.
func (m *machine) mark(t *task, a trace.Action) {
	e := trace.Event{Wall: m.now, CPU: t.run.cpu, Method: m.runnable, Thread: t.run.id, Action: a}
	t.work += 1000 * int64(m.ran(&e))
	m.happen(t, e)
}

func (m *machine) unmark(t *task) {
	if t.marked {
		t.marked = false
		m.mark(t, trace.Exit)
	}
}

// raiseClocks raises the clocks of cores that have been busy long enough.
func (m *machine) raiseClocks() {
	for i := range m.cores {
		if c := &m.cores[i]; c.rise > 0 && c.rise <= m.now {
			m.setClock(i, c.step+1)
		}
	}
}

// setClock sets the clock of a core that is busy.
func (m *machine) setClock(core, step int) {
	c := &m.cores[core]
	c.step, c.rise = step, 0
	if step+1 < len(c.MHz) {
		c.rise = m.now + c.Ramp
	}
	m.recordClock(core)
}
