package recorder

import (
	"time"

	"artifice/trace"
)

// Listener receives the events of a live app.
type Listener interface {
	// Take is called for each event when it happens.
	Take(e *trace.Event) error

	// Delay returns the delay of a thread that has had an event.
	Delay(trace.ThreadID) *Delay
}

// Loop is a tracer of a live app. It is a [trace.Watcher].
type Loop struct {
	tracer Listener
	err    error // the first error
}

// Watch registers a tracer, which may be [Timed], as the watcher of an app.
func Watch(app trace.LiveApp, t Listener) *Loop {
	l := &Loop{tracer: t}
	app.Watch(l)
	return l
}

// Err returns the tracer's first error, after which it receives no events.
func (l *Loop) Err() error { return l.err }

// OwnThread implements [trace.Watcher].
func (l *Loop) OwnThread() bool { return false }

// NextPause implements [trace.Watcher]: event-driven tracers never suspend the app.
func (l *Loop) NextPause() (time.Duration, bool) { return 0, false }

// Suspend implements [trace.Watcher].
func (l *Loop) Suspend(time.Duration) time.Duration { return 0 }

// Ran implements [trace.Watcher].
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

// Happens implements [trace.Watcher].
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

// Observer receives events of a ground truth.
type Observer interface {
	Observe(events []trace.Event)
}

// Tap returns a truth with an observer that receives its events before the reader does. Events of
// a [trace.LiveApp] are observed when they happen, before its watcher receives them; an app
// without a watcher is not observed.
func Tap(truth trace.Reader, o Observer) trace.Reader {
	if app, ok := truth.(trace.LiveApp); ok {
		return &tapApp{app, o}
	}
	return &tapReader{truth, o}
}

// tapReader passes the events read to an observer.
type tapReader struct {
	trace.Reader
	observer Observer
}

// ReadEvents implements [trace.Reader].
func (r *tapReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.Reader.ReadEvents(p)
	r.observer.Observe(p[:n])
	return n, err
}

// tapApp passes the events of an app to an observer as they happen.
type tapApp struct {
	trace.LiveApp
	observer Observer
}

// Watch implements [trace.LiveApp].
func (a *tapApp) Watch(w trace.Watcher) {
	a.LiveApp.Watch(&tapWatcher{Watcher: w, observer: a.observer})
}

// tapWatcher passes events to an observer before the watcher receives them.
type tapWatcher struct {
	trace.Watcher
	observer Observer
	one      [1]trace.Event
}

// Happens implements [trace.Watcher].
func (w *tapWatcher) Happens(e *trace.Event) time.Duration {
	w.one[0] = *e
	w.observer.Observe(w.one[:])
	return w.Watcher.Happens(e)
}
