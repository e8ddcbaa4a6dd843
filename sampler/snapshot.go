package sampler

import (
	"slices"
	"time"

	"artifice/trace"
)

// openSnapshot is the start of a stack that a sampler still finds unchanged. It is kept if
// snapshots or slice ends need it.
type openSnapshot struct {
	wall, cpu time.Duration // timestamps of the first sample of the stack
	tickWall  time.Duration // begin of that sample's tick
	same      int           // outermost frames shared with the snapshot before
	tick      int64         // that tick's number, from 1; 0 = none yet
}

// snapshot ends the remembered stack of a thread and begins the one stamped now. The two share
// their outermost same frames. It is called before the memory changes.
func (s *Sampler) snapshot(id trace.ThreadID, now stamps, same int) {
	for int(id) >= len(s.open) {
		s.open = append(s.open, openSnapshot{})
	}
	s.writeSnapshot(id, s.ticks-1, now.wall)
	s.open[id] = openSnapshot{now.wall, now.cpu, s.tickWall, same, s.ticks}
}

// close ends the state of a thread that was last sampled at tick last: the current tick or the one
// before.
func (s *Sampler) close(id trace.ThreadID, last int64) {
	m := &s.memory[id]
	m.samples = last - m.first + 1
	m.first = 0
	if int(id) >= len(s.open) {
		return
	}
	o := &s.open[id]
	begin := s.tickWall
	if last < s.ticks {
		begin = s.lastWall
	}
	s.writeSnapshot(id, last, o.lastStamp(begin, last))
	o.tick = 0
}

// lastStamp returns the thread's timestamp in tick last, which began at begin. The tick did not
// compute it if the stack was unchanged. Its distance from the begin is then assumed to be that of
// the first sample of the stack.
func (o *openSnapshot) lastStamp(begin time.Duration, last int64) time.Duration {
	if last == o.tick {
		return o.wall
	}
	return begin + o.wall - o.tickWall
}

// sliceEnd returns the timestamps of the exits in the current tick, in which the thread's sample is
// stamped now. The configured rule derives them from this sample and the one before, which still
// contained the frames.
func (s *Sampler) sliceEnd(id trace.ThreadID, now stamps) (end stamps) {
	o := &s.open[id]
	last := o.lastStamp(s.lastWall, s.ticks-1)
	end.wall = s.cfg.SliceEnd.Between(min(last, now.wall), now.wall)
	if s.readsCPU {
		end.cpu = s.cfg.SliceEnd.Between(s.readings[id].before, now.cpu)
	}
	return end
}

// maxDumps is the maximum number of dumps. It keeps an invalid timestamp in a trace from filling
// the disk.
const maxDumps = 10_000_000

// dump writes the stacks of all threads in the current tick, with each thread's CPU time by the
// truth's count.
func (s *Sampler) dump(p *pass) {
	s.dumped = 0
	for i := range s.memory {
		id, m := trace.ThreadID(i), &s.memory[i]
		if m.first == 0 || s.err != nil {
			continue
		}
		s.snap = trace.Snapshot{Thread: id, Wall: s.stamp(p, id), Count: 1, Stack: m.stack}
		s.snap.Until = s.snap.Wall
		if s.readsCPU {
			s.snap.CPU = p.cpuAt(trace.ThreadID(i), s.at)
		}
		s.err = s.snaps.WriteSnapshot(&s.snap)
		if len(m.stack) > 0 {
			s.dumped++
		}
	}
}

// writeSnapshot writes the open snapshot of a thread that was last sampled at tick last.
func (s *Sampler) writeSnapshot(id trace.ThreadID, last int64, until time.Duration) {
	o := &s.open[id]
	if o.tick == 0 || s.snaps == nil || s.cfg.Dumps || s.err != nil {
		return
	}
	s.snap = trace.Snapshot{
		Thread: id,
		Wall:   o.wall,
		CPU:    o.cpu,
		Until:  until,
		Count:  last - o.tick + 1,
		Stack:  s.memory[id].stack,
		Same:   o.same,
	}
	if s.reorder != nil {
		kept := s.snap
		kept.Stack = slices.Clone(kept.Stack)
		s.reorder.add(s, heldSample{thread: id, snapshot: &kept})
		return
	}
	s.err = s.snaps.WriteSnapshot(&s.snap)
}
