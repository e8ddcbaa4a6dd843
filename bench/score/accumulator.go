package score

import (
	"time"

	"artifice/calltree"
)

// Unknown stands for a count that the reader of a trace cannot tell.
const Unknown = -1

// Accumulator sums up what one tracer reports.
type Accumulator struct {
	Samples   int64 // of a thread that found it in a method, or [Unknown]
	Seen      int64 // true calls that a sample fell into, or [Unknown]
	Reported  int64 // calls
	Durations Durations
	Line      Timeline
	columns   columns
}

// columns is what one tracer reports of every calling context.
type columns struct {
	self  []time.Duration // reported time as the innermost state
	cpu   []time.Duration // CPU time of it; nil unless CPU time is asked for
	calls []uint32        // reported calls; 4 billion of one context would take a day
}

// grow makes room for n contexts.
func (c *columns) grow(n int) {
	if n > len(c.self) {
		c.self = append(c.self, make([]time.Duration, n-len(c.self))...)
		c.calls = append(c.calls, make([]uint32, n-len(c.calls))...)
	}
	if c.cpu != nil && n > len(c.cpu) {
		c.cpu = append(c.cpu, make([]time.Duration, n-len(c.cpu))...)
	}
}

// Events returns how many events a trace of these calls has: the enters of the
// reported calls, and the exits of those that have ended.
func (a *Accumulator) Events() int64 { return a.Reported + a.Durations.Total() }

// Release gives back the memory of what is known of each context.
func (a *Accumulator) Release() { a.columns = columns{} }

// WithCPU makes the accumulator sum up CPU time, too.
func (a *Accumulator) WithCPU() { a.columns.cpu = []time.Duration{} }

// call counts a reported call of a context.
func (a *Accumulator) call(p calltree.Node) {
	a.columns.grow(int(p) + 1)
	a.columns.calls[p]++
	a.Reported++
}

// spend adds reported time, and CPU time of it, in context p as the innermost
// state.
func (a *Accumulator) spend(p calltree.Node, d, cpu time.Duration) {
	a.columns.grow(int(p) + 1)
	a.columns.self[p] += d
	if a.columns.cpu != nil {
		a.columns.cpu[p] += cpu
	}
}
