package view

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// MaxCalls is how many calls a page has at most, those of 20 million events. Of a longer
// trace it shows the long ones, and short neighbours with the same caller put together.
const MaxCalls = 10_000_000

// shortCalls is the method of short calls that are put together, until the trace has been
// read.
const shortCalls = trace.MethodID(math.MaxUint32)

// fold puts short calls together until there are at most half of c.most: those below
// c.short, which doubles as often as it takes. What a short call called goes with it.
// Calls that are open stay.
func (c *collector) fold() {
	for c.short < 1<<61 {
		c.short = max(2*c.short, time.Microsecond)
		if c.foldAll(); c.calls <= c.most/2 {
			return
		}
	}
}

// foldAll puts together what is shorter than c.short now.
func (c *collector) foldAll() {
	c.calls = 0
	for i := range c.threads {
		c.threads[i].fold(c.short)
		c.calls += c.threads[i].Len()
	}
}

// fold puts calls shorter than short together that follow each other by less than that.
func (t *Thread) fold(short time.Duration) {
	var kept List
	var open []folding
	var last joint
	for c := t.steps.All(); c.Next(); {
		switch {
		case !c.End:
			open = append(open, folding{c.Step, kept.Here(), last})
			kept.Put(&c.Step)
			continue
		case len(open) == 0: // it began before the trace
			kept.Put(&c.Step)
			continue
		}
		call := &open[len(open)-1]
		open = open[:len(open)-1]
		if c.Main-call.Main >= short && call.Method != shortCalls {
			kept.Put(&c.Step)
			continue
		}
		kept.Cut(call.at)
		if last = call.last; last.ends && call.at == last.behind && call.Main-kept.Last.Main < short {
			kept.Cut(last.before)
		} else {
			kept.Begin(call.Stamp, shortCalls)
		}
		last.before, last.ends = kept.Here(), true
		kept.Put(&c.Step)
		last.behind = kept.Here()
	}
	t.steps = kept
}

// folding is a call that may turn out to be short.
type folding struct {
	Step
	at   Place // where it is kept
	last joint // before it
}

// joint is where the last short calls that were put together end, and more can be joined.
type joint struct {
	ends           bool // there is one
	before, behind Place
}

// nameShort gives the short calls that were put together a method of their own.
func (r *Recording) nameShort() {
	s := &trace.Symbols{Threads: r.Symbols.Threads, Methods: slices.Clone(r.Symbols.Methods)}
	id := s.AddMethod(trace.Method{Name: "(calls shorter than " + r.Short.String() + ")"})
	for i := range r.Threads {
		r.Threads[i].steps.Change(func(s *Step) {
			if s.Method == shortCalls {
				s.Method = id
			}
		})
	}
	r.Symbols = s
}
