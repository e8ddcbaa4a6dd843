package sampler

import (
	"time"

	"artifice/trace"
)

// liveWatcher is a pass of one sampler over a live app: its ticks suspend the threads, and events
// have wall times. It is a [trace.Watcher].
type liveWatcher struct {
	pass *pass
	s    *Sampler
	one  window
	sum  time.Duration // of all pauses
	late time.Duration // total wait of ticks for a core
	err  error         // the first error
}

// watch attaches the pass's sampler to an app.
func (p *pass) watch(app trace.LiveApp) {
	p.live = &liveWatcher{pass: p, s: p.samplers[0], one: window{events: make([]trace.Event, 1)}}
	p.stop = never // the app runs the ticks
	app.Watch(p.live)
}

// OwnThread implements [trace.Watcher]: it is the sampling thread (Trace::RunSamplingThread).
func (w *liveWatcher) OwnThread() bool { return true }

// NextPause implements [trace.Watcher].
func (w *liveWatcher) NextPause() (time.Duration, bool) {
	if q := w.pass.queue; len(q) > 0 && w.err == nil {
		return q[0].At, true
	}
	return 0, false
}

// Suspend implements [trace.Watcher]: it runs a tick, unless garbage is being collected.
func (w *liveWatcher) Suspend(at time.Duration) time.Duration {
	p, s := w.pass, w.s
	p.addThreads()
	p.startAndEnd(at)
	if p.running > 0 && s.cfg.Runtime.WaitsForGC {
		p.waiting = append(p.waiting, p.queue.Pop().Value)
		return 0
	}
	p.countFrames()
	w.late += at - p.queue[0].At
	s.tick(p, at)
	pause := s.paused // contained in the times of all later events
	s.paused = 0
	w.sum += pause
	s.next += pause
	p.queue[0].At = s.next
	w.err = s.err
	w.standStill(pause)
	return pause
}

// standStill stops the CPU clocks of the threads that run managed code for the duration of a pause.
func (w *liveWatcher) standStill(pause time.Duration) {
	for id := range w.pass.threads {
		t := &w.pass.threads[id]
		if m, ok := t.innermost(); ok && w.pass.kinds[m]&(waiting|native) == 0 {
			t.cpuClock.wall += pause
		}
	}
}

// Ran implements [trace.Watcher]: samples stop all threads, or none.
func (w *liveWatcher) Ran(*trace.Event) time.Duration { return 0 }

// Happens implements [trace.Watcher].
func (w *liveWatcher) Happens(e *trace.Event) time.Duration {
	if w.err == nil {
		w.pass.addThreads()
		w.one.events[0] = *e
		w.err = w.pass.event(&w.one, 0)
		w.pass.stop = never
	}
	return 0
}
