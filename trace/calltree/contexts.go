package calltree

import (
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
	// Memory holds the contexts, and groups that are made of them; nil is ordinary
	// memory. It is set before the first context is added.
	Memory Memory

	pages    []*page // of nodes, of which the first is no context
	count    int     // of nodes, with the first
	table    []slot  // of those with more than one sibling: open addressing by hash; NoNode is free
	used     int     // taken slots of table
	roots    []Node  // by thread; NoNode for one that was never seen
	deepest  uint32  // depth of the deepest context when it was added
	enclosed bool    // a root is the parent of a context with a lower number
}

// node is a context. It is 64 bytes, a line of the processor's cache: an event needs one
// or two of them.
type node struct {
	entry Entry // a [Tree]'s, here because an event needs both; 0 in others
	frame
	hot   Node // the callee's context looked up last; NoNode where there is none
	guess Node // the one to be looked up next: what came after hot the last time; NoNode where that is not known
	after Node // what the caller looked up after this one the last time; NoNode likewise
	next  Node // the caller's next callee in the order of adding; that of the last is the first
	last  Node // the callee's context added last
}

// page is some nodes. A tree grows by pages: an array that doubles takes up to three times
// the memory of its nodes while it is copied. Nor can a goroutine be stopped in the middle of a
// copy, which the garbage collector, on another core, tries with a signal every few
// microseconds: copies of megabytes took several times as long for it.
type page [pageNodes]node

// pageNodes is how many nodes a page has, a power of two: 32 KiB of them.
const pageNodes = 1 << 9

// at returns the node of a number.
func (c *Contexts) at(n Node) *node { return &c.pages[n/pageNodes][n%pageNodes] }

// frame is the innermost frame of a context.
type frame struct {
	parent Node           // the context that called it; NoNode for a root
	method trace.MethodID // NoMethod for a root
	depth  uint32         // frames with this one
	thread trace.ThreadID
}

// Len returns one more than the highest number given: the length of a column.
func (c *Contexts) Len() int { return max(c.count, 1) }

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
		c.roots[id] = c.add(frame{method: NoMethod, thread: id})
	}
	return c.roots[id]
}

// Reach returns the context of a stack whose outermost frames, as many as same says at least,
// are those of context n, and makes it if need be. It looks at the other frames only.
func (c *Contexts) Reach(n Node, same int, stack []trace.MethodID) Node {
	for c.Depth(n) > same {
		n = c.Parent(n)
	}
	for _, m := range stack[c.Depth(n):] {
		n = c.Child(n, m)
	}
	return n
}

// Child returns the context of method m called from context n and makes it if
// need be. A program that does again what it did calls the same methods in the same
// order, so that the guess is nearly always right.
func (c *Contexts) Child(n Node, m trace.MethodID) Node {
	child := c.at(n).guess
	if c.at(child).method != m {
		child = c.otherChild(n, m)
	}
	caller := c.at(n)
	caller.hot, caller.guess = child, c.at(child).after
	return child
}

// otherChild returns the context of a callee that is not the guess, and makes it if
// need be.
func (c *Contexts) otherChild(n Node, m trace.MethodID) Node {
	before := c.at(n).hot
	child := c.Find(n, m)
	if child == NoNode {
		child = c.addChild(n, m)
	}
	if before != NoNode {
		c.at(before).after = child
	}
	return child
}

// Find returns the context of method m called from context n, or [NoNode]. Its
// guesses are the callee of the last time, and the one that was first seen after
// that: loops repeat a call or go through theirs in turn. Only where there are more
// than two callees does it look into the table, which has no others.
func (c *Contexts) Find(n Node, m trace.MethodID) Node {
	hot := c.at(n).hot
	next := c.at(hot).next
	switch {
	case c.at(hot).method == m:
		return hot
	case c.at(next).method == m:
		return next
	case c.at(next).next == hot: // there are no more; of none, all three are NoNode
		return NoNode
	}
	return c.inTable(n, m)
}

// Apply returns the context that e leads to from n, by the rule of
// [trace.EffectOf].
func (c *Contexts) Apply(n Node, e *trace.Event) (Node, trace.Effect) {
	effect := c.effect(n, e)
	switch {
	case effect == trace.Pushed:
		n = c.Child(n, e.Method)
	case effect.Closes():
		n = c.at(n).parent
	}
	return n, effect
}

// effect returns what e does to the stack of a context.
func (c *Contexts) effect(n Node, e *trace.Event) trace.Effect {
	return trace.EffectOf(e, int(c.at(n).parent), c.at(n).method) // the parent of a root, which has no frame, is 0
}

// IsRoot reports whether n is the root of a thread.
func (c *Contexts) IsRoot(n Node) bool { return c.at(n).parent == NoNode }

// Parent returns the context that called n; [NoNode] for a root.
func (c *Contexts) Parent(n Node) Node { return c.at(n).parent }

// Method returns the innermost method of n; [NoMethod] for a root.
func (c *Contexts) Method(n Node) trace.MethodID { return c.at(n).method }

