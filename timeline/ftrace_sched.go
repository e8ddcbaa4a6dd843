package timeline

import (
	"bytes"
	"time"

	"artifice/internal/decode"
)

// onCore is the CPU time of a thread by the kernel's sched_switch, from the first event
// that names it.
type onCore struct {
	on    bool          // it has a core
	since time.Duration // when it got it
	used  time.Duration // before that
}

// at returns the CPU time that a thread has used which writes a mark, for which it must
// have a core: one whose switch is not in the text has it from here on.
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

// schedSwitch reads the two thread ids of
//
//	prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
//
// where a name can have anything in it.
func schedSwitch(text []byte) (prev, next uint32, ok bool) {
	pid := func(key string) (uint32, bool) {
		at := bytes.LastIndex(text, []byte(key))
		if at < 0 {
			return 0, false
		}
		word, _, _ := bytes.Cut(text[at+len(key):], []byte(" "))
		n, ok := decode.Uint(word)
		return uint32(n), ok && n <= 1<<32-1
	}
	prev, first := pid(" prev_pid=")
	next, second := pid(" next_pid=")
	return prev, next, first && second
}

// change takes a core from one thread and gives it to another. The idle task, 0, is on
// many cores.
func (m *Marks) change(text []byte, at time.Duration) {
	prev, next, ok := schedSwitch(text)
	if !ok {
		return
	}
	m.switched = true
	if prev != 0 {
		m.task(prev).cpu.stop(at)
	}
	if next != 0 {
		m.task(next).cpu.start(at)
	}
}

// cpuOf returns the CPU time of a thread that writes a mark, -1 where nothing tells.
func (m *Marks) cpuOf(task *markTask, at time.Duration) time.Duration {
	if !m.clocked {
		return -1
	}
	return task.cpu.at(at)
}
