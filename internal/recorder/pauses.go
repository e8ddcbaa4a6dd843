package recorder

import "time"

// Pause is a time in which all threads are suspended, in wall time. An event at its begin happens
// before it, and a thread that resumes at its end is not delayed.
type Pause struct{ From, To time.Duration }

// Pauser is a tracer that suspends all threads.
type Pauser interface {
	// NextPause returns the first pause that has not ended at a wall time, and false if there is
	// none. Pauses do not overlap. Times may decrease from call to call.
	NextPause(wall time.Duration) (Pause, bool)
}

// Wake returns the wall time at which a thread that becomes ready at wall, after a wait or native
// code, returns to managed code: during a pause, the pause's end.
func Wake(p Pauser, wall time.Duration) time.Duration {
	if next, ok := p.NextPause(wall); ok && next.From < wall {
		return next.To
	}
	return wall
}

// Run returns the wall time at which a thread completes work that it begins at wall. Every pause
// that begins before its completion suspends managed code, but not native code.
func Run(p Pauser, wall, work time.Duration, does State) time.Duration {
	if work == 0 || !does.LosesToPause() {
		return wall + work
	}
	for {
		next, ok := p.NextPause(wall)
		before := max(0, next.From-wall)
		if !ok || work <= before {
			return wall + work
		}
		work -= before
		wall = next.To
	}
}
