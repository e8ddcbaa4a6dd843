package score

import (
	"strings"
	"time"

	"artifice/calltree"
	"artifice/trace"
)

// Named returns for each name the methods called that it means: those whose class
// and name, with dots, are the name or end in it after a dot.
func (r *Reference) Named(list []string) [][]trace.MethodID {
	all := make([][]trace.MethodID, len(list))
	for id, calls := range r.side.Calls {
		if calls == 0 || len(list) == 0 {
			continue
		}
		m := r.state.symbols.Method(trace.MethodID(id))
		for i, name := range list {
			if full := dotted(m); full == name || strings.HasSuffix(full, "."+name) {
				all[i] = append(all[i], trace.MethodID(id))
			}
		}
	}
	return all
}

// CalledNames returns the names of the methods that are called.
func (r *Reference) CalledNames() (list []string) {
	for id, calls := range r.side.Calls {
		if calls > 0 {
			list = append(list, dotted(r.state.symbols.Method(trace.MethodID(id))))
		}
	}
	return list
}

// dotted is the full name with dots between packages.
func dotted(m *trace.Method) string { return strings.ReplaceAll(m.FullName(), "/", ".") }

// HasNamed reports whether the trace has a call of each of [Comparison.Named].
func (c *Comparison) HasNamed() bool {
	for _, ids := range c.Named {
		if !c.has(ids) {
			return false
		}
	}
	return true
}

func (c *Comparison) has(ids []trace.MethodID) bool {
	for _, id := range ids {
		if c.Seen.Calls[id] > 0 {
			return true
		}
	}
	return false
}

// Missed returns the methods that the trace does not have: of those with a share of
// the true running time or more, and of those named.
func (c *Comparison) Missed(share float64) (list []trace.MethodID) {
	wanted := c.RunningAbove(share)
	for _, ids := range c.Named {
		if len(ids) > 0 && !c.has(ids) {
			wanted[ids[0]] = 1
		}
	}
	for id, n := range wanted {
		if n > 0 && c.Seen.Calls[id] == 0 {
			list = append(list, trace.MethodID(id))
		}
	}
	return list
}

// Method is what the truth knows of one method, to say why a tracer does not see it.
type Method struct {
	Name      string
	Calls     int64
	Running   float64       // share of running time
	On        time.Duration // wall time on stacks; recursive calls count once
	Collected float64       // share of that in calls that belong to the garbage collector
}

// Knows reports whether a method had been met.
func (r *Reference) Knows(id trace.MethodID) bool { return int(id) < len(r.side.Calls) }

// Method returns what is known of a method.
func (r *Reference) Method(id trace.MethodID) Method {
	running := r.side.running(r.waits)
	m := Method{
		Name: r.state.symbols.Method(id).FullName(), Calls: r.side.Calls[id],
		Running: share(running[id], sum(running)), On: r.side.Inclusive[id],
	}
	var collected, all time.Duration
	for p := 1; p < len(r.state.sums); p++ {
		c := calltree.Node(p)
		if r.state.contexts.IsRoot(c) || r.state.contexts.Method(c) != id {
			continue
		}
		all += r.state.sums[p].on
		if r.collects(c) {
			collected += r.state.sums[p].on
		}
	}
	m.Collected = share(collected, all)
	return m
}

// collects reports whether a context has a frame of the garbage collector.
func (r *Reference) collects(p calltree.Node) bool {
	for ; !r.state.contexts.IsRoot(p); p = r.state.contexts.Parent(p) {
		if r.state.symbols.Method(r.state.contexts.Method(p)).Flags&trace.Collector != 0 {
			return true
		}
	}
	return false
}
