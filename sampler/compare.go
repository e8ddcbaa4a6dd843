package sampler

import (
	"slices"
	"time"

	"artifice/diffstack"
	"artifice/trace"
)

// memory is the state of one thread in earlier samples of a sampler.
type memory struct {
	stack []trace.MethodID // as seen last, outermost first

	// zero is the CPU reading that counts as 0: the first one, as the runtime keeps it
	// (Thread::GetTraceClockBase, Dalvik's cpuClockBase). zeroLater marks a thread sampled before
	// its first event.
	zero time.Duration
	set  bool // zero has been set; in ART a reading of 0 does not set it

	first   int64 // first tick that sampled the thread, from 1; 0: none yet, or closed
	samples int64 // number of ticks that sampled the thread; set when it is closed
}

// stamps are the timestamps of a sample of a thread. They are passed by value in registers:
// assembling an event in memory and copying it at once stalls the processor.
type stamps struct{ wall, cpu time.Duration }

// compare is ART's Trace::CompareAndUpdateStackTrace for one thread.
func (s *Sampler) compare(p *pass, id trace.ThreadID) {
	if int(id) >= len(s.memory) {
		s.memory = append(s.memory, make([]memory, len(p.threads)-len(s.memory))...)
	}
	t, m := &p.threads[id], &s.memory[id]
	if !t.living {
		if m.first > 0 {
			s.close(id, s.ticks-1)
			s.observeEnd(p, id, s.ticks)
		}
		if p.perThread && s.file != nil && p.synthetic {
			s.reorder.add(s, heldSample{thread: id, ends: true})
		}
		return
	}
	// 1. Read the clocks, CPU before wall, after the walk of this thread. The
	// first read sets the thread's CPU zero even if it has no frames.
	var cpu time.Duration
	if s.readsCPU {
		if cpu = s.readCPU(p, m, id); s.cfg.SliceEnd != diffstack.EndNext {
			s.keepReading(p, m, id, cpu)
		}
	}
	depth := p.seenDepth(t, s.cfg.Leaves)
	// A thread that existed at the last tick has been sampled already.
	isFirst := t.start > s.seen && m.first == 0
	if isFirst {
		m.first = s.ticks
	}
	if s.onlyObserved {
		s.observe(p, t, id, cpu, 0, t.stack.Unchanged(s.seen, depth), depth)
		return
	}
	s.update(p, t, m, id, cpu, depth, isFirst)
}

// update writes the changes of a sample of a thread, and remembers the first depth frames.
func (s *Sampler) update(p *pass, t *thread, m *memory, id trace.ThreadID, cpu time.Duration, depth int, isFirst bool) {
	same := s.same(t, m, id, depth)
	if s.observer != nil {
		s.observe(p, t, id, cpu, same, min(same, t.stack.Unchanged(s.seen, depth)), depth)
	}
	changed := same < len(m.stack) || same < depth
	if !changed && !(isFirst && s.opens()) {
		return
	}
	enter := stamps{s.stamp(p, id), cpu}
	exit := enter
	if s.opens() {
		if s.cfg.SliceEnd != diffstack.EndNext && len(m.stack) > 0 {
			exit = s.sliceEnd(id, enter)
		}
		s.snapshot(id, enter, same)
	}
	if changed {
		s.replace(p, m, id, same, t.stack.Methods()[:depth], exit, enter)
		s.keepSites(t, id, same, depth)
	}
}

// replace writes the events that turn the remembered stack into the sampled one, and remembers the
// sampled one. same is the number of outermost frames that the two stacks share.
func (s *Sampler) replace(p *pass, m *memory, id trace.ThreadID, same int, seen []trace.MethodID, exit, enter stamps) {
	s.stats.Changed++
	exited, entered := m.stack[same:], seen[same:]
	if s.reorder != nil {
		s.keep(id, exited, entered, exit, enter)
	} else if n := s.record(len(exited) + len(entered)); n > 0 {
		if !s.rec.Info.Clock.HasWall() {
			exit.wall, enter.wall = 0, 0
		}
		// 3. Exits, innermost first; enters, outermost first; all with one stamp.
		p.events = slices.Grow(p.events[:0], len(exited)+len(entered))
		events := p.events[:len(exited)+len(entered)]
		exit.exits(events[:len(exited)], id, exited)
		enter.enters(events[len(exited):], id, entered)
		s.err = s.out.WriteEvents(events[:n])
	}
	m.stack = append(m.stack[:same], entered...)
}

// keep buffers the events of a sample until all threads have reached its tick.
func (s *Sampler) keep(id trace.ThreadID, exited, entered []trace.MethodID, exit, enter stamps) {
	if !s.rec.Info.Clock.HasWall() {
		exit.wall, enter.wall = 0, 0
	}
	events := make([]trace.Event, len(exited)+len(entered))
	exit.exits(events[:len(exited)], id, exited)
	enter.enters(events[len(exited):], id, entered)
	s.reorder.add(s, heldSample{thread: id, events: events})
}

// exits sets events to the exits of frames, which are in order from the outermost.
func (s stamps) exits(events []trace.Event, id trace.ThreadID, exited []trace.MethodID) {
	for i, method := range exited {
		e := &events[len(exited)-1-i]
		e.Wall, e.CPU, e.Method, e.Thread, e.Action, e.Site = s.wall, s.cpu, method, id, trace.Exit, 0
	}
}

// enters sets events to the enters of frames.
func (s stamps) enters(events []trace.Event, id trace.ThreadID, entered []trace.MethodID) {
	for i, method := range entered {
		e := &events[i]
		e.Wall, e.CPU, e.Method, e.Thread, e.Action, e.Site = s.wall, s.cpu, method, id, trace.Enter, 0
	}
}

// stamp returns the wall time at which a thread is stamped in this tick.
func (s *Sampler) stamp(p *pass, id trace.ThreadID) time.Duration {
	if s.cfg.Cost.PerThread == 0 && s.cfg.Cost.PerFrame == 0 {
		return s.cfg.Cost.Read(s.tickWall + s.perTick)
	}
	var threads, frames int64
	if s.cfg.Runtime.NewestFirst {
		threads, frames = p.list.UpToNewestFirst(int(id))
	} else {
		threads, frames = p.list.UpTo(int(id))
	}
	return s.cfg.Cost.Read(s.tickWall + s.perTick + s.cfg.Cost.Walk(threads, frames))
}

// same returns the number of outermost frames that t shares with the stack remembered by the
// sampler. A sample reports depth frames of t.
func (s *Sampler) same(t *thread, m *memory, id trace.ThreadID, depth int) int {
	same := t.stack.Common(m.stack, s.seen, depth)
	switch s.cfg.Identity {
	case diffstack.BySite:
		same = t.stack.SameSites(*s.sitesOf(id), s.seen, same)
	case diffstack.ByCall:
		same = min(same, t.stack.Unchanged(s.seen, depth))
	}
	return same
}

// keepSites remembers the call sites of the first depth frames of t if they are needed. same is the
// number of outermost frames that have not changed.
func (s *Sampler) keepSites(t *thread, id trace.ThreadID, same, depth int) {
	if s.cfg.Identity != diffstack.BySite {
		return
	}
	sites := s.sitesOf(id)
	*sites = t.stack.AppendSites((*sites)[:same], same, depth)
}

// sitesOf returns the remembered call sites of a thread.
func (s *Sampler) sitesOf(id trace.ThreadID) *[]trace.Site {
	if int(id) >= len(s.sites) {
		s.sites = append(s.sites, make([][]trace.Site, len(s.memory)-len(s.sites))...)
	}
	return &s.sites[id]
}
