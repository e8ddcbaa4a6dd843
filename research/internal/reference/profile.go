package reference

import (
	"time"

	"artifice/trace"
)

// context is a calling context: the methods on a stack. Its parent lacks the innermost method. A
// thread without a frame is a context without a parent.
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

// contexts are the root contexts, by thread, shared by all compared profiles.
type contexts []*context

func newContexts(threads int) contexts {
	all := make(contexts, threads)
	for i := range all {
		all[i] = &context{inner: map[trace.MethodID]*context{}}
	}
	return all
}

// edge is a caller, −1 for none, and its callee.
type edge struct{ caller, callee int }

// profile contains the times and calls of a record.
type profile struct {
	self, cpu map[*context]time.Duration // of the context itself, without its callees
	calls     map[trace.MethodID]int
	lengths   []time.Duration // of completed calls
	reported  int             // calls
	spans     [][]span        // by thread: its contexts, by app time
}

// span is a thread's context from an app time on.
type span struct {
	from time.Duration
	in   *context
}

// profile aggregates a record.
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

// byMethod sums times by method: exclusive and inclusive. Recursive methods count once per context
// in inclusive times.
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

// byEdge sums times by caller and callee.
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

// inMethods drops the time without a frame.
func inMethods(self map[*context]time.Duration) map[*context]time.Duration {
	sums := map[*context]time.Duration{}
	for c, d := range self {
		if c.parent != nil {
			sums[c] = d
		}
	}
	return sums
}
