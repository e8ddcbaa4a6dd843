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
