package calltree

import "artifice/trace"

// Visitor is called for the contexts of a walk. Depth is 0 at a root.
type Visitor interface {
	Open(n Node, depth int) // on the way down, before its callees
	Shut(n Node, depth int) // on the way up, after its callees
}

// Walk visits the contexts of one thread from its root down, callees in the
// order in which they were first seen. It takes the same memory however deep
// the tree is.
func (c *Contexts) Walk(id trace.ThreadID, v Visitor) {
	root := c.Root(id)
	if root == NoNode {
		return
	}
	n, depth := root, 0
	for {
		v.Open(n, depth)
		c.Touch(n)
		if last := c.at(n).last; last != NoNode {
			n = c.at(last).next
			depth++
			continue
		}
		for n != root && c.at(c.at(n).parent).last == n {
			v.Shut(n, depth)
			n = c.at(n).parent
			depth--
		}
		v.Shut(n, depth)
		if n == root {
			return
		}
		n = c.at(n).next
	}
}

// Merge returns one tree of all threads, as thread 0: contexts that differ in
// nothing but their thread become one. A tree of thread 0 alone is its own.
func (t *Tree) Merge() *Tree {
	if len(t.roots) == 1 {
		return t
	}
	m := mergeVisitor{from: t, to: new(Tree)}
	for id := range t.roots {
		m.path = m.path[:0]
		t.Walk(trace.ThreadID(id), &m)
	}
	return m.to
}

// mergeVisitor adds what it visits to another tree; path is where it is there.
type mergeVisitor struct {
	from, to *Tree
	path     []Node
}

func (m *mergeVisitor) Open(n Node, depth int) {
	e := m.from.At(n)
	at := NoNode
	if depth == 0 {
		at = m.to.AddRoot(0)
	} else {
		at = m.to.Child(m.path[depth-1], m.from.Method(n))
	}
	m.path = append(m.path, at)
	sum := m.to.At(at)
	sum.Self.add(e.Self)
	sum.Count += e.Count
	if early, ok := m.from.early[n]; ok {
		m.to.addEarly(at, early)
	}
}

func (m *mergeVisitor) Shut(Node, int) { m.path = m.path[:len(m.path)-1] }
