package score

import (
	"strings"
	"time"

	"artifice/bench/internal/spill"
	"artifice/bench/measure"
	"artifice/trace"
	"artifice/trace/calltree"
)

// NameMatches reports whether name denotes a method: its class and name, with dots, equal name or
// end in a dot and name.
func NameMatches(name string, m *trace.Method) bool {
	full := dotted(m)
	return full == name || strings.HasSuffix(full, "."+name)
}

// Named returns, for each name, the called methods that it denotes ([NameMatches]).
func (r *Reference) Named(list []string) [][]trace.MethodID {
	all := make([][]trace.MethodID, len(list))
	for id, calls := range r.side.Calls {
		if calls == 0 || len(list) == 0 {
			continue
		}
		m := r.state.symbols.Method(trace.MethodID(id))
		for i, name := range list {
			if NameMatches(name, m) {
				all[i] = append(all[i], trace.MethodID(id))
			}
		}
	}
	return all
}

// CalledNames returns the names of the called methods.
func (r *Reference) CalledNames() (list []string) {
	for id, calls := range r.side.Calls {
		if calls > 0 {
			list = append(list, dotted(r.state.symbols.Method(trace.MethodID(id))))
		}
	}
	return list
}

// dotted returns the full name with dots between packages.
func dotted(m *trace.Method) string { return strings.ReplaceAll(m.FullName(), "/", ".") }

// NamedTime is the exclusive running time of named methods, on both sides.
type NamedTime struct {
	True, Seen time.Duration
	Calls      int64 // true ones
}

// NamedTime adds up the running time of all methods of [Comparison.Named].
func (c *Comparison) NamedTime() (t NamedTime) {
	truth, seen := c.Running()
	for _, ids := range c.Named {
		for _, id := range ids {
			t.True += truth[id]
			t.Seen += seen[id]
			t.Calls += c.True.Calls[id]
		}
	}
	return t
}

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

// Missed returns the methods missing from the trace, among those with at least a share of the true
// running time and the named ones.
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

// Method describes one method of the truth, to explain why a tracer misses it.
type Method struct {
	Name      string
	Calls     int64
	Running   float64       // share of running time
	On        time.Duration // wall time on stacks; recursive calls count once
	Collected float64       // share of On during garbage collection
}

// HasMethod reports whether the truth contains a method.
func (r *Reference) HasMethod(id trace.MethodID) bool { return int(id) < len(r.side.Calls) }

// Method returns the description of a method.
func (r *Reference) Method(id trace.MethodID) Method {
	running := r.side.running(r.waits)
	m := Method{
		Name: r.state.symbols.Method(id).FullName(), Calls: r.side.Calls[id],
		Running: measure.Share(running[id], measure.Sum(running)), On: r.side.Inclusive[id],
	}
	if r.stacked == nil {
		r.stacked = r.timesOnStacks()
	}
	on := r.stacked[id]
	m.Collected = measure.Share(on.collected, on.all)
	return m
}

// onStacks is the time of a method on stacks, counting each recursive call, and the part of it with
// the garbage collector on the stack.
type onStacks struct{ all, collected time.Duration }

// timesOnStacks returns the time of each method on stacks.
func (r *Reference) timesOnStacks() []onStacks {
	s := r.state
	times, collects := make([]onStacks, len(s.symbols.Methods)), spill.Make[bool](s.memory, s.sums.Len())
	for p := 1; p < s.sums.Len(); p++ { // callers come before callees
		c := calltree.Node(p)
		if s.contexts.IsRoot(c) {
			continue
		}
		id := s.contexts.Method(c)
		collects[p] = collects[s.contexts.Parent(c)] || s.symbols.Method(id).Flags&trace.Collector != 0
		times[id].all += s.sums.At(p).on
		if collects[p] {
			times[id].collected += s.sums.At(p).on
		}
	}
	return times
}
