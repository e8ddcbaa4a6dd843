package machine

import (
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// Tracer watches an app and takes time from its threads while it runs. The
// truth is then what the app does under its eyes, by the wall clock: the closed loop, in
// which work is done later, and a wait ends when what it waits for is there.
//
// Pauses stop managed code; a method with the flag native goes on, and so do waits
// ([recorder.Run], [recorder.Wake]). The truth ends when it would end unwatched, so the
// threads that are made slower do less.
type Tracer interface {
	recorder.Pauser

	// Event returns what reporting the begin or end of a method takes from its thread, after
	// it has happened at a time of the wall clock.
	Event(thread trace.ThreadID, wall time.Duration, method trace.MethodID) time.Duration
}

// does is what a thread is about in its innermost method.
func (r *runner) does() recorder.State {
	switch last := len(r.frames) - 1; {
	case r.waiting:
		return recorder.Waiting
	case last >= 0 && r.program.Methods[r.frames[last].method].Flags&trace.Native != 0:
		return recorder.Native
	}
	return recorder.Managed
}

// passTraced is pass while a tracer watches.
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

// charge takes from a thread what reporting an event costs, which is work of its own.
func (r *runner) charge(cost time.Duration) {
	if cost > 0 {
		r.wall = recorder.Run(r.tracer, r.wall, cost, recorder.Managed)
		r.cpu += cost
		r.stopAtLimit()
	}
}

// stopAtLimit ends the run of a thread that has got to the end of its life or of the truth.
func (r *runner) stopAtLimit() {
	if r.wall <= r.limit {
		return
	}
	r.wall, r.phase = r.limit, stopped
	if r.ends {
		r.phase = closing
	}
}
