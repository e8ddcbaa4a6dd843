package calltree

import (
	"slices"

	"artifice/trace"
)

// Node is a calling context: a number in its tree, from 1 to [Contexts.Len] - 1.
type Node uint32

// NoNode is no context.
const NoNode Node = 0

// NoMethod is the method of a root: the state of a thread with no frame open.
const NoMethod trace.MethodID = 1<<32 - 1

// Contexts is the structure of a tree: it gives every calling context of a trace a
// number, in the order of first appearance, one root for each thread. It shows no
// times; its user keeps a column of them, with a place for each number. The
// zero value is empty and ready to use.
type Contexts struct {
	nodes    []node // the first is no context
	table    []Node // open addressing over (parent, method); NoNode is free
	used     int    // taken slots of table
	roots    []Node // by thread; NoNode for one that was never seen
	enclosed bool   // a root is the parent of a context with a lower number
}

type node struct {
	entry  Entry          // a [Tree]'s, here because an event needs both; 0 in others
	parent Node           // NoNode for a root
	method trace.MethodID // innermost frame; NoMethod for a root
	hot    Node           // the callee's context looked up last
	next   Node           // the caller's next callee in the order of adding; that of the last is the first
	last   Node           // the callee's context added last
	depth  uint32         // frames
	thread trace.ThreadID
}

// Len returns one more than the highest number given: the length of a column.
func (c *Contexts) Len() int { return max(len(c.nodes), 1) }

// Threads returns one more than the highest thread with a root.
func (c *Contexts) Threads() int { return len(c.roots) }

// Root returns the root of a thread, or [NoNode] when nothing is known of it.
func (c *Contexts) Root(id trace.ThreadID) Node {
	if int(id) >= len(c.roots) {
		return NoNode
	}
	return c.roots[id]
}

// AddRoot returns the root of a thread and makes it if need be.
func (c *Contexts) AddRoot(id trace.ThreadID) Node {
	for int(id) >= len(c.roots) {
		c.roots = append(c.roots, NoNode)
	}
	if c.roots[id] == NoNode {
		c.roots[id] = c.add(node{method: NoMethod, thread: id})
	}
	return c.roots[id]
}

// Child returns the context of method m called from context n and makes it if
// need be. Its guesses are the callee of the last time, and the one that was
// first seen after that: loops repeat a call or go through theirs in turn.
func (c *Contexts) Child(n Node, m trace.MethodID) Node {
	child := c.nodes[n].hot
	if c.nodes[child].method != m {
		child = c.otherChild(n, m)
	}
	return child
}

// otherChild is Child of another callee than that of the last time.
func (c *Contexts) otherChild(n Node, m trace.MethodID) Node {
	child := c.nodes[c.nodes[n].hot].next
	if c.nodes[child].method != m {
		child = c.findOrAdd(n, m)
	}
	c.nodes[n].hot = child
	return child
}

// Find returns the context of method m called from context n, or [NoNode].
func (c *Contexts) Find(n Node, m trace.MethodID) Node {
	if len(c.table) == 0 {
		return NoNode
	}
	return c.table[c.slot(n, m)]
}

// Apply returns the context that e leads to from n, by the rule of
// [trace.EffectOf].
func (c *Contexts) Apply(n Node, e *trace.Event) (Node, trace.Effect) {
	at := &c.nodes[n]
	effect := at.effect(e)
	switch {
	case effect == trace.Pushed:
		n = c.Child(n, e.Method)
	case effect.Closes():
		n = at.parent
	}
	return n, effect
}

// effect returns what e does to the stack of a context.
func (n *node) effect(e *trace.Event) trace.Effect {
	return trace.EffectOf(e, int(n.parent), n.method) // the parent of a root, which has no frame, is 0
}

// IsRoot reports whether n is the root of a thread.
func (c *Contexts) IsRoot(n Node) bool { return c.nodes[n].parent == NoNode }

// Parent returns the context that called n; [NoNode] for a root.
func (c *Contexts) Parent(n Node) Node { return c.nodes[n].parent }

