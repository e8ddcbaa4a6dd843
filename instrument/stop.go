package instrument

import (
	"time"

	"artifice/trace"
)

// end lets happen what is left when the truth has been read.
func (t *tracer) end() {
	t.ended = true
	if t.starting {
		t.begin()
		t.takeAll(t.held)
		t.held = nil
	}
	t.bear(max(t.truth.Info.Elapsed, t.now))
	t.endUntil(never)
	t.horizon = never
}

// stopTime returns when the app calls stop: at the truth's elapsed time, later
// by what the thread has lost that lost most, and not before anything that has
// happened.
func (t *tracer) stopTime() time.Duration {
	stop, elapsed := t.offset, max(t.truth.Info.Elapsed, t.now)
	for i := range t.threads {
		th := &t.threads[i]
		ended := t.endOf(trace.ThreadID(i))
		if ended == 0 {
			ended = elapsed
		}
		stop = max(stop, ended+th.delay-time.Duration(th.unheard)*t.timing.event)
	}
	return max(stop, t.last)
}
