package sampler

import (
	"math"
	"time"

	"artifice/trace"
)

// zeroLater is the zero of a thread that was sampled before its first event.
const zeroLater = time.Duration(math.MinInt64)

// recordedStartCPU is the CPU time that a thread of a recorded trace is taken
// to have used before its first event, from which that trace counts.
const recordedStartCPU = time.Millisecond

// readCPU returns a thread's CPU time since its zero at the current tick, setting that
// if need be (ART: Trace::ReadClocks). A recorded thread is taken to be there at all
// ticks: where the first of them came before its first event, that has its zero.
func (s *Sampler) readCPU(p *pass, m *memory, id trace.ThreadID) time.Duration {
	t := &p.threads[id]
	if !s.readsCPU {
		return 0
	}
	if !t.started {
		m.zero = zeroLater
		return 0
	}
	if m.zero == zeroLater || !m.set && !p.synthetic && s.ticks > 1 {
		s.setZero(m, s.absoluteCPU(t.firstCPU))
	}
	now := s.absoluteCPU(p.cpuAt(id, s.at))
	if !m.set {
		if s.setZero(m, now); !m.set {
			s.zeroless = append(s.zeroless, id)
		}
		return 0
	}
	return now - m.zero
}

// clockReading is what a sampler knows of the CPU clock of a thread between its looks at it. It
// is kept where frames end earlier than at the sample that does not find them.
type clockReading struct {
	clock  cpuClock      // at the last look: the thread has had no event before the tick that made the sampler look again
	before time.Duration // of the look at the current tick: what the clock showed at the tick before
}

// keepLook finds out what the CPU clock of a thread, which now shows cpu, showed at the
// tick before, and remembers the clock.
func (s *Sampler) keepLook(p *pass, m *memory, id trace.ThreadID, cpu time.Duration) {
	for int(id) >= len(s.looks) {
		s.looks = append(s.looks, clockReading{})
	}
	l, t := &s.looks[id], &p.threads[id]
	l.before = min(max(0, s.absoluteCPU(l.clock.at(s.lastAt))-m.zero), cpu)
	if t.started {
		p.cpuAt(id, s.at) // which finds out the limit
		l.clock = t.cpuClock
	}
}

// setZero takes a reading for a thread's zero.
func (s *Sampler) setZero(m *memory, reading time.Duration) {
	m.zero, m.set = reading, reading != 0 || s.cfg.Runtime.CountsFromZero
}

// absoluteCPU returns what the CPU clock of a thread shows that has used cpu by
// the truth's count. ART reads it in whole us: below one the reading is 0, which
// counts as none at all.
func (s *Sampler) absoluteCPU(cpu time.Duration) time.Duration {
	if s.truth.Info.Technique != trace.Truth {
		cpu += recordedStartCPU
	}
	if cpu < time.Microsecond {
		return 0
	}
	cpu = s.cfg.Cost.Read(cpu)
	if s.cfg.Runtime.WholeReadings {
		cpu = cpu.Truncate(s.cfg.Runtime.Tick)
	}
	return cpu
}

// readZeros reads the CPU clocks of the threads whose zero is not set. They are
// sampled at each tick like all others; other threads only when they changed.
func (s *Sampler) readZeros(p *pass, at time.Duration) {
	still := s.zeroless[:0]
	for _, id := range s.zeroless {
		t, m := &p.threads[id], &s.memory[id]
		if !t.living {
			continue
		}
		if s.setZero(m, s.absoluteCPU(p.cpuAt(id, at))); !m.set {
			still = append(still, id)
		}
	}
	s.zeroless = still
}

// setsZero reports whether a tick up to app time last could set the zero of a
// thread that has none yet, when no event comes before.
func (s *Sampler) setsZero(p *pass, last time.Duration) bool {
	for _, id := range s.zeroless {
		if p.threads[id].living && s.absoluteCPU(p.cpuAt(id, last)) != 0 {
			return true
		}
	}
	return false
}
