package sampler

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"artifice/trace"
)

// ticksBefore runs all ticks before app time limit.
func (p *pass) ticksBefore(limit time.Duration) error {
	if limit > maxTime {
		return fmt.Errorf("an event at %s: only times up to %s can be sampled", limit, maxTime)
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
		if next.At = s.next; s.times.held { // with cores, they determine the time
			next.At = never
		}
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
	var tick tickTime
	if s.cores != nil {
		tick = s.cores.take(s.tickWall).tickTime
		s.perTick = tick.PerTick
	} else {
		s.perTick = s.sched.PerTick()
	}

	// 1. Walk the threads in list order. A thread that has not changed since the last tick has the
	// same stack and needs no comparison.
	if len(s.zeroless) > 0 {
		s.readZeros(p, at)
	}
	for _, id := range p.changedSince(s.seen, s.cfg.Runtime.NewestFirst) {
		s.compare(p, trace.ThreadID(id))
	}
	s.seen, p.seen = p.changes, p.changes
	if s.cfg.Dumps && s.snaps != nil {
		s.dump(p)
	}

	// 2. The app resumes after the pause.
	pause := s.perTick + s.cfg.Cost.Stop(p.list.Threads(), p.list.Frames)
	if s.cores != nil {
		pause = tick.Pause
	}
	s.paused += pause
	s.longest = max(s.longest, pause)

	// 3. Sleep. Meanwhile the app's threads are scheduled again.
	if s.cores == nil {
		s.next = at + s.sched.Gap()
		return
	}
	s.nextByCores()
	s.err = cmp.Or(s.err, s.cores.checkIdle())
}

// skip advances past the following ticks before app time limit at which nothing can have changed,
// because no event comes before limit. The next tick, or the end of the run, takes the last skipped
// tick as its predecessor.
func (s *Sampler) skip(p *pass, limit time.Duration) {
	if s.cfg.Dumps {
		if s.ticks+int64((limit-s.next)/s.cfg.Interval) > maxDumps {
			s.err = fmt.Errorf("more than %d dumps up to an event at %s, with a dump every %s; use a longer interval", maxDumps, limit, s.cfg.Interval)
			return
		}
		if s.dumped > 0 {
			return
		}
	}
	if len(p.boundaries) > 0 {
		limit = min(limit, p.boundaries[0].At)
	}
	if s.cores != nil || s.next >= limit || s.setsZero(p, limit-1) {
		return
	}
	stop := s.cfg.Cost.Stop(p.list.Threads(), p.list.Frames)
	if !s.sched.Constant() {
		s.skipOneByOne(limit, stop)
		return
	}
	pause := s.cfg.Cost.PerTick + stop
	gap := s.next - s.at
	n := (limit-1-s.next)/gap + 1
	if !s.addPauses(int64(n), stop) {
		return
	}
	s.ticks += int64(n)
	s.next += n * gap
	s.at = s.next - gap
	s.tickWall = s.at + s.paused - pause
}

// skipOneByOne runs the ticks before app time limit at random gaps; nothing changes at any of them.
// Very long spans are mostly skipped.
func (s *Sampler) skipOneByOne(limit, stop time.Duration) {
	for s.next < limit {
		n, took := int64(1), time.Duration(0)
		if limit-s.next >= s.minSkip {
			n, took = s.sched.Skip(limit - s.next)
		}
		if n > 1 && !s.addPauses(n-1, stop) {
			return
		}
		s.ticks += n
		s.at = s.next + took
		s.tickWall = s.at + s.paused
		pause := s.sched.PerTick() + stop
		s.paused += pause
		s.longest = max(s.longest, pause)
		s.next = s.at + s.sched.Gap()
	}
}

// addPauses adds n pauses, each of the initial part of a tick plus the stop duration, or sets an
// error if there are too many.
func (s *Sampler) addPauses(n int64, stop time.Duration) bool {
	pause := s.cfg.Cost.PerTick + stop
	if pause > 0 && n > int64((maxTime-s.paused)/pause) {
		s.err = fmt.Errorf("%d samples with pauses of %s each, but no event until %s: the trace would be too long", n, pause, s.next)
		return false
	}
	s.paused += s.sched.PerTicks(n) + time.Duration(n)*stop
	return true
}

// maxTime bounds times, so that sums of two do not overflow: half of the 64-bit range,
// 146 years.
const maxTime = time.Duration(math.MaxInt64 / 2)

// changedSince returns the threads that changed after the change counter was at seen, in list
// order. The result is valid until the next call. Few threads need sorting at each tick; a bit set
// does so without unpredictable branches.
func (p *pass) changedSince(seen uint64, newestFirst bool) []int32 {
	low, high := len(p.marks), -1
	for id := p.latest; id != none && p.threads[id].changed > seen; id = p.threads[id].older {
		word := int(id / 64)
		p.marks[word] |= 1 << (id % 64)
		low, high = min(low, word), max(high, word)
	}
	p.changed = p.changed[:0]
	for word := low; word <= high; word++ {
		for ; p.marks[word] != 0; p.marks[word] &= p.marks[word] - 1 {
			p.changed = append(p.changed, int32(64*word+bits.TrailingZeros64(p.marks[word])))
		}
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

// countFrames updates the list's frame counts of the threads that changed since the last tick of
// any sampler.
func (p *pass) countFrames() {
	if !p.list.CountsFrames {
		return
	}
	for id := p.latest; id != none && p.threads[id].changed > p.seen; id = p.threads[id].older {
		frames := 0
		if t := &p.threads[id]; t.living {
			frames = t.stack.Depth()
		}
		p.list.Set(int(id), frames)
	}
}
