package calltree

import (
	"iter"
	"slices"
	"time"

	"artifice/trace"
)

// Groups partitions the contexts of a tree by method or by edge. Roots, and contexts of threads
// that [Tree.Keep] removed, belong to no group.
type Groups[K comparable] struct {
	Keys      []K     // by group, in the order of first appearance
	of        []int32 // group by context; −1 for none
	outermost []bool  // by context: no ancestor is in the same group
}

// Edge is a caller and one of its callees.
type Edge struct {
	Caller trace.MethodID // [NoMethod] for a call from the top level
	Callee trace.MethodID
}

// ByMethod groups contexts by their innermost method.
func ByMethod(c *Contexts) *Groups[trace.MethodID] {
	of := func(n Node) trace.MethodID { return c.at(n).method }
	methods := 0
	for i := 1; i < c.Len(); i++ {
		if n := Node(i); !c.IsRoot(n) {
			methods = max(methods, int(of(n))+1)
		}
	}
	if methods > 1024+8*c.Len() {
		// there are few contexts but ids up to a large number, or [NoMethod] is one of the ids
		return group(c, of, numbers[trace.MethodID]())
	}
	index := make([]int32, methods) // by method: its group plus 1
	return group(c, of, func(m trace.MethodID, next int32) int32 {
		if index[m] == 0 {
			index[m] = next + 1
		}
		return index[m] - 1
	})
}

// ByEdge groups contexts by their innermost method and its caller.
func ByEdge(c *Contexts) *Groups[Edge] {
	t := edgeTable{memory: c.Memory}
	return group(c, func(n Node) Edge { return Edge{c.at(c.at(n).parent).method, c.at(n).method} }, t.number)
}

// edgeTable numbers edges in the order of appearance. It is a hash table with open addressing.
type edgeTable struct {
	memory Memory
	slots  []edgeSlot
	used   int
}

// edgeSlot is an entry of the table.
type edgeSlot struct {
	edge Edge
	id   int32 // from 1; 0 if free
}

func (t *edgeTable) number(e Edge, next int32) int32 {
	if 4*t.used >= 3*len(t.slots) {
		old := t.slots
		t.slots = makeIn[edgeSlot](t.memory, max(64, 2*len(old)))
		for _, s := range old {
			if s.id > 0 {
				*t.slot(s.edge) = s
			}
		}
	}
	s := t.slot(e)
	if s.id == 0 {
		*s = edgeSlot{e, next + 1}
		t.used++
	}
	return s.id - 1
}

// slot returns the slot of an edge, or the free slot to store it in.
func (t *edgeTable) slot(e Edge) *edgeSlot {
	mask := uint32(len(t.slots) - 1)
	for at := hash(Node(e.Caller), e.Callee) & mask; ; at = (at + 1) & mask {
		if s := &t.slots[at]; s.id == 0 || s.edge == e {
			return s
		}
	}
}

// numbers returns a function that numbers keys in the order of appearance.
func numbers[K comparable]() func(k K, next int32) int32 {
	index := map[K]int32{}
	return func(k K, next int32) int32 {
		id, ok := index[k]
		if !ok {
			id, index[k] = next, next
		}
		return id
	}
}

// group partitions contexts by a key. number returns the group of a key, or next if the key is new.
func group[K comparable](c *Contexts, key func(Node) K, number func(k K, next int32) int32) *Groups[K] {
	g := &Groups[K]{of: makeIn[int32](c.Memory, c.Len()), outermost: makeIn[bool](c.Memory, c.Len())}
	for i := 1; i < c.Len(); i++ {
		n := Node(i)
		g.of[n] = -1
		c.Touch(n)
		if c.IsRoot(n) || c.roots[c.at(n).thread] == NoNode {
			continue
		}
		k := key(n)
		id := number(k, int32(len(g.Keys)))
		if int(id) == len(g.Keys) {
			g.Keys = appendIn(c.Memory, g.Keys, k) // keys have no pointers if there is a Memory
		}
		g.of[n] = id
	}
	v := outermostVisitor{of: g.of, outermost: g.outermost, active: makeIn[int32](c.Memory, len(g.Keys))}
	for id := range c.roots {
		c.Walk(trace.ThreadID(id), &v)
	}
	return g
}

// outermostVisitor finds the contexts without an ancestor in the same group.
type outermostVisitor struct {
	of        []int32
	outermost []bool
	active    []int32 // by group: number of contexts on the path of the walk
}

func (v *outermostVisitor) Open(n Node, depth int) {
	if g := v.of[n]; g >= 0 {
		v.outermost[n] = v.active[g] == 0
		v.active[g]++
	}
}

func (v *outermostVisitor) Shut(n Node, depth int) {
	if g := v.of[n]; g >= 0 {
		v.active[g]--
	}
}

// Of returns the group of a context; -1: none.
func (g *Groups[K]) Of(n Node) int { return int(g.of[n]) }

// Sum sums a column by group.
func (g *Groups[K]) Sum(column []time.Duration) []time.Duration {
	sums := make([]time.Duration, len(g.Keys))
	g.SumTo(sums, column)
	return sums
}

// SumTo sums a column by group and adds the sums to sums.
func (g *Groups[K]) SumTo(sums, column []time.Duration) {
	for n := 1; n < len(column); n++ {
		if id := g.of[n]; id >= 0 {
			sums[id] += column[n]
		}
	}
}

// SumOutermost sums a column by group over the outermost contexts only. For inclusive times
// ([Inclusive]) this counts recursion once.
func (g *Groups[K]) SumOutermost(column []time.Duration) []time.Duration {
	sums := make([]time.Duration, len(g.Keys))
	for i, d := range g.outermostIn(column) {
		sums[i] += d
	}
	return sums
}

// outermostIn iterates over the outermost contexts: the group of each and its value in the column.
func (g *Groups[K]) outermostIn(column []time.Duration) iter.Seq2[int32, time.Duration] {
	return func(yield func(int32, time.Duration) bool) {
		for n := 1; n < len(column); n++ {
			if g.outermost[n] && !yield(g.of[n], column[n]) {
				return
			}
		}
	}
}

// Inclusive returns the inclusive sums for a column of exclusive values (times, counts): for each
// context the sum over it and all its descendants.
func Inclusive[N time.Duration | uint32](c *Contexts, exclusive []N) []N {
	sums := slices.Clone(exclusive)
	AddUp(c, sums)
	return sums
}

// AddUp converts a column of exclusive values to inclusive sums in place.
func AddUp[N time.Duration | uint32](c *Contexts, sums []N) {
	if !c.enclosed { // a callee's number is above its caller's
		for n := len(sums) - 1; n > 0; n-- {
			sums[c.at(Node(n)).parent] += sums[n]
			c.Touch(Node(n))
		}
		return
	}
	v := inclusiveVisitor[N]{c, sums}
	for id := range c.roots {
		c.Walk(trace.ThreadID(id), &v)
	}
}

// inclusiveVisitor sums on the way up.
type inclusiveVisitor[N time.Duration | uint32] struct {
	contexts *Contexts
	sums     []N
}

func (v *inclusiveVisitor[N]) Open(Node, int) {}

func (v *inclusiveVisitor[N]) Shut(n Node, depth int) {
	if depth > 0 {
		v.sums[v.contexts.at(n).parent] += v.sums[n]
	}
}
