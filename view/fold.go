package view

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// maxCalls is the maximum number of calls of a page, corresponding to 20 million events. For longer
// traces the page shows the long calls, and merges adjacent short calls of one caller.
const maxCalls = 10_000_000

// shortCalls is the method of merged short calls until the trace has been read.
const shortCalls = trace.MethodID(math.MaxUint32)

// fold merges calls shorter than c.short, and doubles c.short until there are at most half of
// c.most calls. The callees of a short call are removed with it. Open calls are kept.
func (c *collector) fold() {
	for c.short < 1<<61 {
		c.short = max(2*c.short, time.Microsecond)
		if c.foldAll(); c.calls <= c.most/2 {
			return
		}
	}
}

// foldAll merges the calls that are shorter than the current c.short.
func (c *collector) foldAll() {
	c.calls = 0
	for _, t := range c.threads.seen() {
		t.fold(c.short)
		c.calls += t.len()
	}
}

// fold merges successive calls shorter than short if the time between them is also shorter than
// short.
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
		case len(open) == 0: // the call began before the trace
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

// folding is a call that may be merged.
type folding struct {
	step
	at   place // its position in the kept steps
	last joint // the last merged calls before it
}

// joint is the end of the last merged short calls, to which more can be added.
type joint struct {
	ends           bool // there are merged calls
	before, behind place
}

// nameShort gives the merged short calls a separate method.
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
