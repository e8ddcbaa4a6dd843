package lateness

import (
	"sort"
	"time"
)

// Pause is a time in which all threads are suspended, by the wall clock.
type Pause struct{ From, To time.Duration }

// Pauses are the times in which a tracer suspends all threads: in order of time, none
// begins before the one before it has ended. What happens at the instant at which a pause
// begins happens before it, and a thread that wants to go on at the instant at which it
// ends does.
type Pauses []Pause

// Pauser is a tracer that suspends all threads.
type Pauser interface {
	// NextPause returns the first pause that has not ended at a time of the wall clock, and
	// false where there is none. It can be asked for any time, also one before.
	NextPause(wall time.Duration) (Pause, bool)
}

// NextPause implements [Pauser].
func (p Pauses) NextPause(wall time.Duration) (Pause, bool) {
	i := sort.Search(len(p), func(i int) bool { return p[i].To > wall })
	if i == len(p) {
		return Pause{}, false
	}
	return p[i], true
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
func Run(p Pauser, wall, work time.Duration, does Doing) time.Duration {
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
