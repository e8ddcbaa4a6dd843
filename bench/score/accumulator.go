package score

import (
	"time"

	"artifice/bench/measure"
	"artifice/trace/calltree"
)

// Accumulator sums up what one tracer reports.
type Accumulator struct {
	Samples   int64 // of a thread that found it in a method, or [measure.Unknown]
	Seen      int64 // true calls that a sample fell into, or [measure.Unknown]
	Reported  int64 // calls
	Durations measure.Durations
	Line      measure.Timeline
	pages     pages
}

// Events returns how many events a trace of these calls has: the enters of the
// reported calls, and the exits of those that have ended.
func (a *Accumulator) Events() int64 { return a.Reported + a.Durations.Total() }

// Release frees the memory of each context's data.
func (a *Accumulator) Release() { a.pages = pages{} }

// WithCPU makes the accumulator sum up CPU time, too.
func (a *Accumulator) WithCPU() { a.pages.time = true }

// call counts a reported call of a context from its caller's.
func (a *Accumulator) call(caller, p calltree.Node) {
	a.pages.grow(int(p) + 1)
	a.pages.call(caller, p)
	a.Reported++
}

// spend adds reported time, and CPU time of it, in context p as the innermost
// state.
func (a *Accumulator) spend(p calltree.Node, d, cpu time.Duration) {
	a.pages.grow(int(p) + 1)
	a.pages.spend(p, d)
	if a.pages.time {
		a.pages.spendCPU(p, cpu)
	}
}
