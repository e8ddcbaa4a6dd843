package score

import (
	"time"

	"artifice/bench/internal/spill"
	"artifice/bench/measure"
	"artifice/trace/calltree"
)

// Accumulator sums up the report of one tracer.
type Accumulator struct {
	Samples   int64 // of threads in a method, or [measure.Unknown]
	Seen      int64 // true calls with a sample, or [measure.Unknown]
	Reported  int64 // calls
	Durations measure.Durations
	Line      measure.Timeline
	pages     pages
}

// Events returns the number of events in a trace of these calls: an enter for each reported call,
// and an exit for each call that has ended.
func (a *Accumulator) Events() int64 { return a.Reported + a.Durations.Total() }

// Release frees the memory of each context's data.
func (a *Accumulator) Release() { a.pages = pages{} }

// WithCPU makes the accumulator sum up CPU time, too.
func (a *Accumulator) WithCPU() { a.pages.time = true }

// call counts a reported call of context p by its caller.
func (a *Accumulator) call(caller, p calltree.Node) {
	a.pages.grow(int(p) + 1)
	a.pages.call(caller, p)
	a.Reported++
}

// spend adds reported time with its CPU time in context p as the innermost context.
func (a *Accumulator) spend(p calltree.Node, d, cpu time.Duration) {
	a.pages.grow(int(p) + 1)
	a.pages.spend(p, d)
	if a.pages.time {
		a.pages.spendCPU(p, cpu)
	}
}

// pages contains the columns of one tracer, in pages of pageContexts contexts. Only pages with a
// reported context are allocated, because most tracers report few contexts of an app with varied
// stacks.
type pages struct {
	list []*page // by context over pageContexts
	cpu  []*[pageContexts]time.Duration
	made int  // number of allocated pages
	time bool // CPU time is summed up, too

	memory *spill.Memory // of the pages
}

// pageContexts is small, because the contexts of one tracer are scattered among those of the truth.
// Contexts are numbered by first appearance, so new frames of a sample are often adjacent.
const pageContexts = 16

// page contains no pointers, so the garbage collector does not scan it.
type page struct {
	self [pageContexts]time.Duration // reported time as the innermost state

	// grown is the number of times the reported stack grew up to the context, minus the number of
	// times it grew from it. Summed over all contexts below ([calltree.Inclusive]), it is the
	// number of reported calls; 4 billion of them would take a day. Intermediate sums may wrap
	// around.
	grown [pageContexts]uint32
}

// grow extends the list to n contexts, without allocating pages.
func (p *pages) grow(n int) {
	if n = (n + pageContexts - 1) / pageContexts; n > len(p.list) {
		p.list = spill.Extend(p.memory, p.list, n)
		if p.time {
			p.cpu = spill.Extend(p.memory, p.cpu, n)
		}
	}
}

// page returns the page of a context within the list.
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

// call counts a call of every context on the path from one context, exclusive, to another,
// inclusive.
func (p *pages) call(from, to calltree.Node) {
	p.page(from).grown[from%pageContexts]--
	p.page(to).grown[to%pageContexts]++
}

// columns returns the columns of all contexts.
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

// columns contains the times and calls of every calling context on one side.
type columns struct {
	self  []time.Duration // time as the innermost context
	cpu   []time.Duration // its CPU time; nil unless CPU time is summed up
	calls []uint32
}
