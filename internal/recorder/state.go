package recorder

import (
	"time"

	"artifice/trace"
)

// State is the state of a thread.
type State uint8

const (
	Managed State = iota // runs code with suspend checks: Java, compiled or interpreted
	Native               // runs a JNI method, in ART's state kNative
	Waiting              // uses no CPU
)

// LosesToPause reports whether a pause suspends the thread (ThreadList::SuspendAll): only
// managed code is suspended. Other threads are delayed only if they return to managed code
// during the pause ([Wake]).
func (d State) LosesToPause() bool { return d == Managed }

// LosesToOwn reports whether the cost of its own sample or event delays the thread: only if it
// runs. Samples of waiting threads cost time only in the sampling thread.
func (d State) LosesToOwn() bool { return d != Waiting }

// StateOf returns the state of a thread of a truth with the innermost method m, and the rule of its
// wait. Recorded traces do not state waits: their threads always run managed code.
func StateOf(m *trace.Method) (State, WaitRule) {
	switch {
	case m.Wait != trace.Running:
		return Waiting, WaitRule{Period: m.Period, AtOnce: m.AtOnce, Other: m.Link.Does == trace.Awaits}
	case m.Flags&trace.Native != 0:
		return Native, WaitRule{}
	}
	return Managed, WaitRule{}
}

// WaitRule is the cause that ends a wait. The zero value is a timeout.
type WaitRule struct {
	// Period of the timer that ends the wait at one of its ticks: the frames of a display, a fixed
	// rate. 0: a timeout ends it.
	Period time.Duration

	// Other: a handoff of another thread ends the wait, so that thread's delay extends it. The
	// wait ends at the latest of both ends and the thread's arrival.
	Other bool

	// AtOnce: a thread that misses the tick continues at once (scheduleAtFixedRate, the ring
	// buffer of a sound card), not at the next tick (a vsync). It is ignored without a period.
	AtOnce bool
}

// Absorbs reports whether a delayed thread has a shorter wait.
func (w WaitRule) Absorbs() bool { return w.Period > 0 || w.Other }

// End returns the wall time at which a wait ends if the thread begins it with the delay late, 0 or
// more. Without delay it lasts from began to ends. A thread that arrives exactly at a tick has
// missed it.
//
// Example: a frame of 60 Hz, worked on for 10 ms, waits from 10 to 16.67 ms. Late by 5
// ms, it waits from 15 to 16.67 ms; late by 7 ms, from 17 to 33.33 ms.
func (w WaitRule) End(began, ends, late time.Duration) time.Duration {
	came := began + late
	switch {
	case w.Other:
		return max(came, ends)
	case w.Period == 0:
		return ends + late
	case came < ends:
		return ends
	case w.AtOnce:
		return came
	}
	return ends + ((came-ends)/w.Period+1)*w.Period
}
