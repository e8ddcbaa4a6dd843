package reference

import (
	"time"

	"artifice/trace"
)

// lag is a thread of the app that loses time only to the tracer that runs in it.
type lag struct {
	wall, app time.Duration // at its last event
	stack     []frame
	what      doing // since then
	spent     time.Duration
	old       int // frames from before the truth that are not yet processed

	oneClock bool // it only runs
}

// lagOf returns a thread before its first event.
func (t *Truth) lagOf(id trace.ThreadID) lag { return lag{old: t.Symbols.Threads[id].Open} }

// unstopped is an app without stops.
var unstopped = &stops{next: func() time.Duration { return never }}

// arrive advances a thread to its next event and returns the event's time. Work keeps its duration,
// and so does a wait unless it ends at a tick.
func (l *lag) arrive(e *trace.Event) time.Duration {
	l.wall, l.app = unstopped.pass(l.wall, l.app, e.Wall, l.what), e.Wall
	return l.wall
}

// tick returns the tick for which a thread waits until an event at an app time; 0 if it does not
// wait for one.
func (l *lag) tick(app time.Duration) time.Duration {
	if l.what.wait == nil || l.what.wait.Period == 0 {
		return 0
	}
	return unstopped.pass(l.wall, l.app, app, l.what)
}

// goOn sets what the thread does after the event.
func (l *lag) goOn(t *Truth, e *trace.Event) {
	l.stack = apply(l.stack, e, 0)
	l.old = max(0, l.old-1)
	l.what = doing{wait: &trace.Method{Wait: trace.Sleep}}
	switch n := len(l.stack); {
	case l.oneClock:
		l.what = doing{}
	case n > 0:
		m := &t.Symbols.Methods[l.stack[n-1].method]
		native := m.Wait == trace.Running && m.Flags&trace.Native != 0
		if l.what = (doing{m, native, false}); m.Wait == trace.Running && !native {
			l.what = doing{}
		}
	}
}

// spend takes time from the thread.
func (l *lag) spend(d time.Duration) { l.wall, l.spent = l.wall+d, l.spent+d }

// report takes time from the thread for an event, unless that happened before the truth.
func (l *lag) report(d time.Duration) {
	if l.old == 0 {
		l.spend(d)
	}
}

// ends returns the thread's delay at the end of the truth: a thread that waits for a tick waits no
// longer than that.
func (l *lag) ends(t *Truth) time.Duration {
	if l.what.wait != nil && l.what.wait.Period > 0 {
		return max(0, l.wall-t.Length)
	}
	return l.wall - l.app
}
