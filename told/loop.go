package told

import (
	"time"

	"artifice/trace"
)

// loop is a tracer of an app that runs while it is traced. It is a [lateness.Watcher].
type loop struct {
	tracer Tracer
	err    error // the first one
}

// OwnThread implements [lateness.Watcher].
func (l *loop) OwnThread() bool { return false }

// NextPause implements [lateness.Watcher]: who is told stops nobody.
func (l *loop) NextPause() (time.Duration, bool) { return 0, false }

// Suspend implements [lateness.Watcher].
func (l *loop) Suspend(time.Duration) time.Duration { return 0 }

// Ran implements [lateness.Watcher].
func (l *loop) Ran(e *trace.Event) time.Duration {
	timed, ok := l.tracer.(Timed)
	if !ok || l.err != nil {
		return 0
	}
	if l.err = timed.Runs(e); l.err != nil {
		return 0
	}
	return l.tracer.Delay(e.Thread).Settle()
}

// Happens implements [lateness.Watcher].
func (l *loop) Happens(e *trace.Event) time.Duration {
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
