package machine

import (
	"math"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// live is a truth that a tracer can trace as it runs. It implements [trace.LiveApp].
type live struct {
	trace.Reader
	m *machine
}

func (l live) Watch(w trace.Watcher) { l.m.watcher = w }

// liveOnCores is a live truth that also records the cores' scheduling.
type liveOnCores struct {
	live
	trace.SchedSource
}

// openAll enters the frames that were open before the trace, which a tracer receives first.
func (m *machine) openAll() {
	m.opened = true
	for i := range m.tasks {
		if t := &m.tasks[i]; t.run.thread.Before {
			m.open(t)
		}
	}
}

// workOff returns the remainder of a running or waiting time that begins in a pause: during the
// pause, the thread has waited, or run native code.
func (r *runner) workOff(d time.Duration) time.Duration {
	paid := min(d, r.credit)
	if r.credit = 0; paid > 0 && !r.waiting {
		r.cpu += paid
	}
	return d - paid
}

// planned is a watcher for a tracer with pauses known in advance.
type planned struct {
	tracer Tracer
	m      *machine
	pause  recorder.Pause
}

func (p *planned) OwnThread() bool { return false } // its pauses begin as planned

func (p *planned) NextPause() (at time.Duration, ok bool) {
	p.pause, ok = p.tracer.NextPause(p.m.now)
	return p.pause.From, ok
}

func (p *planned) Suspend(at time.Duration) time.Duration { return p.pause.To - at }

func (p *planned) Ran(*trace.Event) time.Duration { return 0 }

func (p *planned) Happens(e *trace.Event) time.Duration {
	return p.tracer.Event(e.Thread, e.Wall, e.Method)
}

// nextPause returns when the tracer next suspends all threads, which can be before now, or the
// maximum time if no pause is planned.
func (m *machine) nextPause() time.Duration {
	if m.watcher == nil || m.tracer.state == ready {
		return math.MaxInt64
	}
	if !m.opened {
		m.openAll()
	}
	if at, ok := m.watcher.NextPause(); ok {
		return at
	}
	return math.MaxInt64
}

// tracerThread is the thread of a tracer that shares cores with the app. It sleeps until the next
// pause, waits for a core like other threads, and has it for the pause. The pause begins after all
// events of that instant. The recorded scheduling does not contain this thread.
type tracerThread struct {
	state taskState // asleep, ready or onCore
	core  int       // its core
}

// tracerTask is the tracer's thread in the queue of runnable tasks.
const tracerTask = none - 1

// has reports whether the thread is on a core.
func (t *tracerThread) has(core int) bool { return t.state == onCore && t.core == core }

// trace executes the tracer's actions before the next step, at time next, and returns the time of
// that step after them.
func (m *machine) trace(next time.Duration) time.Duration {
	pause := m.now
	if m.tracer.state != onCore {
		if pause = m.nextPause(); pause >= min(next, m.length+1) {
			return next
		}
		if m.sharesCores() {
			return max(pause, m.now)
		}
	}
	m.suspend(pause)
	m.tracer.state = asleep
	return m.now // steps that the pause has delayed
}

// sharesCores reports whether the tracer has a thread that needs one of the app's cores.
func (m *machine) sharesCores() bool {
	return m.watcher != nil && len(m.program.Cores) > 0 && m.watcher.OwnThread()
}

// wakeTracer wakes the tracer's thread if a pause is due.
func (m *machine) wakeTracer() {
	if m.sharesCores() && m.nextPause() <= m.now {
		m.tracer.state = ready
		q := &m.ready[m.priority(tracerTask)]
		*q = append(*q, tracerTask)
	}
}

// suspend executes a pause. Threads keep their cores and do nothing on them, except for native
// code, which continues until it is done. Threads that would wake during the pause wake after it.
func (m *machine) suspend(at time.Duration) {
	before := at < m.now // no step has been executed since
	at = max(at, m.now)
	m.advance(at)
	d := m.watcher.Suspend(at)
	for i := range m.tasks {
		if r := m.tasks[i].run; before && r.thread.Before && !r.does().LosesToPause() {
			r.credit = d
		}
	}
	for i := range m.cores {
		c := &m.cores[i]
		if c.rise > 0 { // a clock rises with work
			c.rise += d
		}
		if c.task == none {
			continue
		}
		t := &m.tasks[c.task]
		if t.pays || t.run.does().LosesToPause() {
			continue
		}
		rate := c.rate(c.step)
		works := min(d, time.Duration((t.work+rate-1)/rate))
		t.work = max(0, t.work-int64(works)*rate)
		t.run.cpu += works
	}
	m.now = at + d
}

// happen executes an event of a thread and charges its cost to the thread.
func (m *machine) happen(t *task, e trace.Event) {
	m.out = append(m.out, e)
	if m.watcher != nil {
		t.run.charged += m.watcher.Happens(&e)
	}
}

// ran returns the overhead in a thread's time up to its next event.
func (m *machine) ran(e *trace.Event) time.Duration {
	if m.watcher == nil {
		return 0
	}
	return m.watcher.Ran(e)
}

// carryOutWatched is carryOut with a watcher: each event can take time, and so can the code that
// the thread ran before it.
func (m *machine) carryOutWatched(t *task) {
	for m.err == nil && t.run.charged == 0 {
		e := t.held
		if t.held = nil; e == nil {
			if t.run.fill(m.one[:]) == 0 {
				return
			}
			e = &m.one[0]
		}
		e.Wall, e.CPU = m.now, t.run.cpu
		if t.run.charged = m.ran(e); t.run.charged > 0 {
			held := *e
			t.held = &held
			return
		}
		m.happen(t, *e)
	}
}
