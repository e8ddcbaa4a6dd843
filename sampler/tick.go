package sampler

import (
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/diffstack"
	"artifice/trace"
)

// memory is what a sampler knows of one thread from earlier samples.
type memory struct {
	stack []trace.MethodID // as seen last, outermost first

	// zero is the CPU reading that counts as 0: the first one, as the runtime keeps
	// it (Thread::GetTraceClockBase, Dalvik's cpuClockBase). zeroLater is for a thread
	// sampled before its first event.
	zero time.Duration
	set  bool // it is known; in ART a reading of 0 leaves it unset for the next one

	first   int64 // the tick that saw the thread first, from 1; 0 = none yet, or closed
	samples int64 // ticks that saw it, once closed
}

// ticksBefore runs all ticks before app time limit.
func (p *pass) ticksBefore(limit time.Duration) error {
	if limit > maxTime {
		return fmt.Errorf("an event at %s: only %s can be sampled", limit, maxTime)
	}
	for len(p.queue) > 0 && p.queue[0].At < limit {
		next := &p.queue[0]
		p.startAndEnd(next.At)
		if cfg := &p.samplers[next.Value].cfg; p.running > 0 && cfg.Runtime.WaitsForGC && !cfg.Dumps {
			p.waiting = append(p.waiting, p.queue.Pop().Value)
			continue
		}
		p.countFrames()
		s := p.samplers[next.Value]
		s.tick(p, next.At)
		s.skip(p, limit)
		if s.err != nil {
			return s.err
		}
		next.At = s.next
		p.queue.Down()
	}
	p.stop = math.MaxInt64
	if len(p.queue) > 0 {
		p.stop = p.queue[0].At
	}
	return nil
}

// tick is one sample of all threads, at app time at: the loop body of ART's
// Trace::RunSamplingThread.
func (s *Sampler) tick(p *pass, at time.Duration) {
	s.ticks++
	s.lastAt, s.at = s.at, at
	s.lastWall, s.tickWall = s.tickWall, at+s.paused
	if s.ticks == 1 {
		s.stats.firstTick = s.tickWall
	}
	s.perTick = s.sched.perTick()

	// 1. Walk the threads in list order. One that has not changed since the
	// last tick shows the same stack, so there is nothing to compare.
	if len(s.zeroless) > 0 {
		s.readZeros(p, at)
	}
	for _, id := range p.changedSince(s.seen, s.cfg.Runtime.NewestFirst) {
		s.compare(p, trace.ThreadID(id), at)
	}
	s.seen, p.seen = p.changes, p.changes
	if s.cfg.Dumps && s.snaps != nil {
		s.dump(p)
	}

	// 2. The app goes on after the pause.
	pause := s.perTick + s.cfg.Cost.walk(p.list.threads(), p.list.frames)
	s.paused += pause
	s.longest = max(s.longest, pause)

	// 3. Sleep.
	s.next = at + s.sched.gap()
}

// skip runs at once the ticks that follow before app time limit, as far as they
// would find nothing changed: no event comes before limit.
func (s *Sampler) skip(p *pass, limit time.Duration) {
	if s.cfg.Dumps {
		if s.ticks+int64((limit-s.next)/s.cfg.Interval) > maxDumps {
			s.err = fmt.Errorf("an event at %s: by then, dumps every %s would be more than %d; use a longer interval", limit, s.cfg.Interval, maxDumps)
			return
		}
		if s.dumped > 0 {
			return
		}
	}
	if len(p.boundaries) > 0 {
		limit = min(limit, p.boundaries[0].At)
	}
	if s.next >= limit || s.setsZero(p, limit-1) {
		return
	}
	walk := s.cfg.Cost.walk(p.list.threads(), p.list.frames)
	if !s.sched.constant() {
		s.skipOneByOne(limit, walk)
		return
	}
	pause := s.cfg.Cost.PerTick + walk
	gap := s.next - s.at
	n := (limit-1-s.next)/gap + 1
	if !s.pauses(int64(n), walk) {
		return
	}
	s.ticks += int64(n)
	s.next += n * gap
	s.at, s.lastAt = s.next-gap, s.next-2*gap
	s.tickWall = s.at + s.paused - pause
	s.lastWall = s.lastAt + s.paused - 2*pause
}

