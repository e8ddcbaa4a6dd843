package sampler

import (
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// A tick's wall time is the same for all threads, but each is late by a time of its own:
// its delay. A thread meets a tick when its time in the truth plus its delay is the tick's
// wall time. So threads are followed one by one, each from event to event, and a tick is fixed when the first thread gets to it.

// delay is how far a sampler has put one thread behind the truth.
type delay struct {
	late   time.Duration
	tick   int64         // number of the next tick that it meets
	met    int64         // number of the last one that it met awake
	metAt  time.Duration // and the app time of that
	seen   uint64        // the pass's change counter at the last look
	lost   time.Duration // by how much longer the thread has run
	longer time.Duration // and waited
}

// delays are those of one thread, by sampler.
type delays struct {
	of   []delay
	next nextTicks

	runTo     time.Duration     // until then it runs, from its last event on; then it waits
	wait      recorder.WaitRule // how that ends
	wakes     time.Duration     // and when in the truth, where that is an instant
	state     recorder.State
	handedOff []time.Duration // by sampler, the wall time at which another thread gives what this one waits for; nil where it waits for none

	collects bool // it has collected garbage

	since  time.Duration   // app time of its last event
	behind []time.Duration // by sampler: whole periods that it has lost of frames; nil before the first
	idle   []time.Duration // by sampler: by how much the wait for the app began late; nil where it collects none
}

// begin starts the delays of a thread at an app time, at which it is on time.
func (p *pass) begin(t *thread, at time.Duration) {
	l := &delays{of: make([]delay, len(p.samplers)), next: newNextTicks(len(p.samplers)), runTo: at, since: at, state: recorder.Waiting}
	t.delays = l
	l.next.WakeAll(func(i int) time.Duration {
		l.of[i].tick = 1
		return p.wake(i, &l.of[i], at, at)
	})
}

// wake lets a thread go on at an app time that wants to at a time of the wall clock: in a
// pause, at its end. It returns when the thread meets the next tick.
func (p *pass) wake(i int, ln *delay, app, wall time.Duration) time.Duration {
	s := p.samplers[i]
	k := s.tickFrom(p, ln.tick, wall)
	tick, ok := s.tickAt(p, k)
	if ok && tick.Wall < wall {
		wall = tick.Wall + tick.Pause
		k++
		tick, ok = s.tickAt(p, k)
	}
	if k > ln.tick { // it has waited through the ticks before
		if last, ok := s.tickAt(p, k-1); ok {
			ln.met, ln.metAt = k-1, min(last.Wall-ln.late, app-1)
		}
	}
	ln.late, ln.tick = wall-app, k
	if !ok {
		return never
	}
	return tick.Wall - ln.late
}

// arrive brings the delays of a thread up to its event at an app time: through the ticks before
// it, and out of its wait.
func (p *pass) arrive(t *thread, id trace.ThreadID, at time.Duration) {
	l := t.delays
	if l.wait.Other {
		l.wakes = at
	}
	p.meetBefore(t, id, at)
	switch {
	case at <= l.runTo && l.state == recorder.Managed:
	case p.awaits(t, id, at):
		p.waitForApp(t, id, at)
	case l.wait.Absorbs():
		l.next.WakeAll(func(i int) time.Duration { return p.wakeAtTick(t, id, i, at) })
	default:
		l.next.Wake(func(i int) time.Duration { return p.goOn(l, i, at, l.wait.End(l.runTo, at, l.of[i].late)) })
	}
}

// wakeAtTick is wake of a thread that has waited for an instant or another thread. One that has missed it, or
// whose other thread is late, waits for longer than in the truth, and is seen in it.
func (p *pass) wakeAtTick(t *thread, id trace.ThreadID, i int, at time.Duration) time.Duration {
	s, l, ln := p.samplers[i], t.delays, &t.delays.of[i]
	wall := l.ends(i, at)
	if tick, ok := s.tickAt(p, ln.tick); ok && t.changed > ln.seen && tick.Wall < wall {
		p.sampleThread(s, t, id, ln, tick, max(t.wall, at-1))
	}
	if s.cfg.Waits == WaitsByRule && l.wait.Period > 0 {
		if l.behind == nil {
			l.behind = make([]time.Duration, len(p.samplers))
		}
		l.behind[i] = s.stats.Overhead.Frame(l.wait, l.runTo+ln.late, at, l.behind[i])
	}
	return p.goOn(l, i, at, wall)
}

// ends returns when the wait of a thread ends, by the wall clock, that does so at an app time in the truth.
func (l *delays) ends(i int, at time.Duration) time.Duration {
	wall := l.wait.End(l.runTo, at, l.of[i].late)
	if l.handedOff != nil {
		wall = max(wall, l.handedOff[i])
	}
	return wall
}

// goOn is wake of a thread that has waited or run native code since its last event, and counts by how
// much longer.
func (p *pass) goOn(l *delays, i int, app, wall time.Duration) time.Duration {
	ln := &l.of[i]
	before := ln.late
	at := p.wake(i, ln, app, wall)
	if more := ln.late - before; l.state == recorder.Native {
		ln.lost += more
	} else {
		ln.longer += more
	}
	return at
}

// meetBefore lets a thread meet all ticks before an app time, up to which it has had no event.
func (p *pass) meetBefore(t *thread, id trace.ThreadID, limit time.Duration) {
	t.delays.next.Meet(limit, func(i int) time.Duration { return p.meet(t, id, i, limit) })
}

// meet lets a thread meet the ticks of one sampler before an app time. It returns when it
// meets the next one.
func (p *pass) meet(t *thread, id trace.ThreadID, i int, limit time.Duration) time.Duration {
	s, l, ln := p.samplers[i], t.delays, &t.delays.of[i]
	for {
		tick, ok := s.tickAt(p, ln.tick)
		if !ok {
			return never
		}
		at := tick.Wall - ln.late
		if at >= limit {
			return at
		}
		if (t.changed > ln.seen || len(s.zeroless) > 0) && !l.wakesBefore(i, tick) {
			p.sampleThread(s, t, id, ln, tick, min(at, limit-1))
		}
		if at >= l.runTo || !l.state.LosesToPause() {
			l.next.Sleep(i)
			return never
		}
		ln.met, ln.metAt = ln.tick, at
		ln.late += tick.Pause
		ln.lost += tick.Pause
		ln.tick++
	}
}

// wakesBefore reports whether a wait for an instant ends before a tick that comes within the wait
// in the truth: a thread that is late waits for less.
func (l *delays) wakesBefore(i int, tick tickTime) bool {
	return l.wait.Absorbs() && l.wakes < never && l.ends(i, l.wakes) <= tick.Wall
}

// sampleThread is what one tick makes of one thread, which it meets at an app time.
func (p *pass) sampleThread(s *Sampler, t *thread, id trace.ThreadID, ln *delay, tick tickTime, at time.Duration) {
	s.ticks, s.at, s.tickWall, s.perTick, s.seen = ln.tick, at, tick.Wall, tick.PerTick, ln.seen
	s.lastAt, s.lastWall = 0, 0
	if before, ok := s.tickAt(p, ln.tick-1); ok && ln.tick > 1 {
		s.lastWall = before.Wall
		s.lastAt = min(max(ln.metAt, before.Wall-ln.late), at)
		if ln.met == ln.tick-1 {
			s.lastAt = ln.metAt
		}
	}
	if t.changed > ln.seen {
		s.compare(p, id)
	} else if t.living {
		s.readZero(p, id)
	}
	ln.seen = p.changes
}

// goesOn notes what a thread does after its event until its next one.
func (p *pass) goesOn(t *thread, id trace.ThreadID) {
	l := t.delays
	p.passed(l, t.wall)
	l.runTo, l.wait, l.state = never, recorder.WaitRule{}, recorder.Managed
	m, ok := t.innermost()
	switch {
	case !p.synthetic:
		l.runTo = p.runsTo(t, m, ok)
		l.wait, l.wakes = p.recordedWait(l.runTo)
	case !ok:
		if p.nextCPU(id, t.cpu) <= t.cpu {
			l.runTo, l.state = t.wall, recorder.Waiting
		}
	case p.kinds[m]&waiting != 0:
		method := &p.truth.Symbols.Methods[m]
		l.runTo, l.wakes = t.wall, never
		l.state, l.wait = recorder.StateOf(method)
		if method.Period > 0 {
			l.wakes = l.runTo - l.runTo%method.Period + method.Period
		}
	case p.kinds[m]&native != 0:
		l.state = recorder.Native
	}
	if l.collects && l.state == recorder.Waiting {
		p.isOnTime(t)
	}
}

// passed counts what a thread has done since its last event until an app time.
func (p *pass) passed(l *delays, at time.Duration) {
	ran := max(0, min(at, l.runTo)-l.since)
	p.ran += ran
	p.waited += at - l.since - ran
	l.since = at
}

// endDelays ends a thread, which no tick makes later any more.
func (p *pass) endDelays(t *thread, id trace.ThreadID) {
	end := p.threadEnd(id)
	p.passed(t.delays, max(end, t.wall))
	for i, s := range p.samplers {
		s.latest = max(s.latest, end+t.delays.of[i].late)
		t.delays.endsIdle(i, end, &s.stats.Overhead)
	}
	t.delays.runTo, t.delays.wait, t.delays.state = t.wall, recorder.WaitRule{}, recorder.Waiting
}

// runsTo returns until when a thread of a recorded trace runs: until it has used the CPU
// time of its next event, or without a CPU clock as the name of its method says.
func (p *pass) runsTo(t *thread, m trace.MethodID, ok bool) time.Duration {
	switch {
	case t.limit != unknownLimit:
		return t.wall + max(0, t.limit-t.cpu)
	case !ok || p.kinds[m]&waitsByName != 0:
		return t.wall
	}
	return never
}

// settle lets all threads meet the ticks of all samplers before an app time that the truth has
// got to.
func (p *pass) settle(limit time.Duration) {
	for id := range p.threads {
		if t := &p.threads[id]; t.delays != nil {
			p.meetBefore(t, trace.ThreadID(id), limit)
		}
	}
}

// reached returns how far the latest of all threads has got by the wall clock, the ended ones
// among them, when the truth has got to an app time: by sampler. It is valid until the next call.
func (p *pass) reached(now time.Duration) []time.Duration {
	p.walls = p.walls[:0]
	for _, s := range p.samplers {
		p.walls = append(p.walls, max(now, s.latest))
	}
	for id := range p.threads {
		if t := &p.threads[id]; t.delays != nil && t.living {
			for i := range p.walls {
				p.walls[i] = max(p.walls[i], now+t.delays.of[i].late)
			}
		}
	}
	return p.walls
}

// arriveLinked is arrive at an event that may be the end of a wait for another thread, or what another
// thread waits for.
func (p *pass) arriveLinked(t *thread, e *trace.Event, at time.Duration) {
	var link trace.Link
	if int(e.Method) < len(p.truth.Symbols.Methods) && e.Action == trace.Enter {
		link = p.truth.Symbols.Methods[e.Method].Link
	}
	t.delays.handedOff, _ = p.handoffs.Match(link)
	p.arrive(t, e.Thread, at)
	t.delays.handedOff = nil
	if link.Does == trace.Gives {
		walls := make([]time.Duration, len(p.samplers))
		for i := range walls {
			walls[i] = at + t.delays.of[i].late
		}
		p.handoffs.Give(link, walls)
	}
}

// recordedWait returns how a thread's wait ends that begins at an app time, between the event before p.place
// and its next one, and when.
func (p *pass) recordedWait(from time.Duration) (recorder.WaitRule, time.Duration) {
	after, i := p.feed.now.after, p.place-1
	next := never
	if i >= 0 && i < len(after) {
		next = after[i].wall
	}
	if from == never || next < from+recorder.MinWait {
		return recorder.WaitRule{}, 0
	}
	switch p.samplers[0].cfg.Waits {
	case WaitsAbsorb:
		return recorder.WaitRule{Period: 1, AtOnce: true}, next
	case WaitsByRule:
		if next < never {
			return p.recorded.Classify(after[i].event, from, next), next
		}
	}
	return recorder.WaitRule{}, 0
}
