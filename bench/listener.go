package bench

import (
	"time"

	"artifice/bench/paths"
	"artifice/trace"
)

// listener tallies an observed trace from its events alone, as a reader of the
// file would. It is a [trace.Writer]; events of one thread come in time order.
//
// The time between two events of a thread belongs to the stack that the first
// of them left; a thread's time ends at its last event.
type listener struct {
	tally
	course  *course // whose paths it uses
	threads []heard

	reading  Reading
	interval time.Duration // as the reader guesses it
}

// finish lets the threads of an emulated trace live on after their last event
// as the truth's do: the time that readers of the file do not see.
func (l *listener) finish() {
	for id := range l.threads {
		if t := &l.threads[id]; t.path != paths.None && id < len(l.course.threads) {
			l.spend(t.path, l.course.threads[id].tail, 0)
		}
	}
}

// newListener returns a listener that takes every stamp for what it is.
func newListener(c *course) *listener {
	return &listener{course: c}
}

// heard is what a listener knows of a thread.
type heard struct {
	path   paths.ID
	last   time.Duration   // stamp of the last event
	cpu    time.Duration   // its CPU stamp
	enters []time.Duration // stamps of the open frames, outermost first
}

// WriteEvents implements [trace.Writer]. It never fails.
func (l *listener) WriteEvents(events []trace.Event) error {
	for i := range events {
		l.hear(&events[i])
	}
	return nil
}

func (l *listener) hear(e *trace.Event) {
	for int(e.Thread) >= len(l.threads) {
		l.threads = append(l.threads, heard{})
	}
	t := &l.threads[e.Thread]
	if t.path == paths.None {
		t.path, t.last, t.cpu = l.course.table.Root(e.Thread), e.Wall, e.CPU
	}
	l.spend(t.path, l.reading.span(t.last, e.Wall, l.interval), e.CPU-t.cpu)
	t.last, t.cpu = e.Wall, e.CPU
	path, effect := l.course.table.Apply(t.path, e)
	t.path = path
	switch top := len(t.enters) - 1; {
	case effect == trace.Pushed:
		t.enters = append(t.enters, e.Wall)
		l.call(path)
	case effect.Closes():
		l.durations.Add(e.Wall - t.enters[top])
		t.enters = t.enters[:top]
	}
}
