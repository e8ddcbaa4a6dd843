package sampler

import (
	"errors"
	"fmt"
	"math"
	"time"

	"artifice/internal/recorder"

	"artifice/trace"
)

// setUpDelays prepares the samplers of a pass in which each thread has its own delay.
func (p *pass) setUpDelays() error {
	p.minSkip = never
	for i, s := range p.samplers {
		if !s.cfg.delaysPerThread() && s.cfg.Cost.TakesTime() || s.cfg.Dumps {
			return fmt.Errorf("sampler %d delays all threads alike, other samplers of the pass delay each thread separately", i)
		}
		p.minSkip = min(p.minSkip, s.minSkip)
		s.times = tickTimes{base: 1, next: s.next}
		s.times.list.perTick, s.times.list.varies = s.cfg.Cost.PerTick, len(s.cfg.Cost.PerTicks) > 0
	}
	return nil
}

// setUpOutputs prepares the samplers' outputs, which are known when the first event is read.
func (p *pass) setUpOutputs() {
	for _, s := range p.samplers {
		if s.out != nil || s.snaps != nil {
			s.reorder = &reorderBuffer{}
		}
	}
}

// plainDelays is plain for threads with their own delays.
func (p *pass) plainDelays(w *window, i int) int {
	events, threads, kinds := w.events, p.threads, p.kinds
	if p.list.CountsFrames || p.follower != nil {
		return i
	}
	now, changes := p.now, p.changes
	for ; i < len(events); i++ {
		e := &events[i]
		if e.Wall < now || int(e.Thread) >= len(threads) || int(e.Method) >= len(kinds) {
			break
		}
		t := &threads[e.Thread]
		if !t.plain || t.stack.Full() || kinds[e.Method]&(hidden|collector) != 0 {
			break
		}
		l := t.delays
		if e.Wall > l.next.First() || l.next.AnySleeps() || l.wait.Absorbs() || len(p.boundaries) > 0 && p.boundaries[0].At <= e.Wall {
			break
		}
		if l.state == recorder.Waiting {
			if p.place = i; p.awaits(t, e.Thread, e.Wall) {
				break
			}
		}
		if t.changed <= p.seen {
			p.moveFirst(t, e.Thread)
		}
		changes++
		t.changed = changes
		t.stack.Change(e, e.Site, changes)
		now = e.Wall
		t.wall, t.cpu, t.limit = now, max(t.cpu, e.CPU), w.limit(i)
		p.place = i + 1
		p.setState(t, e.Thread)
	}
	p.now, p.changes = now, changes
	return i
}

// arriveAt advances the thread of an event to that event.
func (p *pass) arriveAt(e *trace.Event) error {
	at := e.Wall
	if at > maxTime {
		return fmt.Errorf("an event at %s: only times up to %s can be sampled", at, maxTime)
	}
	if err := p.asked(); err != nil {
		return err
	}
	if err := p.skipIdle(at); err != nil {
		return err
	}
	p.startAndEnd(at)
	if p.list.CountsFrames {
		p.fixBefore(at)
	}
	if int(e.Thread) < len(p.threads) {
		if t := &p.threads[e.Thread]; t.delays != nil {
			p.arriveLinked(t, e, max(at, p.now))
		}
	}
	return nil
}

// skipIdle skips most of a very long time without events, up to the starts and ends of threads in it
// and between them.
func (p *pass) skipIdle(to time.Duration) error {
	if to-p.now < p.minSkip {
		return nil
	}
	from := p.now
	for len(p.boundaries) > 0 && p.boundaries[0].At < to {
		next := p.boundaries[0].At
		if err := p.skipBetween(from, next); err != nil {
			return err
		}
		p.startAndEnd(next)
		from = max(from, next)
	}
	return p.skipBetween(from, to)
}

// skipBetween skips most of a very long time in which nothing happens.
func (p *pass) skipBetween(from, to time.Duration) error {
	for i, s := range p.samplers {
		if to-from < s.minSkip || s.times.held || s.cores != nil {
			continue
		}
		if err := p.skipTicks(i, from, to); err != nil {
			return err
		}
	}
	return nil
}

// maxReplayed limits the ticks of a time without events that are replayed to sample threads that wake
// or start at its end on time. The ticks that the least delayed thread has not met are in memory.
const maxReplayed = 1 << 20

