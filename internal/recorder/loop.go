package recorder

import (
	"time"

	"artifice/trace"
)

// Listener is who is told of the events of an app that runs while it is traced.
type Listener interface {
	// Take is called for each event, when it has happened.
	Take(e *trace.Event) error

	// Delay returns what it has made of a thread of which it was given an event.
	Delay(trace.ThreadID) *Delay
}

// Loop is a tracer of an app that runs while it is traced. It is a [Watcher].
type Loop struct {
	tracer Listener
	err    error // the first one
}

// Watch lets a tracer that is told of events, and may be a [Timed] one, watch an app.
func Watch(app App, t Listener) *Loop {
	l := &Loop{tracer: t}
	app.Watch(l)
	return l
}

// Err returns the tracer's first error, after which it is told of nothing.
func (l *Loop) Err() error { return l.err }

// OwnThread implements [Watcher].
func (l *Loop) OwnThread() bool { return false }

// NextPause implements [Watcher]: who is told stops nobody.
func (l *Loop) NextPause() (time.Duration, bool) { return 0, false }

// Suspend implements [Watcher].
func (l *Loop) Suspend(time.Duration) time.Duration { return 0 }

// Ran implements [Watcher].
func (l *Loop) Ran(e *trace.Event) time.Duration {
	timed, ok := l.tracer.(Timed)
	if !ok || l.err != nil {
		return 0
	}
	if l.err = timed.Runs(e); l.err != nil {
		return 0
	}
	return l.tracer.Delay(e.Thread).Settle()
}

// Happens implements [Watcher].
func (l *Loop) Happens(e *trace.Event) time.Duration {
	if l.err != nil {
		return 0
	}
	one := *e
	if l.err = l.tracer.Take(&one); l.err != nil {
		return 0
	}
	d := l.tracer.Delay(e.Thread)
	d.Paid = d.Settle()
	return d.Paid
}