// skipOneByOne runs the ticks before app time limit, none of which finds anything
// changed, whose gaps are random. Only of a very long time it leaps over the most.
func (s *Sampler) skipOneByOne(limit, walk time.Duration) {
	for s.next < limit {
		n, took := int64(1), time.Duration(0)
		if limit-s.next >= s.leapFrom {
			n, took = s.sched.leap(limit - s.next)
		}
		if n > 1 && !s.pauses(n-1, walk) {
			return
		}
		s.ticks += n
		s.lastAt, s.at = s.at, s.next+took
		s.lastWall, s.tickWall = s.tickWall, s.at+s.paused
		pause := s.sched.perTick() + walk
		s.paused += pause
		s.longest = max(s.longest, pause)
		s.next = s.at + s.sched.gap()
	}
}

// pauses adds n pauses that have this walk, or sets the error of those that are too many.
func (s *Sampler) pauses(n int64, walk time.Duration) bool {
	pause := s.cfg.Cost.PerTick + walk
	if pause > 0 && n > int64((maxTime-s.paused)/pause) {
		s.err = fmt.Errorf("%d samples with pauses of %s each before %s, while nothing happens: the trace would be too long for its times", n, pause, s.next)
		return false
	}
	s.paused += s.sched.perTicks(n) + time.Duration(n)*walk
	return true
}

// maxTime bounds times, so that sums of two can be told: half of what 64 bits hold,
// 146 years.
const maxTime = time.Duration(math.MaxInt64 / 2)

// changedSince returns the threads that changed after the change counter stood
// at seen, in the order of the list. It is valid until the next call.
func (p *pass) changedSince(seen uint64, newestFirst bool) []int32 {
	p.changed = p.changed[:0]
	for id := p.latest; id != none && p.threads[id].changed > seen; id = p.threads[id].older {
		p.changed = append(p.changed, id)
	}
	if len(p.changed) > 1 {
		slices.Sort(p.changed)
	}
	if newestFirst && len(p.changed) > 1 {
		newest := p.changed
		if newest[0] == 0 { // main stays first
			newest = newest[1:]
		}
		slices.Reverse(newest)
	}
	return p.changed
}

// countFrames tells the list how many frames the threads have that changed since the
// last tick of any sampler.
func (p *pass) countFrames() {
	if !p.list.countsFrames {
		return
	}
	for id := p.latest; id != none && p.threads[id].changed > p.seen; id = p.threads[id].older {
		frames := 0
		if t := &p.threads[id]; t.living {
			frames = t.stack.Depth()
		}
		p.list.set(int(id), frames)
	}
}

// compare is ART's Trace::CompareAndUpdateStackTrace for one thread.
func (s *Sampler) compare(p *pass, id trace.ThreadID, at time.Duration) {
	if int(id) >= len(s.memory) {
		s.memory = append(s.memory, make([]memory, len(p.threads)-len(s.memory))...)
	}
	t, m := &p.threads[id], &s.memory[id]
	if !t.living {
		if m.first > 0 {
			s.close(id, s.ticks-1)
			s.gone(p, id, s.ticks, at)
		}
		return
	}
	// 1. Read the clocks, CPU before wall, after the walk of this thread. The
	// first read sets the thread's CPU zero even if it has no frames.
	var cpu time.Duration
	if s.readsCPU {
		cpu = s.readCPU(p, m, id, at)
	}
	depth := p.seenDepth(t, s.cfg.Leaves)
	// A thread that was there at the last tick has been seen already.
	isFirst := t.start > s.seen && m.first == 0
	if isFirst {
		m.first = s.ticks
	}
	if s.onlyObserved {
		s.observe(p, t, id, at, cpu, 0, t.stack.Unchanged(s.seen, depth), depth)
		return
	}
	s.update(p, id, at, cpu, depth, isFirst)
}

