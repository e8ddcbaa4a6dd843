package sampler

import (
	"time"

	"artifice/trace"
)

// tickTimes holds the ticks of a sampler that at least one thread has not yet met.
type tickTimes struct {
	recent [4]numberedTick // ticks looked up last, by the last bits of their numbers: most threads meet a tick at about the same time
	base   int64           // number of the first in list
	near   int64           // number that tickFrom returned last: threads that wake at about the same time resume at the same tick
	next   time.Duration   // wall time of the tick after the last
	held   bool            // the next tick waits for the end of a collection
	list   tickQueue
	sum    time.Duration // of all pauses

	drawn []draw // random values of ticks that were fixed and no longer are, the last first
}

// numberedTick is a tick with its number; number 0 means none.
type numberedTick struct {
	k int64
	tickTime
}

// draw holds the random values of a tick.
type draw struct{ perTick, gap time.Duration }

// tickAt returns the k-th tick, and fixes it if no thread has reached it before. ok is false while
// a collection delays it.
func (s *Sampler) tickAt(p *pass, k int64) (tick tickTime, ok bool) {
	t := &s.times
	if r := &t.recent[k%int64(len(t.recent))]; r.k == k {
		return r.tickTime, true
	}
	for k-t.base >= int64(t.list.n) {
		if t.held {
			return tick, false
		}
		s.fix(p)
	}
	if k < t.base {
		return tick, false
	}
	return t.at(k), true
}

// at returns the k-th tick, which must be fixed.
func (t *tickTimes) at(k int64) tickTime {
	r := &t.recent[k%int64(len(t.recent))]
	if r.k != k {
		*r = numberedTick{k, t.list.At(int(k - t.base))}
	}
	return r.tickTime
}

// fix fixes the next tick: it walks the threads that exist now.
func (s *Sampler) fix(p *pass) {
	t := &s.times
	if t.base+int64(t.list.n) == 1 {
		s.firstWall = t.next
	}
	if s.cores != nil {
		s.fixByCores()
		return
	}
	var d draw
	if last := len(t.drawn) - 1; last >= 0 {
		d = t.drawn[last]
		t.drawn = t.drawn[:last]
	} else {
		d.perTick = s.sched.PerTick()
		d.gap = s.sched.Gap()
	}
	tick := tickTime{Wall: t.next, PerTick: d.perTick, Pause: d.perTick + s.cfg.Cost.Stop(p.list.Threads(), p.list.Frames)}
	t.list.Push(tick)
	t.next += tick.Pause + d.gap
	t.sum += tick.Pause
	s.longest = max(s.longest, tick.Pause)
}

// unfix undoes the fixing of the last tick, which no thread has reached. The next tick comes right
// after its gap: no thread has reached a collection after it that would delay the next tick.
func (s *Sampler) unfix() {
	t := &s.times
	tick := t.list.Pop()
	clear(t.recent[:])
	t.sum -= tick.Pause
	if s.cores != nil {
		s.cores.untake(tick)
		t.next, t.held = tick.Wall, false
		return
	}
	t.drawn = append(t.drawn, draw{tick.PerTick, t.next - tick.Wall - tick.Pause})
	t.next = tick.Wall
}

// tickFrom returns the number of the first tick, starting at the k-th, that has not ended at a wall
// time.
func (s *Sampler) tickFrom(p *pass, k int64, wall time.Duration) int64 {
	t := &s.times
	for !t.held && t.next <= wall {
		s.fix(p)
	}
	k = max(k, t.base)
	fixed := t.base + int64(t.list.n)
	if k < t.near && t.near <= fixed && t.at(t.near-1).EndedBy(wall) {
		k = t.near
	}
	if k < fixed && t.at(k).EndedBy(wall) {
		k = t.base + int64(t.list.Search(int(k+1-t.base), wall))
	}
	t.near = k
	return k
}

// forget drops the ticks that no thread can meet any more once all threads have reached an app
// time, except the last of them.
func (t *tickTimes) forget(now time.Duration) {
	if n := t.list.Search(0, now) - 1; n >= 1024 {
		t.list.Drop(n)
		t.base += int64(n)
	}
}

// fixBefore fixes all ticks that a thread reaches before an app time, with the threads in their
// state at that time, up to which the truth has been read. It fixes no later tick: a later tick can
// find other threads, or wait for a collection.
func (p *pass) fixBefore(limit time.Duration) {
	p.countFrames()
	p.seen = p.changes
	p.settle(limit)
	for i, reached := range p.reached(limit) {
		s := p.samplers[i]
		t := &s.times
		for !t.held && t.next < reached {
			s.fix(p)
		}
		for t.list.n > 0 && t.list.At(t.list.n-1).Wall >= reached {
			s.unfix()
		}
	}
}

// findTicks recomputes when each awake thread meets its next ticks.
func (p *pass) findTicks() {
	for id := range p.threads {
		l := p.threads[id].delays
		if l == nil {
			continue
		}
		l.next.SetAll(func(i int) time.Duration {
			if l.next.Sleeps(i) {
				return never
			}
			if tick, ok := p.samplers[i].tickAt(p, l.of[i].tick); ok {
				return tick.Wall - l.of[i].late
			}
			return never
		})
	}
}

// bring advances the delays of all threads to an app time up to which the truth has been read, and
// releases what is complete by then. It is called after each window, and more often where a window
// is long: ticks take memory until all threads have met them.
func (p *pass) bring(now time.Duration) error {
	p.brought = now
	p.settle(now)
	for _, s := range p.samplers {
		s.times.forget(now)
		if s.reorder != nil {
			if err := s.reorder.flush(s, s.firstOpen(p, now)); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstOpen returns the number of the first tick that at least one thread has not yet met.
func (s *Sampler) firstOpen(p *pass, now time.Duration) int64 {
	return s.tickFrom(p, 1, now)
}

// readZero reads the CPU clock of a thread that has no zero yet.
func (s *Sampler) readZero(p *pass, id trace.ThreadID) {
	if int(id) >= len(s.memory) {
		return
	}
	if m := &s.memory[id]; s.readsCPU && p.threads[id].started && !m.set && m.zero != zeroLater {
		s.setZero(m, id, s.absoluteCPU(p.cpuAt(id, s.at)))
	}
}

// nextByCores computes the next tick of a sampler that waits for cores and returns its app time, if
// all threads share one delay. It returns never if a collection that does not end delays the tick.
func (s *Sampler) nextByCores() time.Duration {
	wall, ok := s.cores.peek()
	s.times.next, s.times.held, s.next = wall, !ok, wall-s.paused
	if !ok {
		return never
	}
	return s.next
}

// fixByCores is fix for a sampler that waits for cores.
func (s *Sampler) fixByCores() {
	t := &s.times
	tick := s.cores.take(t.next)
	t.list.Push(tick.tickTime)
	t.sum += tick.Pause
	s.longest = max(s.longest, tick.Pause)
	s.nextByCores()
}
