package recorder

import (
	"time"

	"artifice/trace"
)

// Seen returns a truth whose events are shown to see before anybody else has them: as they are read or, of an [App],
// as they happen, so that they have been seen when its tracer is told of them. An app that nobody watches shows nothing.
func Seen(truth trace.Reader, see func([]trace.Event)) trace.Reader {
	if app, ok := truth.(App); ok {
		return &seenApp{app, see}
	}
	return &seenReader{truth, see}
}

// seenReader shows what is read.
type seenReader struct {
	trace.Reader
	see func([]trace.Event)
}

// ReadEvents implements [trace.Reader].
func (r *seenReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.Reader.ReadEvents(p)
	r.see(p[:n])
	return n, err
}

// seenApp shows what happens.
type seenApp struct {
	App
	see func([]trace.Event)
}

// Watch implements [App].
func (a *seenApp) Watch(w Watcher) { a.App.Watch(&seenFirst{Watcher: w, see: a.see}) }

// seenFirst is a watcher that is told of an event when it has been seen.
type seenFirst struct {
	Watcher
	see func([]trace.Event)
	one [1]trace.Event
}

// Happens implements [Watcher].
func (w *seenFirst) Happens(e *trace.Event) time.Duration {
	w.one[0] = *e
	w.see(w.one[:])
	return w.Watcher.Happens(e)
}
