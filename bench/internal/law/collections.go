package law

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// collections are the times in which the garbage collector runs. A sample that is due during a
// collection is taken at its end.
//
// For a Poisson sampler the laws stay exact on a time axis of their own. With probability 1 −
// e^{−c/T} some sample falls into a collection [s, e) of length c. All samples that fall into it
// are replaced by one sample at e, where the next gap begins. So samples do not see the state
// between s and e, and see the state at e as if it had lasted c longer. Every event in (s, e]
// therefore counts as if it happened at s; all others count at their own times.
//
// Example: a call over [2, 5) ms and a collection over [4, 7): it counts as [2, 4). A call over [6,
// 8) counts as [4, 8).
type collections struct {
	open    []int // by thread: number of the collector's frames
	running int   // total of open
	last    window
	past    []window
}

// window is the time from one instant to another.
type window struct{ from, to time.Duration }

// apply processes the next event of the truth and returns the time at which it counts.
func (c *collections) apply(symbols *trace.Symbols, e *trace.Event) time.Duration {
	if symbols.Method(e.Method).Flags&trace.Collector != 0 {
		c.collect(e)
	}
	if c.running > 0 || e.Wall <= c.last.to {
		return c.last.from
	}
	return e.Wall
}

// collect processes an event of the collector.
func (c *collections) collect(e *trace.Event) {
	for int(e.Thread) >= len(c.open) {
		c.open = append(c.open, 0)
	}
	switch open := &c.open[e.Thread]; {
	case e.Action == trace.Enter:
		if c.running == 0 && e.Wall > c.last.to { // otherwise it continues the last collection
			c.last.from = e.Wall
		}
		*open++
		c.running++
	case *open > 0:
		*open--
		c.running--
		if c.running == 0 {
			c.last.to = e.Wall
			c.past = append(c.past, c.last)
		}
	}
}

// any reports whether there was a collection.
func (c *collections) any() bool { return c.running > 0 || len(c.past) > 0 }

// counts returns the time at which an event at a given time counts. The truth must have been read.
func (c *collections) counts(at time.Duration) time.Duration {
	all := c.past
	if c.running > 0 {
		all = append(slices.Clip(all), window{c.last.from, math.MaxInt64})
	}
	i, _ := slices.BinarySearchFunc(all, at, func(w window, at time.Duration) int {
		if w.to < at {
			return -1
		}
		return 1
	})
	if i < len(all) && at > all[i].from {
		return all[i].from
	}
	return at
}
