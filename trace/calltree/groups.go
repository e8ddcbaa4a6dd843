package calltree

import (
	"iter"
	"slices"
	"time"

	"artifice/trace"
)

// Groups are the contexts of a tree in groups: all of one method, or all of one
// edge. Roots, and threads that [Tree.Keep] took out, are in none.
type Groups[K comparable] struct {
	Keys      []K     // by group, in the order of first appearance
	of        []int32 // by context: its group; −1 for one in none
	outermost []bool  // by context: no context above it is in its group
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
		return group(c, of, numbers[trace.MethodID]()) // few methods of many, or [NoMethod] among them
	}
	index := make([]int32, methods) // by method: 1 and its group
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

// edgeTable numbers edges in the order in which they come: open addressing by hash.
type edgeTable struct {
	memory Memory
	slots  []edgeSlot
	used   int
}

// edgeSlot is a place of the table.
type edgeSlot struct {
	edge Edge
	id   int32 // from 1; 0: free
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

// slot returns the place of an edge, or where it belongs.
func (t *edgeTable) slot(e Edge) *edgeSlot {
	mask := uint32(len(t.slots) - 1)
	for at := hash(Node(e.Caller), e.Callee) & mask; ; at = (at + 1) & mask {
		if s := &t.slots[at]; s.id == 0 || s.edge == e {
			return s
		}
	}
}

// numbers returns a function that numbers keys in the order in which they come.
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

// group groups contexts by a key, of which number returns the group: next if it is new.
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
			g.Keys = appendIn(c.Memory, g.Keys, k) // a key has no pointers wherever there is a Memory
		}
		g.of[n] = id
	}
	v := outermostVisitor{of: g.of, outermost: g.outermost, active: makeIn[int32](c.Memory, len(g.Keys))}
	for id := range c.roots {
		c.Walk(trace.ThreadID(id), &v)
	}
	return g
}

// outermostVisitor finds the contexts that no other of their group is above of.
type outermostVisitor struct {
	of        []int32
	outermost []bool
	active    []int32 // by group: contexts on the walk's path
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

// Sum adds a column up by group.
func (g *Groups[K]) Sum(column []time.Duration) []time.Duration {
	sums := make([]time.Duration, len(g.Keys))
	g.SumTo(sums, column)
	return sums
}

// SumTo adds a column up by group, to sums.
func (g *Groups[K]) SumTo(sums, column []time.Duration) {
	for n := 1; n < len(column); n++ {
		if id := g.of[n]; id >= 0 {
			sums[id] += column[n]
		}
	}
}

// SumOutermost adds a column up by group, of outermost contexts only: of inclusive
// times ([Inclusive]) this is what no activation counts twice.
func (g *Groups[K]) SumOutermost(column []time.Duration) []time.Duration {
	sums := make([]time.Duration, len(g.Keys))
	for i, d := range g.outermostIn(column) {
		sums[i] += d
	}
	return sums
}

// outermostIn returns the group of each outermost context, with its number in a column.
func (g *Groups[K]) outermostIn(column []time.Duration) iter.Seq2[int32, time.Duration] {
	return func(yield func(int32, time.Duration) bool) {
		for n := 1; n < len(column); n++ {
			if g.outermost[n] && !yield(g.of[n], column[n]) {
				return
			}
		}
	}
}

// Inclusive returns, for a column of exclusive sums (times, counts), those of each
// context with all that it called.
func Inclusive[N time.Duration | uint32](c *Contexts, exclusive []N) []N {
	sums := slices.Clone(exclusive)
	AddUp(c, sums)
	return sums
}

// AddUp makes a column of exclusive sums one of inclusive ones.
func AddUp[N time.Duration | uint32](c *Contexts, sums []N) {
	if !c.enclosed { // then a callee's number is above its caller's
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

// inclusiveVisitor adds up on the way up.
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
