package timeline

import (
	"time"

	"artifice/trace"
)

// scheduled computes the time of a thread in each state from the kernel's scheduler events. The
// state before the first event of a thread is unknown.
type scheduled struct {
	sums   trace.ThreadStates
	of     *time.Duration // the state to which the time since then belongs; nil if unknown
	since  time.Duration
	slept  time.Duration // duration of the last uninterruptible sleep, if its cause is unknown
	device bool          // cause of the current state
}

// goes changes the state of a thread at a time.
func (s *scheduled) goes(to *time.Duration, now time.Duration) {
	if s.of != nil {
		d := max(0, now-s.since)
		*s.of += d
		if s.of == &s.sums.Uninterruptible {
			if s.slept = d; s.device {
				s.sums.Device += d
				s.slept = 0
			}
			s.device = false
		}
	}
	s.of, s.since = to, now
}

// Left records that a thread leaves its core, in a state given by the kernel's letters
// (prev_state).
func (m *Marks) Left(tid uint32, state []byte, at time.Duration) {
	if tid == 0 || len(state) == 0 {
		return
	}
	s := &m.task(tid).states
	switch state[0] {
	case 'R':
		s.goes(&s.sums.Runnable, at)
	case 'D':
		s.goes(&s.sums.Uninterruptible, at)
	case 'X', 'x', 'Z':
		s.goes(nil, at)
	default:
		s.goes(&s.sums.Sleeping, at)
	}
}

// Wakes records that a sleeping thread becomes runnable. The kernel reports this twice, before and
// after the wakeup.
func (m *Marks) Wakes(tid uint32, at time.Duration) {
	if s := &m.task(tid).states; s.of == &s.sums.Sleeping || s.of == &s.sums.Uninterruptible {
		s.goes(&s.sums.Runnable, at)
	}
}

// Blocked records that a thread waited for a device in its last uninterruptible sleep, which may
// have ended already.
func (m *Marks) Blocked(tid uint32) {
	s := &m.task(tid).states
	s.device = s.of == &s.sums.Uninterruptible
	s.sums.Device += s.slept
	s.slept = 0
}

// SetStates sets the states of the threads with calls.
func (m *Marks) SetStates() {
	for _, task := range m.tasks.all {
		if task.known {
			m.Calls.Symbols.Threads[task.thread].States = task.states.sums
		}
	}
}
