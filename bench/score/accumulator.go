package score

import (
	"time"

	"artifice/bench/internal/spill"
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

// pages are the columns of one tracer, in pages of pageContexts contexts each. Only
// those are there that have a context which the tracer reported: most see a small
// part of an app whose stacks hardly repeat.
type pages struct {
	list []*page // by context over pageContexts
	cpu  []*[pageContexts]time.Duration
	made int  // how many of the pages are there
	time bool // CPU time is summed up, too

	memory *spill.Memory // of the pages
}

// pageContexts is small, as the contexts that one tracer meets lie scattered among
// those of the truth. They come in the order of first appearance, so that frames
// which a sample finds new are often neighbours.
const pageContexts = 16

// page has no pointer: the garbage collector does not look into it.
type page struct {
	self [pageContexts]time.Duration // reported time as the innermost state

	// grown is how often the reported stack grew up to the context, less how often it
	// grew from it on: with all contexts below, [calltree.Inclusive], its reported
	// calls, of which 4 billion would take a day. Sums may wrap around on the way.
	grown [pageContexts]uint32
}

// grow makes room for n contexts, without pages.
func (p *pages) grow(n int) {
	if n = (n + pageContexts - 1) / pageContexts; n > len(p.list) {
		p.list = spill.Extend(p.memory, p.list, n)
		if p.time {
			p.cpu = spill.Extend(p.memory, p.cpu, n)
		}
	}
}

// page returns the page of a context for which there is room.
func (p *pages) page(n calltree.Node) *page {
	if p.list[n/pageContexts] == nil {
		p.add(n)
	}
	return p.list[n/pageContexts]
}

func (p *pages) add(n calltree.Node) {
	p.list[n/pageContexts] = spill.New[page](p.memory)
	if p.made++; p.time {
		p.cpu[n/pageContexts] = spill.New[[pageContexts]time.Duration](p.memory)
	}
}

// spend adds reported time in a context.
func (p *pages) spend(n calltree.Node, d time.Duration) { p.page(n).self[n%pageContexts] += d }

// spendCPU adds CPU time in a context.
func (p *pages) spendCPU(n calltree.Node, d time.Duration) {
	p.page(n)
	p.cpu[n/pageContexts][n%pageContexts] += d
}

// call counts a call of every context on the way from one, without it, up to
// another, itself included.
func (p *pages) call(from, to calltree.Node) {
	p.page(from).grown[from%pageContexts]--
	p.page(to).grown[to%pageContexts]++
}

// columns returns what is known of all contexts.
func (p *pages) columns(contexts *calltree.Contexts, scratch *spill.Memory) columns {
	c := newColumns(scratch, contexts.Len(), p.time)
	for i, page := range p.list {
		if page == nil {
			continue
		}
		copy(c.self[i*pageContexts:], page.self[:])
		copy(c.calls[i*pageContexts:], page.grown[:])
		if p.time {
			copy(c.cpu[i*pageContexts:], p.cpu[i][:])
		}
	}
	calltree.AddUp(contexts, c.calls)
	return c
}

// newColumns returns columns of n contexts.
func newColumns(memory *spill.Memory, n int, cpu bool) columns {
	c := columns{self: spill.Make[time.Duration](memory, n), calls: spill.Make[uint32](memory, n)}
	if cpu {
		c.cpu = spill.Make[time.Duration](memory, n)
	}
	return c
}

// columns is what one side says of every calling context.
type columns struct {
	self  []time.Duration // time as the innermost state
	cpu   []time.Duration // CPU time of it; nil unless CPU time is asked for
	calls []uint32
}
