package sampler

import (
	"fmt"
	"time"

	"artifice/trace"
)

// window replays the events of w, and the ticks between them.
func (p *pass) window(w *window) error {
	for i := 0; i < len(w.events); i++ {
		if p.running == 0 {
			if p.perThread {
				i = p.plainDelays(w, i)
			} else {
				i = p.plain(w, i)
			}
			if i == len(w.events) {
				break
			}
		}
		if err := p.event(w, i); err != nil {
			return err
		}
		if p.perThread && p.now-p.brought >= p.minSkip {
			if err := p.bring(p.now); err != nil {
				return err
			}
		}
	}
	return nil
}

// plain replays the events of w, starting at the i-th, that only change their thread's stack. It
// returns the index of the first other event, or the number of events. No collector may be running:
// the exit of any method could close its frame.
func (p *pass) plain(w *window, i int) int {
	if p.follower != nil {
		return i
	}
	events, threads, kinds := w.events, p.threads, p.kinds
	changes, now, stop, seen := p.changes, p.now, p.stop, p.seen
	for ; i < len(events); i++ {
		e := &events[i]
		if e.Wall < now || e.Wall > stop || int(e.Thread) >= len(threads) || int(e.Method) >= len(kinds) {
			break
		}
		t := &threads[e.Thread]
		if !t.plain || t.stack.Full() || kinds[e.Method]&(hidden|collector) != 0 {
			break
		}
		if t.changed <= seen {
			p.moveFirst(t, e.Thread)
		}
		changes++
		t.changed = changes
		t.stack.Change(e, e.Site, changes)
		now = e.Wall
		t.wall, t.cpu, t.limit = now, max(t.cpu, e.CPU), w.limit(i)
	}
	p.changes, p.now = changes, now
	return i
}

// event replays the i-th event of w, of any kind, and the ticks before it.
func (p *pass) event(w *window, i int) error {
	e := &w.events[i]
	if p.perThread {
		p.place = i
		if err := p.arriveAt(e); err != nil {
			return err
		}
	} else if e.Wall > p.stop {
		if err := p.asked(); err != nil {
			return err
		}
		p.place = i
		if err := p.ticksBefore(e.Wall); err != nil {
			return err
		}
	}
	if int(e.Thread) >= len(p.threads) || int(e.Method) >= len(p.kinds) {
		if err := p.addNames(e); err != nil {
			return err
		}
	}
	t := &p.threads[e.Thread]
	if e.Wall < p.now && e.Wall >= t.wall {
		return fmt.Errorf("event at %s after one at %s: events to be sampled must be in time order", e.Wall, p.now)
	}
	p.now = max(p.now, e.Wall)
	if !t.living {
		if err := p.startByEvent(e); err != nil {
			return err
		}
	}
	if p.perThread && p.collects(e) {
		p.waitForApp(t, e.Thread, p.now)
		t.delays.collects = true
	}
	p.apply(t, e)
	t.wall, t.cpu = max(t.wall, e.Wall), max(t.cpu, e.CPU)
	t.limit = w.limit(i)
	if !t.started {
		t.started, t.firstCPU = true, e.CPU
	}
	t.plain = t.hidden.Depth() == 0
	if p.perThread {
		p.place = i + 1
		p.setState(t, e.Thread)
	}
	if p.follower != nil {
		p.follower.Event(e, p.lateness(t))
	}
	return nil
}

// addNames adds the threads and methods that first appear in e.
func (p *pass) addNames(e *trace.Event) error {
	symbols := p.truth.Symbols
	if int(e.Thread) >= len(p.threads) {
		if int(e.Thread) >= len(symbols.Threads) {
			return fmt.Errorf("event at %s of thread index %d: there are %d threads", e.Wall, e.Thread, len(symbols.Threads))
		}
		p.addThreads()
	}
	if int(e.Method) >= len(symbols.Methods) {
		return fmt.Errorf("event at %s of method index %d: there are %d methods", e.Wall, e.Method, len(symbols.Methods))
	}
	for id := len(p.kinds); id < len(symbols.Methods); id++ {
		p.kinds = append(p.kinds, kindOf(&symbols.Methods[id]))
	}
	return nil
}

// apply updates the two stacks of the thread of e: the frames that walks report, and the frames
// that they skip.
func (p *pass) apply(t *thread, e *trace.Event) {
	p.touch(t, e.Thread)
	kind := p.kinds[e.Method]
	var closed trace.MethodID
	var effect trace.Effect
	if kind&hidden != 0 {
		var frame trace.Frame[hiddenFrame]
		frame, effect = t.hidden.Apply(e, hiddenFrame{t.stack.Depth(), e.Site})
		closed = frame.Method
	} else {
		closed, effect = t.stack.Apply(e, t.site(e), p.changes)
	}
	switch {
	case effect == trace.Pushed && kind&collector != 0:
		p.collect(+1, e.Wall)
	case effect.Closes() && p.kinds[closed]&collector != 0:
		p.collect(-1, e.Wall)
	}
}

// collect counts the frames of the garbage collector. A sampler waits until none remains
// (ScopedGCCriticalSection in Trace::RunSamplingThread), then samples immediately.
func (p *pass) collect(frames int, now time.Duration) {
	p.running += frames
	if p.perThread {
		p.holdOrRelease(frames, now)
		return
	}
	if p.running > 0 {
		return
	}
	for _, i := range p.waiting {
		p.samplers[i].next = now
		p.queue.Push(tickAt(now, i))
		p.stop = p.queue[0].At
	}
	p.waiting = p.waiting[:0]
}

// touch makes a thread the one changed last.
func (p *pass) touch(t *thread, id trace.ThreadID) {
	p.changes++
	if t.changed <= p.seen {
		p.moveFirst(t, id)
	}
	t.changed = p.changes
}

// moveFirst makes a thread the first in the list of changed threads. Threads changed since the last
// tick are in no particular order, as no sampler depends on it.
func (p *pass) moveFirst(t *thread, id trace.ThreadID) {
	if p.latest == int32(id) {
		return
	}
	if t.newer != none { // in the list, but not first: remove it
		p.threads[t.newer].older = t.older
		if t.older != none {
			p.threads[t.older].newer = t.newer
		}
	}
	t.newer, t.older = none, p.latest
	if p.latest != none {
		p.threads[p.latest].newer = int32(id)
	}
	p.latest = int32(id)
}
