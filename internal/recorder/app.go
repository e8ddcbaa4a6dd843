package recorder

import (
	"time"

	"artifice/trace"
)

// App is a truth that happens while it is read, so that a tracer can take time from its threads as
// it goes: the closed loop. What a thread loses, others that wait for it, or for its core, lose with it, in the
// order in which they come then. Its events come by the wall clock, late as they are.
type App interface {
	trace.Reader

	// Watch says who traces, before the first event is read; of several calls the last one counts. The reader
	// then delivers the events as it does unwatched, after they have been given to w.
	Watch(w Watcher)
}

// Watcher is a tracer of an [App]. It is asked in the order of time, and has been told of all
// events up to the time that it is asked about.
type Watcher interface {
	// OwnThread reports whether a thread of the tracer's suspends the others, as ART's sampling thread does. Where the app's
	// threads share cores that one needs a core to do so, and has it for as long.
	OwnThread() bool

	// NextPause returns when it wants to suspend all threads next; false where it does not, as far as
	// it knows. A time that has passed is now.
	NextPause() (at time.Duration, ok bool)

	// Suspend suspends all threads at a time that NextPause has said, or later, as its thread has had to wait for
	// a core, and returns for how long: 0 or more. NextPause says another time then.
	Suspend(at time.Duration) time.Duration

	// Ran returns what was taken from a thread while it did what it did up to an event that is about to
	// happen, and has not been returned before. The thread works that off first. Then Ran is asked
	// again, with the event's later time.
	Ran(e *trace.Event) time.Duration

	// Happens returns what an event takes from its thread, which has happened.
	Happens(e *trace.Event) time.Duration
}

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

// Tap returns a truth whose events are passed to see before its reader gets them: as they are read or, of an [App],
// as they happen, so that they have been seen when its tracer is told of them. An app that nobody watches shows nothing.
func Tap(truth trace.Reader, see func([]trace.Event)) trace.Reader {
	if app, ok := truth.(App); ok {
		return &tapApp{app, see}
	}
	return &tapReader{truth, see}
}

// tapReader shows what is read.
type tapReader struct {
	trace.Reader
	see func([]trace.Event)
}

// ReadEvents implements [trace.Reader].
func (r *tapReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.Reader.ReadEvents(p)
	r.see(p[:n])
	return n, err
}

// tapApp shows what happens.
type tapApp struct {
	App
	see func([]trace.Event)
}

// Watch implements [App].
func (a *tapApp) Watch(w Watcher) { a.App.Watch(&tapWatcher{Watcher: w, see: a.see}) }

// tapWatcher is a watcher that is told of an event when it has been seen.
type tapWatcher struct {
	Watcher
	see func([]trace.Event)
	one [1]trace.Event
}

// Happens implements [Watcher].
func (w *tapWatcher) Happens(e *trace.Event) time.Duration {
	w.one[0] = *e
	w.see(w.one[:])
	return w.Watcher.Happens(e)
}
