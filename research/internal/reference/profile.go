package reference

import (
	"time"

	"artifice/trace"
)

// context is a calling context: the methods on a stack. Its parent is that without
// the innermost; a thread without a frame is a context without a parent.
type context struct {
	parent *context
	method trace.MethodID
	depth  int
	inner  map[trace.MethodID]*context
}

func (c *context) call(m trace.MethodID) *context {
	if c.inner[m] == nil {
		c.inner[m] = &context{c, m, c.depth + 1, map[trace.MethodID]*context{}}
	}
	return c.inner[m]
}

// contexts are those without a frame, by thread: of all profiles that are compared.
type contexts []*context

func newContexts(threads int) contexts {
	all := make(contexts, threads)
	for i := range all {
		all[i] = &context{inner: map[trace.MethodID]*context{}}
	}
	return all
}

// edge is a caller, −1 for none, and whom it calls.
type edge struct{ caller, callee int }

// profile is what a record says of times and calls.
type profile struct {
	self, cpu map[*context]time.Duration // in the context itself
	calls     map[trace.MethodID]int
	lengths   []time.Duration // of calls that have ended
	reported  int             // calls
	spans     [][]span        // by thread: what it is in, by app time
}

// span is a thread's context from an app time on.
type span struct {
	from time.Duration
	in   *context
}

// profile adds up a record.
func (r *Record) profile(all contexts) *profile {
	p := &profile{self: map[*context]time.Duration{}, cpu: map[*context]time.Duration{}, calls: map[trace.MethodID]int{}}
	for id, root := range all {
		in, last, cpu := root, r.Tails[id].Begin, r.Tails[id].BeginCPU
		var entered []time.Duration
		spans := []span{{0, root}}
		for _, e := range r.Events {
			if int(e.Thread) != id {
				continue
			}
			p.self[in] += e.Wall - last
			p.cpu[in] += e.CPU - cpu
			last, cpu = e.Wall, e.CPU
			if e.Action == trace.Enter {
				in, entered = in.call(e.Method), append(entered, e.Wall)
				p.calls[e.Method]++
				p.reported++
			} else if n := len(entered); n > 0 {
				p.lengths = append(p.lengths, e.Wall-entered[n-1])
				in, entered = in.parent, entered[:n-1]
			}
			spans = append(spans, span{e.App, in})
		}
		p.self[in] += r.Tails[id].End - last
		p.cpu[in] += r.Tails[id].EndCPU - cpu
		p.spans = append(p.spans, spans)
	}
	return p
}

// byMethod sums times up by method: exclusive and, of each context once for a method
// however often that is on the stack, inclusive.
func byMethod(self map[*context]time.Duration) (exclusive, inclusive map[trace.MethodID]time.Duration) {
	exclusive, inclusive = map[trace.MethodID]time.Duration{}, map[trace.MethodID]time.Duration{}
	for c, d := range self {
		if c.parent != nil {
			exclusive[c.method] += d
		}
		on := map[trace.MethodID]bool{}
		for ; c.parent != nil; c = c.parent {
			if !on[c.method] {
				inclusive[c.method] += d
			}
			on[c.method] = true
		}
	}
	return exclusive, inclusive
}

// byEdge sums times up by caller and callee.
func byEdge(self map[*context]time.Duration) map[edge]time.Duration {
	sums := map[edge]time.Duration{}
	for c, d := range self {
		switch {
		case c.parent == nil:
		case c.parent.parent == nil:
			sums[edge{-1, int(c.method)}] += d
		default:
			sums[edge{int(c.parent.method), int(c.method)}] += d
		}
	}
	return sums
}

// inMethods leaves out the time without a frame.
func inMethods(self map[*context]time.Duration) map[*context]time.Duration {
	sums := map[*context]time.Duration{}
	for c, d := range self {
		if c.parent != nil {
			sums[c] = d
		}
	}
	return sums
}