// Thread returns the thread of n.
func (c *Contexts) Thread(n Node) trace.ThreadID { return c.at(n).thread }

// Depth returns how many frames n had when it was added; 0 for a root. Frames that
// a [Builder] put around a thread later do not count.
func (c *Contexts) Depth(n Node) int { return int(c.at(n).depth) }

// Common returns the innermost context that both a and b go through; both are of
// one thread.
func (c *Contexts) Common(a, b Node) Node {
	for a != b {
		if c.at(a).depth < c.at(b).depth {
			a, b = b, a
		}
		a = c.at(a).parent
	}
	return a
}

// Stack returns the methods of a context, innermost first, in dst's memory
// where it suffices.
func (c *Contexts) Stack(n Node, dst []trace.MethodID) []trace.MethodID {
	dst = dst[:0]
	for ; c.at(n).parent != NoNode; n = c.at(n).parent {
		dst = append(dst, c.at(n).method)
	}
	return dst
}

func (c *Contexts) add(f frame) Node {
	if c.count == 0 {
		c.append(node{frame: frame{method: NoMethod}})
	}
	n := Node(c.count)
	c.append(node{frame: f, next: n})
	c.deepest = max(c.deepest, f.depth)
	if f.parent != NoNode {
		c.link(f.parent, n)
	}
	return n
}

// Touch reports to the Memory that context n and its places in columns have been accessed. It is
// for callers that go through all contexts.
func (c *Contexts) Touch(n Node) {
	if n%pageNodes == 0 && c.Memory != nil {
		c.Memory.Touch(pageNodes * touchedEach)
	}
}

// touchedEach is about how many bytes are looked at for a context: the node itself and columns.
const touchedEach = 128

// append adds a node.
func (c *Contexts) append(n node) {
	if c.count%pageNodes == 0 {
		c.pages = append(c.pages, newIn[page](c.Memory))
	}
	c.count++
	*c.at(Node(c.count - 1)) = n
}

// link makes n the last callee of parent.
func (c *Contexts) link(parent, n Node) {
	if last := c.at(parent).last; last != NoNode {
		c.at(n).next = c.at(last).next
		c.at(last).next = n
	}
	c.at(parent).last, c.at(parent).hot = n, n
}

// addChild adds the context of m called from parent, which is not there yet.
func (c *Contexts) addChild(parent Node, m trace.MethodID) Node {
	p := c.at(parent)
	first := c.at(parent).hot
	second := c.at(first).next
	few := c.at(second).next == first
	n := c.add(frame{parent, m, p.depth + 1, p.thread})
	switch {
	case !few:
		c.enter(n)
	case first != second: // it is the third
		c.enter(first)
		c.enter(second)
		c.enter(n)
	}
	return n
}

// enclose makes root the context of m under a new root, which it returns: the
// whole tree below, and the time spent at the old root, now belong to m. No
// entry moves, so it costs the same however large the tree is.
func (c *Contexts) enclose(id trace.ThreadID, m trace.MethodID) Node {
	old := c.roots[id]
	root := c.add(frame{method: NoMethod, thread: id})
	c.roots[id] = root
	c.enclosed = true
	c.at(old).parent = root
	c.at(old).method = m
	c.link(root, old)
	return root
}

// slot is a place of the table. The hash tells contexts apart without a look at them:
// they are all over memory.
type slot struct {
	node Node
	hash uint32
}

// inTable returns the context of (parent, m) in the table, which has free slots, or
// [NoNode].
func (c *Contexts) inTable(parent Node, m trace.MethodID) Node {
	mask := uint32(len(c.table) - 1)
	h := hash(parent, m)
	for at := h & mask; ; at = (at + 1) & mask {
		s := c.table[at]
		if s.node == NoNode || s.hash == h && c.at(s.node).parent == parent && c.at(s.node).method == m {
			return s.node
		}
	}
}

// enter puts a context into the table, which does not have it.
func (c *Contexts) enter(n Node) {
	if 4*c.used >= 3*len(c.table) {
		old := c.table
		c.table = makeIn[slot](c.Memory, max(64, 2*len(old)))
		for _, s := range old {
			if s.node != NoNode {
				c.put(s)
				c.Touch(s.node)
			}
		}
	}
	c.put(slot{n, hash(c.at(n).parent, c.at(n).method)})
	c.used++
}

// put puts s, which the table does not have, where it belongs.
func (c *Contexts) put(s slot) {
	mask := uint32(len(c.table) - 1)
	at := s.hash & mask
	for c.table[at].node != NoNode {
		at = (at + 1) & mask
	}
	c.table[at] = s
}

// hash mixes with the finaliser of MurmurHash3, whose every output bit depends
// on every input bit: neighbouring ids must not form chains.
func hash(parent Node, m trace.MethodID) uint32 {
	h := uint64(parent)<<32 | uint64(m)
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return uint32(h ^ h>>33)
}
