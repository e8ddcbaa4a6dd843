package recorder

import (
	"time"

	"artifice/trace"
)

// State is what a thread is about when something befalls it.
type State uint8

const (
	Managed State = iota // runs code that stops at suspend checks: Java, compiled or interpreted
	Native               // runs code of a JNI method, in ART's state kNative
	Waiting              // uses no CPU
)

// LosesToPause reports whether a thread stands still while all are suspended
// (ThreadList::SuspendAll): only managed code does. The others are held up only if they
// come to managed code before all are resumed ([Wake]).
func (d State) LosesToPause() bool { return d == Managed }

// LosesToOwn reports whether a thread loses what its own sample or event takes: it is
// interrupted, or reports itself, where it runs. A sample of a thread that waits is taken
// by whoever takes it.
func (d State) LosesToOwn() bool { return d != Waiting }

// StateOf returns what a thread of a truth is about whose innermost method is m, and how it ends
// where that is a wait. Of a recorded trace, which does not know, it is always managed code.
func StateOf(m *trace.Method) (State, WaitRule) {
	switch {
	case m.Wait != trace.Running:
		return Waiting, WaitRule{Period: m.Period, AtOnce: m.AtOnce, Other: m.Link.Does == trace.Awaits}
	case m.Flags&trace.Native != 0:
		return Native, WaitRule{}
	}
	return Managed, WaitRule{}
}

// Wait is by what a wait of a thread ends. The zero value is a time since it began.
type WaitRule struct {
	// Period is that of the clock at whose ticks the wait ends: the frames of a display,
	// the turns of a timer. 0: no clock ends it, but a time since it began.
	Period time.Duration

	// Other: it ends when another thread has done something, which is later if that thread is
	// late. Of both times, and that at which this one comes, the last one counts.
	Other bool

	// AtOnce makes a thread that comes after the tick for which it wanted to wait go on
	// at once (scheduleAtFixedRate, the ring buffer of a sound card) and not at the next
	// tick (a vsync). It means nothing without a period.
	AtOnce bool
}

// Absorbs reports whether a thread that is late waits for less.
func (w WaitRule) Absorbs() bool { return w.Period > 0 || w.Other }

// End returns when a wait ends, by the wall clock, of a thread that begins it late by
// late, 0 or more. Undisturbed it lasts from began to ends, no earlier. A thread that comes
// at the very instant of a tick has missed it, as it would undisturbed.
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
