package timeline

import "time"

// onCore computes the CPU time of a thread from the kernel's sched_switch events, beginning at the
// first event with the thread.
type onCore struct {
	on    bool          // the thread has a core
	since time.Duration // time at which it got the core
	used  time.Duration // CPU time used before that
}

// at returns the CPU time of a thread when it writes a mark. The thread must have a core then, so a
// thread without a switch so far is assumed to have a core from this time on.
func (c *onCore) at(t time.Duration) time.Duration {
	if !c.on {
		c.start(t)
	}
	return c.used + max(0, t-c.since)
}

func (c *onCore) start(t time.Duration) { c.on, c.since = true, t }

func (c *onCore) stop(t time.Duration) {
	if c.on {
		c.used += max(0, t-c.since)
	}
	c.on = false
}

// Switch takes a core from one thread and gives it to another. The idle task, 0, is on
// many cores.
func (m *Marks) Switch(prev, next uint32, at time.Duration) {
	m.switched = true
	if prev != 0 {
		m.task(prev).cpu.stop(at)
	}
	if next != 0 {
		task := m.task(next)
		task.cpu.start(at)
		task.states.goes(&task.states.sums.OnCore, at)
	}
}

// cpuOf returns the CPU time of a thread when it writes a mark, or -1 if unknown.
func (m *Marks) cpuOf(task *markTask, at time.Duration) time.Duration {
	if !m.Clocked {
		return -1
	}
	return task.cpu.at(at)
}

// Finish ends the marks. Without switches, CPU times are unknown.
func (m *Marks) Finish() {
	m.Calls.cpu = m.Calls.cpu && m.switched
	m.SetStates()
}
