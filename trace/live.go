package trace

import "time"

// LiveApp is an app that runs while its events are read, so that tracing overhead delays its
// threads (a closed loop). The delay of a thread delays other threads that wait for it or for its
// core, and may change their order. Its events are in wall-time order and include these delays.
type LiveApp interface {
	Reader

	// Watch sets the tracer, before the first event is read; of several calls the last one counts.
	// The reader delivers the same events as without a tracer, after w has received them.
	Watch(w Watcher)
}

// Watcher is a tracer of a [LiveApp]. Its methods are called in time order: at each call it has
// received all events up to the time of the call.
type Watcher interface {
	// OwnThread reports whether the tracer has a thread that suspends the others, as ART's sampling
	// thread does. If the app's threads share cores, the tracer's thread needs a core to suspend
	// them, and occupies it during the pause.
	OwnThread() bool

	// NextPause returns the time of the next suspension of all threads; ok is false if none is
	// planned yet. A time in the past means now.
	NextPause() (at time.Duration, ok bool)

	// Suspend suspends all threads and returns the duration of the pause, at least 0. at is the
	// time from NextPause, or later if the tracer's thread had to wait for a core. Afterwards
	// NextPause returns another time.
	Suspend(at time.Duration) time.Duration

	// Ran returns the tracing overhead of a thread up to an event that is about to happen,
	// excluding overhead returned by earlier calls. The thread spends that time first. Then Ran is
	// called again with the event's later time.
	Ran(e *Event) time.Duration

	// Happens returns the tracing overhead of an event on its thread. The event has happened.
	Happens(e *Event) time.Duration
}
