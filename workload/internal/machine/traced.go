package machine

import (
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// Tracer takes time from the threads of an app while it runs. The truth is then the traced run, in
// wall time: the closed loop. Delayed work happens later, and a wait ends when its condition is
// met.
//
// Pauses stop managed code; a method with the flag native continues, and so do waits
// ([recorder.Run], [recorder.Wake]). The truth ends at the same time as without a tracer, so
// delayed threads do less work.
type Tracer interface {
	recorder.Pauser

	// Event returns the cost of reporting the start or end of a method, for its thread, after it
	// has happened at a wall time.
	Event(thread trace.ThreadID, wall time.Duration, method trace.MethodID) time.Duration
}

// does returns the state of a thread in its innermost method.
func (r *runner) does() recorder.State {
	switch last := len(r.frames) - 1; {
	case r.waiting:
		return recorder.Waiting
	case last >= 0 && r.program.Methods[r.frames[last].method].Flags&trace.Native != 0:
		return recorder.Native
	}
	return recorder.Managed
}

// passTraced is pass with a tracer.
func (r *runner) passTraced(d time.Duration) {
	does, began := r.does(), r.wall
	r.wall = recorder.Run(r.tracer, r.wall, d, does)
	if does != recorder.Managed {
		r.wall = recorder.Wake(r.tracer, r.wall)
	}
	if does != recorder.Waiting {
		r.cpu += min(d, max(0, r.limit-began))
	}
	r.stopAtLimit()
}

// charge adds the cost of reporting an event to a thread, as work of its own.
func (r *runner) charge(cost time.Duration) {
	if cost > 0 {
		r.wall = recorder.Run(r.tracer, r.wall, cost, recorder.Managed)
		r.cpu += cost
		r.stopAtLimit()
	}
}

// stopAtLimit ends the run of a thread that has reached its end or that of the truth.
func (r *runner) stopAtLimit() {
	if r.wall <= r.limit {
		return
	}
	r.wall, r.phase = r.limit, stopped
	if r.ends {
		r.phase = closing
	}
}