// skipTicks skips ticks of one sampler. First each thread is sampled once more; after that nothing
// changes. A running thread meets ticks at the distance of the gaps in its own time, which pauses
// stretch; threads can wake or start at the time of the next event, whatever the pauses. The ticks
// that fit are skipped by delaying the running threads and the ticks that are already computed. If
// more than [maxReplayed] would be left, all are skipped, and threads that wake or start are sampled
// late.
func (p *pass) skipTicks(i int, since, to time.Duration) error {
	s := p.samplers[i]
	from := p.settledAt(i, since)
	if to-from < s.minSkip {
		return nil
	}
	p.fixBefore(from)
	t, run, wake := &s.times, false, false
	for _, b := range p.boundaries {
		wake = wake || !b.Value.end
	}
	for id := range p.threads {
		switch th := &p.threads[id]; {
		case p.runs(i, trace.ThreadID(id), to):
			run = true
			l := &th.delays.of[i]
			tick, _ := s.tickAt(p, l.tick)
			from = max(from, tick.Wall-l.late)
		case th.living && th.delays != nil:
			wake = true
		}
	}
	if !run {
		from = max(from, t.next)
	}
	room := to - from
	if room < s.minSkip {
		return nil
	}
	pause := s.cfg.Cost.PerTick + s.cfg.Cost.Stop(p.list.Threads(), p.list.Frames)
	mean, _ := s.sched.Moments()
	until := to - max(from, t.next)
	if fits := time.Duration(float64(until) * mean / (mean + float64(pause))); !run || wake && float64(room-fits) <= maxReplayed*mean {
		if until < s.minSkip {
			return nil
		}
		room = fits
	}
	n, took := s.ticksWithin(room)
	if pause > 0 && n > int64((maxTime-t.sum)/pause) {
		return fmt.Errorf("%d samples with pauses of %s each, but no event until %s: the trace would be too long", n, pause, to)
	}
	pauses := s.sched.PerTicks(n) + time.Duration(n)*s.cfg.Cost.Stop(p.list.Threads(), p.list.Frames)
	t.sum += pauses
	t.base += n
	t.next += took + pauses
	t.list.Delay(took + pauses)
	clear(t.recent[:])
	for id := range p.threads {
		l := p.threads[id].delays
		if l == nil {
			continue
		}
		ln := &l.of[i]
		ln.tick += n
		if p.runs(i, trace.ThreadID(id), to) {
			ln.late += pauses
			ln.lost += pauses
			l.next.Set(i, l.next.At(i)+took)
		}
	}
	return nil
}

// runs reports whether a thread runs, under the i-th sampler, from now to an app time without events.
func (p *pass) runs(i int, id trace.ThreadID, to time.Duration) bool {
	t := &p.threads[id]
	return t.living && t.delays != nil && !t.delays.next.Sleeps(i) && t.delays.runTo >= to
}

// settledAt returns the app time at which, if nothing happens after since, each thread has been
// sampled by the i-th sampler, and has met the ticks that more delayed threads met before since:
// those can have other pauses. It does not wait for more than [maxReplayed] of them.
func (p *pass) settledAt(i int, since time.Duration) time.Duration {
	s := p.samplers[i]
	at := since + s.minSkip/8
	mean, _ := s.sched.Moments()
	for id := range p.threads {
		if p.runs(i, trace.ThreadID(id), since) {
			if met := s.times.next - p.threads[id].delays.of[i].late; float64(met-since) <= maxReplayed*mean {
				at = max(at, met)
			}
		}
	}
	return at
}

// ticksWithin returns the number of ticks, with the gaps after them, that fit into an app time, and
// their duration.
func (s *Sampler) ticksWithin(room time.Duration) (n int64, took time.Duration) {
	if s.sched.Constant() {
		gap := s.sched.Gap()
		n = int64((room - 1) / gap)
		return n, time.Duration(n) * gap
	}
	n, took = s.sched.Skip(room)
	return n - 1, took
}

// finishDelays runs the ticks up to the truth's end and completes every sampler.
func (p *pass) finishDelays(end time.Duration) error {
	if err := p.skipIdle(end); err != nil {
		return err
	}
	for _, s := range p.samplers {
		if err := s.cores.checkIdle(); err != nil {
			return err
		}
	}
	p.startAndEnd(end)
	p.sleepOn(end)
	p.fixBefore(end + 1)
	p.followEnds(end)
	for i, reached := range p.reached(end) {
		s := p.samplers[i]
		switch {
		case !s.times.held:
		case s.times.next > reached: // it would have come later in any case
			s.times.held = false
		case s.cfg.Runtime.SamplesAtStop:
			s.times.held, s.times.next = false, reached
		}
	}
	for id := range p.threads {
		if t := &p.threads[id]; t.delays != nil && t.living {
			p.passed(t.delays, max(end, t.wall))
		}
	}
	var errs []error
	for i, s := range p.samplers {
		errs = append(errs, s.finishDelays(p, i, end))
	}
	p.startAndEnd(end + 1)
	return errors.Join(errs...)
}

// sleepOn sets how the waits end in which threads are at the truth's end. A wait for an instant or
// for another thread ends at the truth's end, or later if the thread begins it later. A recorded
// truth does not record what ends these waits, and no thread waits for them.
func (p *pass) sleepOn(end time.Duration) {
	for id := range p.threads {
		l := p.threads[id].delays
		if l == nil || !p.threads[id].living {
			continue
		}
		if p.recorded != nil && l.runTo < end || l.wait.Absorbs() {
			l.wait, l.wakes = recorder.WaitRule{Period: 1, AtOnce: true}, end+1
		}
	}
}

