package theory

import (
	"fmt"
	"time"

	"artifice/bench/paths"
	"artifice/trace"
)

// CallCount computes the call-count law for every path of a truth. It is a
// [trace.Writer] that takes the truth's events; events of one thread come in
// time order.
//
// A path is one reported call for as long as consecutive samples see it. So for
// any workload and an ideal systematic sampler with a uniform phase
//
//	E[reported calls of p] = (L_p − Λ_p(T)) / T
//
// with L_p the time p is on the stack and Λ_p(T) the time it is on the stack at
// t and at t − T, p counting as off before the thread's first event. A sample at
// an event's instant sees the state after it. In a truth whose stamps are whole
// microseconds the reported calls, summed over the T phases j + ½ µs, are
// L_p − Λ_p(T) exactly, as integers.
//
// A thread lives from its first to its last event; frames open at the end last
// until then. An exit without an open frame changes nothing.
//
// Source: a reported call begins at each sample that sees p while the one
// before did not; every instant is a sample of exactly one phase.
//
// Example: p on the stack in [0, 3) and [4, 6) µs, T = 2 µs: L = 5; shifted by 2
// it is on in [2, 5) and [6, 8), so Λ = 1 + 1 = 2 and the two phases report 3 calls
// together, 1.5 on average.
type CallCount struct {
	intervals []time.Duration
	table     *paths.Table
	threads   []callCountThread
	columns   []callCountPath // by path
	seen      []time.Duration // by interval: Σ min(duration, T) over calls
	inMethod  time.Duration
	longest   time.Duration
}

type callCountThread struct {
	path        paths.ID // None before the first event
	first, last time.Duration
	open        []time.Duration // when each open frame was entered, outermost first
}

type callCountPath struct {
	calls   int64 // true calls
	on      time.Duration
	overlap []time.Duration // by interval
	next    []int           // by interval: first piece that can still overlap
	pieces  []piece         // of the last longest interval
}

// piece is one stay on the stack: [from, to).
type piece struct{ from, to time.Duration }

// NewCallCount returns the law for these intervals, which are above 0. The
// paths get their numbers from table.
func NewCallCount(table *paths.Table, intervals ...time.Duration) (*CallCount, error) {
	c := &CallCount{intervals: intervals, table: table, seen: make([]time.Duration, len(intervals))}
	for _, t := range intervals {
		if t <= 0 {
			return nil, fmt.Errorf("call-count law: interval %v: must be above 0", t)
		}
		c.longest = max(c.longest, t)
	}
	return c, nil
}

// WriteEvents implements [trace.Writer].
func (c *CallCount) WriteEvents(events []trace.Event) error {
	for _, e := range events {
		c.apply(e)
	}
	return nil
}

func (c *CallCount) apply(e trace.Event) {
	for int(e.Thread) >= len(c.threads) {
		c.threads = append(c.threads, callCountThread{})
	}
	t := &c.threads[e.Thread]
	if t.path == paths.None {
		t.path, t.first = c.table.Root(e.Thread), e.Wall
	}
	t.last = e.Wall
	switch {
	case e.Action == trace.Enter:
		t.path = c.table.Child(t.path, e.Method)
		t.open = append(t.open, e.Wall)
		c.column(t.path).calls++
	case len(t.open) > 0 && c.table.Method(t.path) == e.Method:
		c.leave(t, e.Wall)
	}
}

// leave closes the innermost frame of t.
func (c *CallCount) leave(t *callCountThread, now time.Duration) {
	top := len(t.open) - 1
	d := now - t.open[top]
	for i, interval := range c.intervals {
		c.seen[i] += min(d, interval)
	}
	if top == 0 {
		c.inMethod += d
	}
	c.column(t.path).add(piece{t.open[top], now}, c.intervals, c.longest)
	t.open = t.open[:top]
	t.path = c.table.Parent(t.path)
}

// End ends a thread that lives on after its last event, until then. It is
// called after the thread's last event; for one without any it does nothing.
func (c *CallCount) End(id trace.ThreadID, at time.Duration) {
	if int(id) >= len(c.threads) {
		return
	}
	for t := &c.threads[id]; len(t.open) > 0; {
		c.leave(t, max(at, t.last))
	}
}

// Close ends every other thread at its last event.
func (c *CallCount) Close() error {
	for id := range c.threads {
		c.End(trace.ThreadID(id), 0)
	}
	return nil
}

func (c *CallCount) column(p paths.ID) *callCountPath {
	for int(p) >= len(c.columns) {
		c.columns = append(c.columns, callCountPath{})
	}
	col := &c.columns[p]
	if col.overlap == nil {
		col.overlap = make([]time.Duration, len(c.intervals))
		col.next = make([]int, len(c.intervals))
	}
	return col
}

// add counts stay a and its overlap with every earlier stay shifted by each
// interval. Stays come in order and do not overlap each other.
func (p *callCountPath) add(a piece, intervals []time.Duration, longest time.Duration) {
	p.on += a.to - a.from
	p.pieces = append(p.pieces, a)
	for i, t := range intervals {
		for p.next[i] < len(p.pieces) && p.pieces[p.next[i]].to+t <= a.from {
			p.next[i]++
		}
		for _, b := range p.pieces[p.next[i]:] {
			if b.from+t >= a.to {
				break
			}
			p.overlap[i] += min(a.to, b.to+t) - max(a.from, b.from+t)
		}
	}
	p.forget(a.from - longest)
}

// forget drops the older half of the stays once all of it ended before t.
func (p *callCountPath) forget(t time.Duration) {
	half := len(p.pieces) / 2
	if p.pieces[half].to > t {
		return
	}
	gone := half + 1
	p.pieces = p.pieces[:copy(p.pieces, p.pieces[gone:])]
	for i := range p.next {
		p.next[i] = max(0, p.next[i]-gone)
	}
}

// Calls returns how often path p was really called.
func (c *CallCount) Calls(p paths.ID) int64 { return c.at(p).calls }

// OnStack returns L_p, the time path p is on the stack.
func (c *CallCount) OnStack(p paths.ID) time.Duration { return c.at(p).on }

// Starts returns L_p − Λ_p(T) for the i-th interval: the time during which a
// sample would start a reported call of p.
func (c *CallCount) Starts(p paths.ID, i int) time.Duration {
	col := c.at(p)
	if col.overlap == nil {
		return 0
	}
	return col.on - col.overlap[i]
}

// Expected returns the mean number of reported calls of p at the i-th interval,
// over all phases.
func (c *CallCount) Expected(p paths.ID, i int) float64 {
	return ratio(c.Starts(p, i), c.intervals[i])
}

// Total returns the mean number of reported calls of all paths at the i-th
// interval.
func (c *CallCount) Total(i int) float64 {
	var sum time.Duration
	for p := range c.columns {
		sum += c.Starts(paths.ID(p), i)
	}
	return ratio(sum, c.intervals[i])
}

// Seen returns the mean number of true calls that a sample falls into at the
// i-th interval, over all phases: Σ min(1, d/T).
func (c *CallCount) Seen(i int) float64 { return ratio(c.seen[i], c.intervals[i]) }

// InMethod returns the time during which a thread had a method on its stack,
// summed over threads. Over T it is the mean number of samples that find one.
func (c *CallCount) InMethod() time.Duration { return c.inMethod }

// TrueCalls returns how many calls there were.
func (c *CallCount) TrueCalls() (n int64) {
	for p := range c.columns {
		n += c.columns[p].calls
	}
	return n
}

func (c *CallCount) at(p paths.ID) callCountPath {
	if int(p) >= len(c.columns) {
		return callCountPath{}
	}
	return c.columns[p]
}