// Method returns the innermost method of n; [NoMethod] for a root.
func (c *Contexts) Method(n Node) trace.MethodID { return c.nodes[n].method }

// Thread returns the thread of n.
func (c *Contexts) Thread(n Node) trace.ThreadID { return c.nodes[n].thread }

// Depth returns how many frames n had when it was added; 0 for a root. Frames that
// a [Builder] put around a thread later do not count.
func (c *Contexts) Depth(n Node) int { return int(c.nodes[n].depth) }

// Common returns the innermost context that both a and b go through; both are of
// one thread.
func (c *Contexts) Common(a, b Node) Node {
	for a != b {
		if c.nodes[a].depth < c.nodes[b].depth {
			a, b = b, a
		}
		a = c.nodes[a].parent
	}
	return a
}

// Stack returns the methods of a context, innermost first, in dst's memory
// where it suffices.
func (c *Contexts) Stack(n Node, dst []trace.MethodID) []trace.MethodID {
	dst = dst[:0]
	for ; c.nodes[n].parent != NoNode; n = c.nodes[n].parent {
		dst = append(dst, c.nodes[n].method)
	}
	return dst
}

func (c *Contexts) add(e node) Node {
	if len(c.nodes) == 0 {
		c.nodes = append(c.nodes, node{method: NoMethod})
	}
	n := Node(len(c.nodes))
	e.next = n
	if len(c.nodes) == cap(c.nodes) {
		c.nodes = slices.Grow(c.nodes, len(c.nodes))
	}
	c.nodes = append(c.nodes, e)
	if e.parent != NoNode {
		c.link(e.parent, n)
	}
	return n
}

// link makes n the last callee of parent.
func (c *Contexts) link(parent, n Node) {
	if last := c.nodes[parent].last; last != NoNode {
		c.nodes[n].next = c.nodes[last].next
		c.nodes[last].next = n
	}
	c.nodes[parent].last = n
}

func (c *Contexts) findOrAdd(parent Node, m trace.MethodID) Node {
	if 2*c.used >= len(c.table) {
		c.rehash()
	}
	slot := c.slot(parent, m)
	if c.table[slot] == NoNode {
		p := &c.nodes[parent]
		c.table[slot] = c.add(node{parent: parent, method: m, depth: p.depth + 1, thread: p.thread})
		c.used++
	}
	return c.table[slot]
}

// enclose makes root the context of m under a new root, which it returns: the
// whole tree below, and the time spent at the old root, now belong to m. No
// entry moves, so it costs the same however large the tree is.
func (c *Contexts) enclose(id trace.ThreadID, m trace.MethodID) Node {
	old := c.roots[id]
	root := c.add(node{method: NoMethod, thread: id})
	c.roots[id] = root
	c.enclosed = true
	c.nodes[old].parent = root
	c.nodes[old].method = m
	c.link(root, old)
	if 2*c.used >= len(c.table) {
		c.rehash()
	}
	c.table[c.slot(root, m)] = old
	c.used++
	return root
}

// slot returns where (parent, m) is in the table, or the free slot where it
// belongs. The table has free slots.
func (c *Contexts) slot(parent Node, m trace.MethodID) uint64 {
	mask := uint64(len(c.table) - 1)
	at := hash(parent, m) & mask
	for {
		n := c.table[at]
		if n == NoNode || c.nodes[n].parent == parent && c.nodes[n].method == m {
			return at
		}
		at = (at + 1) & mask
	}
}

// rehash doubles the table. Roots are not in it.
func (c *Contexts) rehash() {
	c.table = make([]Node, max(64, 2*len(c.table)))
	for n := range c.nodes {
		if e := &c.nodes[n]; e.parent != NoNode {
			c.table[c.slot(e.parent, e.method)] = Node(n)
		}
	}
}

// hash mixes with the finaliser of MurmurHash3, whose every output bit depends
// on every input bit: neighbouring ids must not form chains.
func hash(parent Node, m trace.MethodID) uint64 {
	h := uint64(parent)<<32 | uint64(m)
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
