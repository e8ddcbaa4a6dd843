package sampler

import (
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// A tick has the same wall time for all threads, but each thread has its own delay. A thread meets
// a tick when its app time plus its delay equals the tick's wall time. Threads are therefore
// followed one by one, from event to event, and a tick is fixed when the first thread reaches it.

// delay is the delay of one thread, relative to the truth, that one sampler causes.
type delay struct {
	late   time.Duration
	tick   int64         // number of the next tick that the thread meets
	met    int64         // number of the last tick that it met while not waiting
	metAt  time.Duration // app time of tick met
	seen   uint64        // the pass's change counter at the last sample
	lost   time.Duration // additional running time
	longer time.Duration // additional waiting time
}

// delays are the delays of one thread, by sampler.
type delays struct {
	of   []delay
	next nextTicks

	runTo     time.Duration     // end of running after its last event; then it waits
	wait      recorder.WaitRule // how the wait ends
	wakes     time.Duration     // when the wait ends in the truth, if it is a deadline wait
	state     recorder.State
	handedOff []time.Duration // by sampler, the wall time of the handoff from another thread that ends this wait; nil if it waits for none

	collects bool // it has collected garbage

	since time.Duration // app time of its last event
	// by sampler: lost time in whole frame periods; nil before the first wait with a period
	behind []time.Duration
	idle   []time.Duration // by sampler: by how much the wait for the app began late; nil if the thread collects none
}

// begin initializes the delays of a thread that has no delay at an app time.
func (p *pass) begin(t *thread, at time.Duration) {
	l := &delays{of: make([]delay, len(p.samplers)), next: newNextTicks(len(p.samplers)), runTo: at, since: at, state: recorder.Waiting}
	t.delays = l
	l.next.WakeAll(func(i int) time.Duration {
		l.of[i].tick = 1
		return p.wake(i, &l.of[i], at, at)
	})
}

// wake resumes a thread at an app time. The thread is ready at a wall time; if that is during a
// pause, it resumes at the end of the pause. wake returns the app time at which the thread meets
// the next tick.
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

// arrive advances the delays of a thread to its event at an app time: through the ticks before the
// event, and out of its wait.
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

// wakeAtTick is wake for a thread that has waited for an instant or for another thread. If it has
// missed the instant, or the other thread is late, it waits longer than in the truth, and is
// sampled in the wait.
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

// ends returns the wall time at which the thread's wait ends, given its end in app time.
func (l *delays) ends(i int, at time.Duration) time.Duration {
	wall := l.wait.End(l.runTo, at, l.of[i].late)
	if l.handedOff != nil {
		wall = max(wall, l.handedOff[i])
	}
	return wall
}

// goOn is wake for a thread that has waited or run native code since its last event. It also counts
// the additional time.
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

// meetBefore advances a thread through all ticks before an app time, up to which it has had no
// event.
func (p *pass) meetBefore(t *thread, id trace.ThreadID, limit time.Duration) {
	t.delays.next.Meet(limit, func(i int) time.Duration { return p.meet(t, id, i, limit) })
}

// meet advances a thread through the ticks of one sampler before an app time, and returns when it
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
// in the truth: a delayed thread waits for a shorter time.
func (l *delays) wakesBefore(i int, tick tickTime) bool {
	return l.wait.Absorbs() && l.wakes < never && l.ends(i, l.wakes) <= tick.Wall
}

// sampleThread samples one thread at one tick, which it meets at an app time.
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

// setState sets what a thread does between its event and its next one.
func (p *pass) setState(t *thread, id trace.ThreadID) {
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

// passed adds the running or waiting time of a thread from its last event to an app time.
func (p *pass) passed(l *delays, at time.Duration) {
	ran := max(0, min(at, l.runTo)-l.since)
	p.ran += ran
	p.waited += at - l.since - ran
	l.since = at
}

// endDelays ends a thread; no tick delays it further.
func (p *pass) endDelays(t *thread, id trace.ThreadID) {
	end := p.threadEnd(id)
	p.passed(t.delays, max(end, t.wall))
	for i, s := range p.samplers {
		s.latest = max(s.latest, end+t.delays.of[i].late)
		t.delays.endsIdle(i, end, &s.stats.Overhead)
	}
	t.delays.runTo, t.delays.wait, t.delays.state = t.wall, recorder.WaitRule{}, recorder.Waiting
}

// runsTo returns until when a thread of a recorded trace runs: until it has used the CPU time of
// its next event, or, without a CPU clock, as implied by the name of its method.
func (p *pass) runsTo(t *thread, m trace.MethodID, ok bool) time.Duration {
	switch {
	case t.limit != unknownLimit:
		return t.wall + max(0, t.limit-t.cpu)
	case !ok || p.kinds[m]&waitsByName != 0:
		return t.wall
	}
	return never
}

// settle advances all threads through the ticks of all samplers before an app time that the pass
// has reached.
func (p *pass) settle(limit time.Duration) {
	for id := range p.threads {
		if t := &p.threads[id]; t.delays != nil {
			p.meetBefore(t, trace.ThreadID(id), limit)
		}
	}
}

// reached returns, by sampler, the latest wall time that any thread has reached, ended threads
// included, when the truth has been read to an app time. The result is valid until the next call.
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

// arriveLinked is arrive at an event that may end a wait for another thread, or be a handoff to
// one.
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

// recordedWait returns how and when a thread's wait ends. The wait begins at an app time between
// the event before p.place and the thread's next one.
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
