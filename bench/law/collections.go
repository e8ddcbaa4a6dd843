package law

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// collections are the times in which the garbage collector runs. A sample that is
// due then is taken at the end.
//
// For a Poisson sampler the laws stay exact on a time axis of their own. A sample
// falls into a collection [s, e) of length c with probability 1 − e^{−c/T}, and is
// taken at e instead, once for all that fall in; the next gap begins there. So the
// state between s and e is not seen, and the state at e is seen as if it had
// lasted c longer: every event in (s, e] counts as if it came at s, all others
// count when they come.
//
// Example: a call over [2, 5) ms and a collection over [4, 7): it counts as
// [2, 4). A call over [6, 8) counts as [4, 8).
type collections struct {
	open    []int // by thread: frames of the collector
	running int   // in all
	last    window
	past    []window
}

// window is the time from one instant to another.
type window struct{ from, to time.Duration }

// apply takes the next event of the truth and returns the time at which it
// counts.
func (c *collections) apply(symbols *trace.Symbols, e *trace.Event) time.Duration {
	if symbols.Method(e.Method).Flags&trace.Collector != 0 {
		c.collect(e)
	}
	if c.running > 0 || e.Wall <= c.last.to {
		return c.last.from
	}
	return e.Wall
}

// collect takes an event of the collector.
func (c *collections) collect(e *trace.Event) {
	for int(e.Thread) >= len(c.open) {
		c.open = append(c.open, 0)
	}
	switch open := &c.open[e.Thread]; {
	case e.Action == trace.Enter:
		if c.running == 0 && e.Wall > c.last.to { // otherwise the last one continues
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

// counts returns the time at which an event at any time counts, once the truth is
// read.
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
