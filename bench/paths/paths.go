// Package paths numbers calling contexts: the distinct paths from a thread's
// root to a method that a trace's stacks go through. With a number per path a
// benchmark keeps one column of integers per observed trace, and two traces of
// the same program are compared by adding columns.
//
// A path is what stack-comparing tracers call the same: methods by identity,
// outermost first. It has no times of its own; those are in bench.
package paths

import "artifice/trace"

// ID numbers a path of one [Table]. None stands for no path.
type ID uint32

// None is the parent of a root. No path has this number.
const None ID = 0

// Table gives every path a number, in the order of first appearance. A path's
// number is above its parent's, so one backward loop sums subtrees. The zero
// value is empty and ready to use.
type Table struct {
	nodes []node
	roots []ID // by thread
	slots []ID // open-addressed hash of (parent, method); None is free
}

type node struct {
	parent ID
	method trace.MethodID
	thread trace.ThreadID
	depth  uint32
}

// Len returns one more than the highest number given: the length of a column.
func (t *Table) Len() int { return max(len(t.nodes), 1) }

// Root returns the path of a thread with no method on its stack.
func (t *Table) Root(thread trace.ThreadID) ID {
	if int(thread) >= len(t.roots) {
		t.roots = append(t.roots, make([]ID, int(thread)+1-len(t.roots))...)
	}
	if t.roots[thread] == None {
		t.roots[thread] = t.add(node{thread: thread})
	}
	return t.roots[thread]
}

// Child returns the path that goes on from parent into method m.
func (t *Table) Child(parent ID, m trace.MethodID) ID {
	if 2*len(t.nodes) >= len(t.slots) {
		t.grow()
	}
	slot := t.slot(parent, m)
	if *slot == None {
		p := t.nodes[parent]
		*slot = t.add(node{parent: parent, method: m, thread: p.thread, depth: p.depth + 1})
	}
	return *slot
}

// Find is Child without adding: None where no such path has a number.
func (t *Table) Find(parent ID, m trace.MethodID) ID {
	if len(t.slots) == 0 {
		return None
	}
	return *t.slot(parent, m)
}

// Apply returns the path that e leads to from at, by the rule of
// [trace.EffectOf].
func (t *Table) Apply(at ID, e *trace.Event) (ID, trace.Effect) {
	n := &t.nodes[at]
	effect := trace.EffectOf(e, int(n.depth), n.method)
	switch {
	case effect == trace.Pushed:
		at = t.Child(at, e.Method)
	case effect.Closes():
		at = n.parent
	}
	return at, effect
}

// IsRoot reports whether p is a thread's empty stack.
func (t *Table) IsRoot(p ID) bool { return t.nodes[p].parent == None }

// Parent returns the path without its innermost method, None for a root.
func (t *Table) Parent(p ID) ID { return t.nodes[p].parent }

// Method returns the innermost method of p, which is no root.
func (t *Table) Method(p ID) trace.MethodID { return t.nodes[p].method }

// Thread returns the thread p belongs to.
func (t *Table) Thread(p ID) trace.ThreadID { return t.nodes[p].thread }

// Depth returns how many methods p has; 0 for a root.
func (t *Table) Depth(p ID) int { return int(t.nodes[p].depth) }

// Common returns the longest path that both a and b start with; both belong to
// one thread.
func (t *Table) Common(a, b ID) ID {
	for a != b {
		if t.nodes[a].depth < t.nodes[b].depth {
			a, b = b, a
		}
		a = t.nodes[a].parent
	}
	return a
}

func (t *Table) add(n node) ID {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{}) // None
	}
	t.nodes = append(t.nodes, n)
	return ID(len(t.nodes) - 1)
}

// slot returns the hash slot of (parent, m): the one that holds it, or the free
// one where it belongs. The table has free slots.
func (t *Table) slot(parent ID, m trace.MethodID) *ID {
	mask := len(t.slots) - 1
	h := uint64(parent)<<32 | uint64(m)
	h *= 0x9e3779b97f4a7c15 // Fibonacci hashing
	for i := int(h>>32) & mask; ; i = (i + 1) & mask {
		p := t.slots[i]
		if p == None || t.nodes[p].parent == parent && t.nodes[p].method == m {
			return &t.slots[i]
		}
	}
}

func (t *Table) grow() {
	t.slots = make([]ID, max(64, 2*len(t.slots)))
	for i, n := range t.nodes {
		if n.parent != None {
			*t.slot(n.parent, n.method) = ID(i)
		}
	}
}
