package machine

import (
	"math"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// live is a truth that a tracer can watch. It implements [trace.LiveApp].
type live struct {
	trace.Reader
	m *machine
}

func (l live) Watch(w trace.Watcher) { l.m.watcher = w }

// liveOnCores is one that tells what the cores did, too.
type liveOnCores struct {
	live
	trace.SchedSource
}

// openAll enters the frames that were open before the trace, of which a tracer is told first.
func (m *machine) openAll() {
	m.opened = true
	for i := range m.tasks {
		if t := &m.tasks[i]; t.run.thread.Before {
			m.open(t)
		}
	}
}

// workOff returns what is left of a time for which a thread runs or waits that was in a pause before it did
// anything: in it, it has waited, or run native code.
func (r *runner) workOff(d time.Duration) time.Duration {
	paid := min(d, r.credit)
	if r.credit = 0; paid > 0 && !r.waiting {
		r.cpu += paid
	}
	return d - paid
}

// planned is a tracer that is known before, as a watcher.
type planned struct {
	tracer Tracer
	m      *machine
	pause  recorder.Pause
}

func (p *planned) OwnThread() bool { return false } // its pauses begin when they do

func (p *planned) NextPause() (at time.Duration, ok bool) {
	p.pause, ok = p.tracer.NextPause(p.m.now)
	return p.pause.From, ok
}

func (p *planned) Suspend(at time.Duration) time.Duration { return p.pause.To - at }

func (p *planned) Ran(*trace.Event) time.Duration { return 0 }

func (p *planned) Happens(e *trace.Event) time.Duration {
	return p.tracer.Event(e.Thread, e.Wall, e.Method)
}

// nextPause returns when the tracer next suspends all threads, which can be before now. It is the end of
// all times where no pause is planned.
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

// tracerThread is the thread of a tracer on cores that it shares with the app's: it sleeps until the next pause, waits
// for a core as they do, and has it for the pause, which begins when all that happens at that instant has happened. The facts of the cores do not have it.
type tracerThread struct {
	state taskState // asleep, ready or onCore
	core  int       // that it is on
}

// tracerTask is the thread of a tracer in the queue of those that could run.
const tracerTask = none - 1

// has reports whether the thread is on a core.
func (t *tracerThread) has(core int) bool { return t.state == onCore && t.core == core }

// trace lets the tracer do what it does before anything else happens, which is at next, and returns
// when that happens then.
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
	return m.now // what the pause held up
}

// sharesCores reports whether the tracer has a thread that needs one of the app's cores.
func (m *machine) sharesCores() bool {
	return m.watcher != nil && len(m.program.Cores) > 0 && m.watcher.OwnThread()
}

// wakeTracer wakes the tracer's thread when a pause is due.
func (m *machine) wakeTracer() {
	if m.sharesCores() && m.nextPause() <= m.now {
		m.tracer.state = ready
		q := &m.ready[m.priority(tracerTask)]
		*q = append(*q, tracerTask)
	}
}

// suspend lets a pause go by. Threads keep their cores and do nothing on them, but
// for native code, which goes on until it is done; what would wake a thread wakes it after the pause.
func (m *machine) suspend(at time.Duration) {
	before := at < m.now // nothing has happened so far
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

// happen lets an event happen to a thread, and has it work off what that takes from it.
func (m *machine) happen(t *task, e trace.Event) {
	m.out = append(m.out, e)
	if m.watcher != nil {
		t.run.charged += m.watcher.Happens(&e)
	}
}

// ran returns what was taken from a thread until now, when something is about to happen to it.
func (m *machine) ran(e *trace.Event) time.Duration {
	if m.watcher == nil {
		return 0
	}
	return m.watcher.Ran(e)
}

// carryOutWatched is carryOut while somebody watches: each event can take time, and so can what the thread
// did before it.
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
