package calltree

import (
	"cmp"
	"slices"

	"artifice/trace"
)

// MethodTotal is a method's share of a trace, over all threads.
type MethodTotal struct {
	Method    trace.MethodID
	Calls     int64 // enters while the method was not yet on its thread's stack
	Recursive int64 // enters while it was
	Exclusive Times // as the innermost frame, recursive or not
	Inclusive Times // while on the stack: outermost activations only, so that nothing counts twice
}

// EdgeTotal is what a method did when called from another, over all threads.
type EdgeTotal struct {
	Caller    trace.MethodID // [NoMethod] for a call from the top level
	Callee    trace.MethodID
	Calls     int64
	Exclusive Times // of the callee itself
	Inclusive Times // of the callee and what it called; activations below one of the same edge do not count again
}

// Toplevel returns the time that threads spent with no frame open.
func (t *Tree) Toplevel() Times {
	var sum Times
	for _, root := range t.roots {
		if root != NoNode {
			sum.add(t.entries[root].Self)
		}
	}
	return sum
}

// Total returns the time of all threads: for each its last event minus its
// first. It is what dmtracedump calls "Total cycles", there of one clock.
func (t *Tree) Total() Times {
	var sum Times
	for i := range t.entries {
		sum.add(t.entries[i].Self)
	}
	return sum
}

// Methods returns the total of every method that the trace has, by ascending
// id.
func (t *Tree) Methods() []MethodTotal {
	groups := sumBy(t, func(e *Entry) trace.MethodID { return e.Method })
	totals := make([]MethodTotal, len(groups))
	for i, g := range groups {
		totals[i] = MethodTotal{g.key, g.calls, g.recursive, g.exclusive, g.inclusive}
	}
	slices.SortFunc(totals, func(a, b MethodTotal) int { return cmp.Compare(a.Method, b.Method) })
	return totals
}

// Edges returns the total of every pair of caller and callee, by ascending ids;
// the top level is the last caller.
func (t *Tree) Edges() []EdgeTotal {
	type edge struct{ caller, callee trace.MethodID }
	groups := sumBy(t, func(e *Entry) edge { return edge{t.At(e.Parent).Method, e.Method} })
	totals := make([]EdgeTotal, len(groups))
	for i, g := range groups {
		totals[i] = EdgeTotal{g.key.caller, g.key.callee, g.calls + g.recursive, g.exclusive, g.inclusive}
	}
	slices.SortFunc(totals, func(a, b EdgeTotal) int {
		return cmp.Or(cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Callee, b.Callee))
	})
	return totals
}

// group is the sum over all contexts of one key.
type group[K comparable] struct {
	key       K
	calls     int64
	recursive int64
	exclusive Times
	inclusive Times
	active    int // contexts of the key on the walk's path
}

// sumBy sums over the contexts, roots excluded, that have the same key.
func sumBy[K comparable](t *Tree, key func(*Entry) K) []group[K] {
	v := summer[K]{tree: t, key: key, index: make(map[K]int)}
	for id := range t.roots {
		t.Walk(trace.ThreadID(id), &v)
	}
	return v.groups
}

// summer is the visitor of sumBy. A context adds its own time to its group on
// the way down; the time of what it called comes with it on the way up.
type summer[K comparable] struct {
	tree   *Tree
	key    func(*Entry) K
	index  map[K]int
	groups []group[K]
	path   []step
}

// step is one context on the walk's path.
type step struct {
	group     int
	inclusive Times
}

func (v *summer[K]) Open(n Node, depth int) {
	e := v.tree.At(n)
	if depth == 0 {
		v.path = append(v.path[:0], step{inclusive: e.Self})
		return
	}
	i := v.group(v.key(e))
	v.path = append(v.path, step{group: i, inclusive: e.Self})
	g := &v.groups[i]
	g.exclusive.add(e.Self)
	if g.active == 0 {
		g.calls += e.Count
	} else {
		g.recursive += e.Count
	}
	g.active++
}

func (v *summer[K]) Shut(n Node, depth int) {
	if depth == 0 {
		return
	}
	done := v.path[depth]
	v.path = v.path[:depth]
	v.path[depth-1].inclusive.add(done.inclusive)
	g := &v.groups[done.group]
	g.active--
	if g.active == 0 {
		g.inclusive.add(done.inclusive)
		g.inclusive.add(v.tree.early[n])
	}
}

func (v *summer[K]) group(k K) int {
	i, ok := v.index[k]
	if !ok {
		i = len(v.groups)
		v.index[k] = i
		v.groups = append(v.groups, group[K]{key: k})
	}
	return i
}