// update writes what a sample of a thread changes, and remembers its stack of so many
// frames.
func (s *Sampler) update(p *pass, id trace.ThreadID, at, cpu time.Duration, depth int, isFirst bool) {
	t, m := &p.threads[id], &s.memory[id]
	same := s.same(t, id, depth)
	if s.observer != nil {
		s.observe(p, t, id, at, cpu, same, min(same, t.stack.Unchanged(s.seen, depth)), depth)
	}
	changed := same < len(m.stack) || same < depth
	if !changed && !(isFirst && s.opens()) {
		return
	}
	e := trace.Event{Wall: s.stamp(p, id), CPU: cpu, Thread: id}
	exit := e
	if s.opens() {
		if s.cfg.SliceEnd != diffstack.EndNext && len(m.stack) > 0 {
			exit = s.sliceEnd(id, e)
		}
		s.snapshot(id, e)
	}
	if changed {
		s.replace(p, m, same, t.stack.Methods()[:depth], exit, e)
		s.keepSites(t, id, same, depth)
	}
}

// replace writes the events that lead from the stack remembered to the one
// seen, of which same frames are the same, and remembers the latter. exit and
// enter have the events' stamps.
func (s *Sampler) replace(p *pass, m *memory, same int, seen []trace.MethodID, exit, enter trace.Event) {
	s.stats.Changed++
	gone, entered := m.stack[same:], seen[same:]
	if n := s.record(len(gone) + len(entered)); n > 0 {
		if !s.rec.Info.Clock.HasWall() {
			exit.Wall, enter.Wall = 0, 0
		}
		// 3. Exits, innermost first; enters, outermost first; all with one stamp.
		p.events = slices.Grow(p.events[:0], len(gone)+len(entered))
		events := p.events[:len(gone)+len(entered)]
		exit.Action, enter.Action = trace.Exit, trace.Enter
		for i, exits := 0, events[:len(gone)]; i < len(exits); i++ {
			exits[i] = exit
			exits[i].Method = gone[len(gone)-1-i]
		}
		for i, enters := 0, events[len(gone):]; i < len(enters); i++ {
			enters[i] = enter
			enters[i].Method = entered[i]
		}
		s.err = s.out.WriteEvents(events[:n])
	}
	m.stack = append(m.stack[:same], entered...)
}

// stamp returns the wall time at which a thread is stamped in this tick.
func (s *Sampler) stamp(p *pass, id trace.ThreadID) time.Duration {
	if s.cfg.Cost.PerThread == 0 && s.cfg.Cost.PerFrame == 0 {
		return s.cfg.Cost.read(s.tickWall + s.perTick)
	}
	var threads, frames int64
	if s.cfg.Runtime.NewestFirst {
		threads, frames = p.list.upToNewestFirst(int(id))
	} else {
		threads, frames = p.list.upTo(int(id))
	}
	return s.cfg.Cost.read(s.tickWall + s.perTick + s.cfg.Cost.walk(threads, frames))
}

// same returns how many of the outermost frames of t, of which a sample reports
// depth, are those that the sampler remembers.
func (s *Sampler) same(t *thread, id trace.ThreadID, depth int) int {
	same := t.stack.Common(s.memory[id].stack, s.seen, depth)
	switch s.cfg.Identity {
	case diffstack.BySite:
		same = t.stack.SameSites(*s.sitesOf(id), s.seen, same)
	case diffstack.ByCall:
		same = min(same, t.stack.Unchanged(s.seen, depth))
	}
	return same
}

// keepSites remembers the call sites of the first depth frames of t, of which same
// are the same as before, if they are needed.
func (s *Sampler) keepSites(t *thread, id trace.ThreadID, same, depth int) {
	if s.cfg.Identity != diffstack.BySite {
		return
	}
	sites := s.sitesOf(id)
	*sites = t.stack.AppendSites((*sites)[:same], same, depth)
}

// sitesOf returns what the sampler remembers of the call sites of a thread.
func (s *Sampler) sitesOf(id trace.ThreadID) *[]trace.Site {
	if int(id) >= len(s.sites) {
		s.sites = append(s.sites, make([][]trace.Site, len(s.memory)-len(s.sites))...)
	}
	return &s.sites[id]
}
