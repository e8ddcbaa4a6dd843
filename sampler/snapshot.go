package sampler

import (
	"time"

	"artifice/trace"
)

// openSnapshot is the beginning of a stack that a sampler goes on seeing.
type openSnapshot struct {
	wall, cpu time.Duration // stamps of the first sample that saw it
	tickWall  time.Duration // when that sample's tick began
	tick      int64         // its number, from 1; 0 = none yet
}

// snapshot ends the stack remembered of a thread and begins the one that is
// stamped by e. It is called before the memory changes.
func (s *Sampler) snapshot(id trace.ThreadID, e trace.Event) {
	for int(id) >= len(s.open) {
		s.open = append(s.open, openSnapshot{})
	}
	s.writeSnapshot(id, s.ticks-1, e.Wall)
	s.open[id] = openSnapshot{e.Wall, e.CPU, s.tickWall, s.ticks}
}

// close ends what is known of a thread that tick last was the last to see: the
// current tick or the one before it.
func (s *Sampler) close(id trace.ThreadID, last int64) {
	m := &s.memory[id]
	m.samples = last - m.first + 1
	m.first = 0
	if int(id) >= len(s.open) {
		return
	}
	// The thread's stamp in its last sample was not computed, since its stack
	// had not changed. Its distance from the begin of the tick is taken to be
	// that of its first.
	o := &s.open[id]
	until := o.wall
	if last > o.tick {
		begin := s.tickWall
		if last < s.ticks {
			begin = s.lastWall
		}
		until = begin + o.wall - o.tickWall
	}
	s.writeSnapshot(id, last, until)
	o.tick = 0
}

// writeSnapshot writes the open snapshot of a thread, last seen by tick last.
func (s *Sampler) writeSnapshot(id trace.ThreadID, last int64, until time.Duration) {
	o := &s.open[id]
	if o.tick == 0 || s.err != nil {
		return
	}
	s.snap = trace.Snapshot{
		Thread: id,
		Wall:   o.wall,
		CPU:    o.cpu,
		Until:  until,
		Count:  last - o.tick + 1,
		Stack:  s.memory[id].stack,
	}
	s.err = s.snaps.WriteSnapshot(&s.snap)
}
