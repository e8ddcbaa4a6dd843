package sampler

import (
	"math"
	"time"

	"artifice/art"
	"artifice/trace"
)

// zeroLater is the zero of a thread that was sampled before its first event.
const zeroLater = time.Duration(math.MinInt64)

// recordedStartCPU is the CPU time that a thread of a recorded trace is assumed to have used before
// its first event, at which the trace's CPU clock starts to count.
const recordedStartCPU = time.Millisecond

// readCPU returns a thread's CPU time since its zero at the current tick, and sets the zero if
// necessary (ART: Trace::ReadClocks). A recorded thread is assumed to exist at all ticks: if the
// first tick came before the thread's first event, that event's reading is the zero.
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
		s.setZero(m, id, s.absoluteCPU(t.firstCPU))
	}
	now := s.absoluteCPU(p.cpuAt(id, s.at))
	if !m.set {
		if s.setZero(m, id, now); !m.set {
			s.zeroless = append(s.zeroless, id)
		}
	}
	return now - m.zero
}

// clockReading is the state of a thread's CPU clock between a sampler's reads of it. It is kept
// only if [Config.SliceEnd] can set the end of a frame before the sample that no longer contains
// it.
type clockReading struct {
	clock  cpuClock      // at the last read; no event of the thread is between the two reads
	before time.Duration // the CPU reading at the tick before the current one
}

// keepReading computes the reading of a thread's CPU clock at the tick before, given that it now reads
// cpu, and remembers the clock.
func (s *Sampler) keepReading(p *pass, m *memory, id trace.ThreadID, cpu time.Duration) {
	for int(id) >= len(s.readings) {
		s.readings = append(s.readings, clockReading{})
	}
	l, t := &s.readings[id], &p.threads[id]
	l.before = min(max(0, s.absoluteCPU(l.clock.at(s.lastAt))-m.zero), cpu)
	if t.started {
		p.cpuAt(id, s.at) // cpuAt also computes the clock's limit
		l.clock = t.cpuClock
	}
}

// setZero sets a thread's zero to a reading, or to that of an earlier trace ([Config.Again]).
func (s *Sampler) setZero(m *memory, id trace.ThreadID, reading time.Duration) {
	if s.cfg.Again && s.truth.Symbols.Threads[id].Start == 0 {
		reading = min(reading, art.FirstReading)
	}
	m.zero, m.set = reading, reading != 0 || s.cfg.Runtime.CountsFromZero
}

// absoluteCPU returns the reading of a thread's CPU clock after cpu of CPU time by the truth's
// count. ART up to 15 reads it in whole microseconds: below 1 µs the reading is 0, which ART takes
// for an unset value.
func (s *Sampler) absoluteCPU(cpu time.Duration) time.Duration {
	if s.truth.Info.Technique != trace.Truth {
		cpu += recordedStartCPU
	}
	tick := s.cfg.Runtime.Tick
	if cpu < tick {
		return 0
	}
	cpu = s.cfg.Cost.Read(cpu)
	if s.cfg.Runtime.WholeReadings && s.file != nil { // other outputs have exact clocks
		cpu = cpu.Truncate(tick)
	}
	return cpu
}

// readZeros reads the CPU clocks of the threads with no zero yet. They are sampled at each tick;
// other threads only when they change.
func (s *Sampler) readZeros(p *pass, at time.Duration) {
	still := s.zeroless[:0]
	for _, id := range s.zeroless {
		t, m := &p.threads[id], &s.memory[id]
		if !t.living {
			continue
		}
		if s.setZero(m, id, s.absoluteCPU(p.cpuAt(id, at))); !m.set {
			still = append(still, id)
		}
	}
	s.zeroless = still
}

// setsZero reports whether a tick up to app time last could set the zero of a thread, if no event
// comes before.
func (s *Sampler) setsZero(p *pass, last time.Duration) bool {
	for _, id := range s.zeroless {
		if p.threads[id].living && s.absoluteCPU(p.cpuAt(id, last)) != 0 {
			return true
		}
	}
	return false
}
