package trace

import "time"

// LiveApp is an app that runs while its events are read, so that tracing overhead delays its
// threads: the closed loop. The delay of a thread delays others that wait for it or
// for its core, and may change their order. Its events are in the order of the wall
// clock, with these delays.
type LiveApp interface {
	Reader

	// Watch sets the tracer, before the first event is read; of several calls the last one counts.
	// The reader delivers the same events as without one, after they have been given to w.
	Watch(w Watcher)
}

// Watcher is a tracer of a [LiveApp]. It is called in the order of time: it has received all
// events up to the time of a call.
type Watcher interface {
	// OwnThread reports whether a thread of the tracer's suspends the others, as ART's sampling
	// thread does. Where the app's threads share cores, that one needs a core to do so, and
	// occupies it for as long.
	OwnThread() bool

	// NextPause returns the time of the next suspension of all threads; false if none is planned
	// so far. A time that has passed means now.
	NextPause() (at time.Duration, ok bool)

	// Suspend suspends all threads at the time of NextPause, or later if the tracer's thread had
	// to wait for a core, and returns for how long: 0 or more. NextPause returns another time
	// afterwards.
	Suspend(at time.Duration) time.Duration

	// Ran returns the tracing overhead of a thread up to an event that is about to happen, as
	// far as it has not been returned before. The thread spends that time first. Then Ran is
	// called again, with the event's later time.
	Ran(e *Event) time.Duration

	// Happens returns the overhead of an event, which has happened, on its thread.
	Happens(e *Event) time.Duration
}
