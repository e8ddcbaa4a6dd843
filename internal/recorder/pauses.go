package recorder

import "time"

// Pause is a time in which all threads are suspended, by the wall clock. What happens at the
// instant at which it begins happens before it, and a thread that wants to go on at the
// instant at which it ends does.
type Pause struct{ From, To time.Duration }

// Pauser is a tracer that suspends all threads.
type Pauser interface {
	// NextPause returns the first pause that has not ended at a time of the wall clock, and
	// false where there is none. Pauses do not overlap. It can be asked for any time, also one before.
	NextPause(wall time.Duration) (Pause, bool)
}

// Wake returns when a thread goes on in managed code that wants to at a time of the wall
// clock, from a wait or from native code: in a pause, at its end.
func Wake(p Pauser, wall time.Duration) time.Duration {
	if next, ok := p.NextPause(wall); ok && next.From < wall {
		return next.To
	}
	return wall
}

// Run returns when a thread has done an amount of work, by the wall clock, that it begins
// at wall. Managed code stands still in every pause that begins before the work is done; native
// code does not.
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
