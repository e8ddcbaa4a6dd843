package sampler

import (
	"time"

	"artifice/internal/recorder"

	"artifice/trace"
)

// A collection is triggered by the amount that the app has allocated. The truth does not record
// which thread allocates last, so a collection begins when the thread with the largest delay
// reaches its app time. The collecting thread waits until then, whatever its own delay. All ticks
// that a thread has met therefore come before the collection. Ticks due during the collection, by
// the wall clock of the collecting thread, wait for its end. A thread that has collected waits only
// for the app: each of its waits begins on time and ends when the thread with the largest delay
// arrives. The same holds for the wait before its first collection.

// collects reports whether an event begins a method of the garbage collector.
func (p *pass) collects(e *trace.Event) bool {
	methods := p.truth.Symbols.Methods
	return e.Action == trace.Enter && int(e.Method) < len(methods) && methods[e.Method].Flags&trace.Collector != 0
}

// awaits reports whether a waiting thread waits for the app: it has collected garbage, or collects
// at an app time up to which the truth has been read.
func (p *pass) awaits(t *thread, id trace.ThreadID, at time.Duration) bool {
	switch l := t.delays; {
	case l.state != recorder.Waiting:
		return false
	case l.collects:
		return true
	}
	for _, events := range [][]trace.Event{p.feed.now.events[p.place:], p.feed.next.events} {
		for i := range events {
			switch e := &events[i]; {
			case e.Wall > at:
				return false
			case e.Thread == id && p.collects(e):
				return true
			}
		}
	}
	return false
}

// waitForApp makes a thread that is about to collect garbage at an app time wait for the thread
// with the largest delay.
func (p *pass) waitForApp(t *thread, id trace.ThreadID, at time.Duration) {
	p.settle(at)
	l := t.delays
	reached := p.reached(at)
	l.next.WakeAll(func(i int) time.Duration {
		s, ln := p.samplers[i], &l.of[i]
		wall := reached[i]
		if tick, ok := s.tickAt(p, ln.tick); ok && t.changed > ln.seen && tick.Wall < wall {
			p.sampleThread(s, t, id, ln, tick, max(t.wall, at-1))
		}
		if l.idle != nil { // the wait began late; the thread is on time now
			ln.longer -= l.idle[i]
			l.idle[i] = 0
		}
		return p.goOn(l, i, at, wall)
	})
}

// isOnTime removes the delay of a thread that waits for the app.
func (p *pass) isOnTime(t *thread) {
	l := t.delays
	if l.idle == nil {
		l.idle = make([]time.Duration, len(p.samplers))
	}
	l.next.WakeAll(func(i int) time.Duration {
		s, ln := p.samplers[i], &l.of[i]
		s.latest = max(s.latest, t.wall+ln.late)
		l.idle[i], ln.late = ln.late, 0
		if tick, ok := s.tickAt(p, ln.tick); ok {
			return tick.Wall
		}
		return never
	})
}

// holdOrRelease handles the first and the last frame of the garbage collector.
func (p *pass) holdOrRelease(frames int, now time.Duration) {
	switch {
	case frames > 0 && p.running == frames:
		p.hold(now)
	case p.running == 0:
		p.release(now)
	}
}

// hold makes the next ticks wait for the end of the collection that begins now.
func (p *pass) hold(now time.Duration) {
	p.fixBefore(now)
	for _, s := range p.samplers {
		// with cores, coreTicks holds the ticks
		s.times.held = s.cfg.Runtime.WaitsForGC && s.cores == nil || s.times.held
	}
	p.findTicks()
}

// release ends a collection now and releases the ticks that waited for its end.
func (p *pass) release(now time.Duration) {
	p.settle(now)
	reached := p.reached(now)
	for i, s := range p.samplers {
		if s.times.held && s.cores == nil {
			s.times.held, s.times.next = false, max(s.times.next, reached[i])
		}
	}
	p.findTicks()
}
