package view

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// maxCalls is how many calls a page has at most, those of 20 million events. For longer traces it
// shows the long calls, and merges adjacent short calls of one caller.
const maxCalls = 10_000_000

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
	for _, t := range c.threads.seen() {
		t.fold(c.short)
		c.calls += t.len()
	}
}

// fold puts calls shorter than short together that follow each other by less than that.
func (t *thread) fold(short time.Duration) {
	var kept stepList
	var open []folding
	var last joint
	for c := t.steps.all(); c.next(); {
		switch {
		case !c.End:
			open = append(open, folding{c.step, kept.here(), last})
			kept.put(&c.step)
			continue
		case len(open) == 0: // it began before the trace
			kept.put(&c.step)
			continue
		}
		call := &open[len(open)-1]
		open = open[:len(open)-1]
		if c.Main-call.Main >= short && call.Method != shortCalls {
			kept.put(&c.step)
			continue
		}
		kept.cut(call.at)
		if last = call.last; last.ends && call.at == last.behind && call.Main-kept.last.Main < short {
			kept.cut(last.before)
		} else {
			kept.begin(call.stamp, shortCalls)
		}
		last.before, last.ends = kept.here(), true
		kept.put(&c.step)
		last.behind = kept.here()
	}
	t.steps = kept
}

// folding is a call that may turn out to be short.
type folding struct {
	step
	at   place // where it is kept
	last joint // before it
}

// joint is where the last short calls that were put together end, and more can be joined.
type joint struct {
	ends           bool // there is one
	before, behind place
}

// nameShort gives the short calls that were put together a method of their own.
func (r *Recording) nameShort() {
	s := &trace.Symbols{Threads: r.Symbols.Threads, Methods: slices.Clone(r.Symbols.Methods)}
	id := s.AddMethod(trace.Method{Name: "(calls shorter than " + r.Short.String() + ")"})
	for i := range r.threads {
		r.threads[i].steps.change(func(s *step) {
			if s.Method == shortCalls {
				s.Method = id
			}
		})
	}
	r.Symbols = s
}
