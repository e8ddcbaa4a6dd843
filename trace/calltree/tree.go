package calltree

import (
	"time"

	"artifice/trace"
)

// Times is a duration on each clock. The time of an absent clock is 0.
type Times struct {
	Wall time.Duration
	CPU  time.Duration
}

func (t *Times) add(u Times) {
	t.Wall += u.Wall
	t.CPU += u.CPU
}

// On returns the time on the main axis of clock c: wall time if c has it, else CPU time.
func (t Times) On(c trace.Clock) time.Duration {
	if c.HasWall() {
		return t.Wall
	}
	return t.CPU
}

// Entry is the data of one calling context.
type Entry struct {
	Self  Times // self time
	Count int64 // enters of the innermost frame, or samples in a tree of samples; 0 for a root
}

// Tree is [Contexts] with times and counts.
type Tree struct {
	Contexts

	// early is inclusive time that belongs to no context. With [Builder.OrphansFromZero] it is the
	// time up to the thread's event before the orphan exit.
	early map[Node]Times
}

// At returns the entry of a context. The pointer is valid until the tree grows.
func (t *Tree) At(n Node) *Entry { return &t.at(n).entry }

// Keep removes all threads from the tree except those for which keep returns true. Removed threads
// have no root, and no walk, group or sum includes their contexts. The numbers of contexts do not
// change.
func (t *Tree) Keep(keep func(trace.ThreadID) bool) {
	for id := range t.roots {
		if !keep(trace.ThreadID(id)) {
			t.roots[id] = NoNode
		}
	}
	for i := 1; i < t.Len(); i++ {
		if n := Node(i); t.roots[t.Thread(n)] == NoNode {
			*t.At(n) = Entry{}
			delete(t.early, n)
		}
	}
}

func (t *Tree) addEarly(n Node, early Times) {
	if t.early == nil {
		t.early = make(map[Node]Times)
	}
	early.add(t.early[n])
	t.early[n] = early
}

// Visitor is called for the contexts of a walk. Depth is 0 at a root.
type Visitor interface {
	Open(n Node, depth int) // on the way down, before its callees
	Shut(n Node, depth int) // on the way up, after its callees
}

// Walk visits the contexts of one thread from its root down, callees in the order of first
// appearance. Its memory does not depend on the depth of the tree.
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

// Merge returns one tree of all threads, as thread 0: contexts that differ only in their thread
// become one. It returns t itself if t has thread 0 only.
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

// mergeVisitor adds the visited contexts to another tree; path is the current path there.
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
