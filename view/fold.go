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
		c.calls += len(c.threads[i].Calls)
	}
}

// fold puts calls shorter than short together that follow each other by less than that.
// It does so in place.
func (t *Thread) fold(short time.Duration) {
	open, orphans := 0, 0 // of t's that have been passed
	kept := t.Calls[:0]
	wall := 0 // calls that nothing is joined to: an orphan came after
	for i := 0; i < len(t.Calls); {
		for orphans < len(t.orphans) && t.orphans[orphans].before <= i {
			t.orphans[orphans].before = len(kept)
			orphans, wall = orphans+1, len(kept)
		}
		call := t.Calls[i]
		if open < len(t.open) && int(t.open[open]) == i {
			t.open[open] = int32(len(kept))
			kept = append(kept, call)
			open, i = open+1, i+1
			continue
		}
		if call.Duration >= short && call.Method != shortCalls {
			kept, i = append(kept, call), i+1
			continue
		}
		for i++; i < len(t.Calls) && t.Calls[i].Depth > call.Depth; i++ {
		}
		last := len(kept) - 1
		if last >= wall && kept[last].Method == shortCalls && kept[last].Depth == call.Depth && call.Start-kept[last].End() < short {
			k := &kept[last]
			k.Duration, k.CPU = call.End()-k.Start, call.CPUStart+call.CPU-k.CPUStart
			continue
		}
		call.Method = shortCalls
		kept = append(kept, call)
	}
	for ; orphans < len(t.orphans); orphans++ {
		t.orphans[orphans].before = len(kept)
	}
	t.Calls = kept
}

// nameShort gives the short calls that were put together a method of their own.
func (r *Recording) nameShort() {
	s := &trace.Symbols{Threads: r.Symbols.Threads, Methods: slices.Clone(r.Symbols.Methods)}
	id := s.AddMethod(trace.Method{Name: "(calls shorter than " + r.Short.String() + ")"})
	for i := range r.Threads {
		calls := r.Threads[i].Calls
		for j := range calls {
			if calls[j].Method == shortCalls {
				calls[j].Method = id
			}
		}
	}
	r.Symbols = s
}