// finishDelays completes a run over a truth that ends at end.
func (s *Sampler) finishDelays(p *pass, i int, end time.Duration) error {
	stop := max(end, s.latest)
	for id := range p.threads {
		t := &p.threads[id]
		if t.delays == nil {
			continue
		}
		s.stats.Overhead.Lost += t.delays.of[i].lost
		s.stats.Overhead.Longer += t.delays.of[i].longer
		if t.living {
			stop = max(stop, t.delays.endsAt(i, end))
			t.delays.endsIdle(i, end, &s.stats.Overhead)
		}
	}
	s.stats.Overhead.Ran, s.stats.Overhead.Waited = p.ran, p.waited
	if p.recorded != nil {
		s.stats.WaitTotals = p.recorded.Totals()
	}
	last := int64(0) // tick
	if t := &s.times; t.list.n > 0 || !t.held {
		last = s.tickFrom(p, 1, stop+1) - 1
		if next, ok := s.tickAt(p, last+1); ok && next.Wall <= stop {
			last++
		}
	}
	for id := range p.threads { // threads that changed after the last tick before their end, and that a later tick samples
		t := &p.threads[id]
		if t.delays == nil {
			continue
		}
		if ln := &t.delays.of[i]; t.changed > ln.seen && ln.tick <= last {
			if tick, ok := s.tickAt(p, ln.tick); ok {
				p.sampleThread(s, t, trace.ThreadID(id), ln, tick, max(t.wall, min(end-1, tick.Wall-ln.late)))
			}
		}
	}
	if s.ticks = last; s.cores != nil {
		s.stats.Late = s.cores.waited(last)
	}
	s.stats.firstTick, s.stats.lastTick = s.firstWall, 0
	if tick, ok := s.tickAt(p, last); ok && last > 0 {
		s.stats.lastTick = tick.Wall
	}
	next := never
	if tick, ok := s.tickAt(p, last+1); ok {
		next = tick.Wall
	}
	after := next
	if after == never { // a collection does not end
		after = stop
	}
	s.stats.LongestPause = s.longest
	s.stats.Samples = make([]int64, len(p.threads))
	for id := range s.memory {
		m, t := &s.memory[id], &p.threads[id]
		if m.first > 0 {
			s.lastWall, s.lastAt = s.stats.lastTick, s.at
			s.tickWall = s.stats.lastTick
			s.close(trace.ThreadID(id), s.ticks)
			s.at = max(end, after-t.delays.of[i].late)
			s.tickWall = after
			s.observeEnd(p, trace.ThreadID(id), s.ticks+1)
		}
		s.stats.Samples[id] = m.samples
	}
	s.stats.Ticks, s.stats.AppTime, s.stats.Delay = s.ticks, end, stop-end
	s.stats.Paused = s.times.sum // includes ticks after the end: corrected below
	for k := last + 1; s.tickKnown(k); k++ {
		tick, _ := s.tickAt(p, k)
		s.stats.Paused -= tick.Pause
	}
	s.paused = s.stats.Delay
	s.rec.Info.Elapsed = max(end, p.truth.Info.Elapsed) + s.stats.Delay
	if !s.cfg.Runtime.StopsAtOnce && next < never {
		s.rec.Info.Elapsed = max(s.rec.Info.Elapsed, next)
	}
	if s.reorder != nil {
		if err := s.reorder.flush(s, maxTick); err != nil && s.err == nil {
			s.err = err
		}
	}
	s.rec.Info.Overflow = s.stats.Dropped > 0
	s.rec.Info.Events = s.stats.Events
	return s.err
}

const maxTick = math.MaxInt64

// tickKnown reports whether the k-th tick is fixed.
func (s *Sampler) tickKnown(k int64) bool {
	return k >= s.times.base && k-s.times.base < int64(s.times.list.n)
}

// endsAt returns the wall time at which a thread ends that is alive at the truth's end.
func (l *delays) endsAt(i int, end time.Duration) time.Duration {
	late := l.of[i].late
	if l.wait.Absorbs() {
		return max(end, l.runTo+late)
	}
	return end + late
}

// endsIdle adds the extension of a thread's last wait: the wait lasts until the end if the thread
// waits for an instant or for the app.
func (l *delays) endsIdle(i int, end time.Duration, o *recorder.Overhead) {
	began := l.runTo
	switch {
	case began >= end:
		return
	case l.wait.Absorbs():
		began += l.of[i].late
	case l.idle != nil:
		began += l.idle[i]
	}
	o.Longer += max(0, end-began) - (end - l.runTo)
}
