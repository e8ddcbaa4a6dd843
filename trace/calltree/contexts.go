package calltree

import (
	"artifice/trace"
)

// Node is the number of a calling context in its tree, from 1 to [Contexts.Len] - 1.
type Node uint32

// NoNode means no context.
const NoNode Node = 0

// NoMethod is the method of a root, the context of a thread with no open frame.
const NoMethod trace.MethodID = 1<<32 - 1

// Contexts is the structure of a calling context tree. It numbers the calling contexts of a trace
// in the order of first appearance, with one root per thread. Times are not part of it: users keep
// columns of values indexed by Node. The zero value is empty and ready to use.
type Contexts struct {
	// Memory allocates the contexts and the groups made of them; nil means ordinary memory. It is
	// set before the first context is added.
	Memory Memory

	pages    []*page // of nodes; the first is NoNode
	count    int     // of nodes, including NoNode
	table    []slot  // contexts with more than one sibling: open addressing by hash; NoNode marks a free slot
	used     int     // occupied slots of table
	roots    []Node  // by thread; NoNode for a thread without events
	deepest  uint32  // maximum depth of the contexts when they were added
	enclosed bool    // a root has become the parent of a context with a lower number
}

// node is a context. It has 64 bytes, one cache line: an event accesses one or two nodes.
type node struct {
	entry Entry // used by [Tree] only; stored here because an event needs both
	frame
	hot   Node // the callee's context of the latest lookup; NoNode if there is none
	guess Node // the predicted next callee: the one that followed hot the last time; NoNode if unknown
	after Node // the context that the caller looked up after this one the last time; NoNode if unknown
	next  Node // the caller's next callee in the order of addition; a ring
	last  Node // the callee's context added last
}

// page is a block of nodes. A tree grows by pages because a growing array needs up to three times
// the memory of its nodes during the copy. In addition, a goroutine cannot be preempted during a
// copy. The garbage collector, on another core, signals it every few microseconds, so that copies
// of megabytes took several times as long.
type page [pageNodes]node

// pageNodes is the number of nodes in a page, a power of two: 32 KiB.
const pageNodes = 1 << 9

// at returns the node with a number.
func (c *Contexts) at(n Node) *node { return &c.pages[n/pageNodes][n%pageNodes] }

// frame is the innermost frame of a context.
type frame struct {
	parent Node           // the caller's context; NoNode for a root
	method trace.MethodID // NoMethod for a root
	depth  uint32         // number of frames, including this one
	thread trace.ThreadID
}

// Len returns the highest Node plus one: the length of a column.
func (c *Contexts) Len() int { return max(c.count, 1) }

// Threads returns the highest ThreadID with a root, plus one.
func (c *Contexts) Threads() int { return len(c.roots) }

// Root returns the root of a thread, or [NoNode] if the thread has none.
func (c *Contexts) Root(id trace.ThreadID) Node {
	if int(id) >= len(c.roots) {
		return NoNode
	}
	return c.roots[id]
}

// AddRoot returns the root of a thread and creates it if necessary.
func (c *Contexts) AddRoot(id trace.ThreadID) Node {
	for int(id) >= len(c.roots) {
		c.roots = append(c.roots, NoNode)
	}
	if c.roots[id] == NoNode {
		c.roots[id] = c.add(frame{method: NoMethod, thread: id})
	}
	return c.roots[id]
}

// Reach returns the context of a stack and creates it if necessary. At least the outermost same
// frames of the stack are those of context n; Reach does not read them.
func (c *Contexts) Reach(n Node, same int, stack []trace.MethodID) Node {
	for c.Depth(n) > same {
		n = c.Parent(n)
	}
	for _, m := range stack[c.Depth(n):] {
		n = c.Child(n, m)
	}
	return n
}

// Child returns the context of method m called from context n and creates it if necessary. Loops
// call the same methods in the same order, so that the prediction is nearly always right.
func (c *Contexts) Child(n Node, m trace.MethodID) Node {
	child := c.at(n).guess
	if c.at(child).method != m {
		child = c.otherChild(n, m)
	}
	caller := c.at(n)
	caller.hot, caller.guess = child, c.at(child).after
	return child
}

// otherChild returns the context of a callee other than the predicted one and creates it if
// necessary.
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

// Find returns the context of method m called from context n, or [NoNode]. It first tries the
// callee of the latest lookup and the callee added after that one: loops repeat one call or cycle
// through their calls. It searches the table only if n has more than two callees, because the table
// contains only contexts with at least two siblings.
func (c *Contexts) Find(n Node, m trace.MethodID) Node {
	hot := c.at(n).hot
	next := c.at(hot).next
	switch {
	case c.at(hot).method == m:
		return hot
	case c.at(next).method == m:
		return next
	case c.at(next).next == hot: // n has no more callees; if it has none, all three are NoNode
		return NoNode
	}
	return c.inTable(n, m)
}

// Apply returns the context after e, starting from n, by the rule of [trace.EffectOf].
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

// effect returns the effect of e on the stack of a context.
func (c *Contexts) effect(n Node, e *trace.Event) trace.Effect {
	return trace.EffectOf(e, int(c.at(n).parent), c.at(n).method) // the parent of a root, which has no frame, is 0
}

// IsRoot reports whether n is the root of a thread.
func (c *Contexts) IsRoot(n Node) bool { return c.at(n).parent == NoNode }

// Parent returns the caller's context of n; [NoNode] for a root.
func (c *Contexts) Parent(n Node) Node { return c.at(n).parent }

// Method returns the innermost method of n; [NoMethod] for a root.
func (c *Contexts) Method(n Node) trace.MethodID { return c.at(n).method }

// Thread returns the thread of n.
func (c *Contexts) Thread(n Node) trace.ThreadID { return c.at(n).thread }

// Depth returns the number of frames of n when it was added; 0 for a root. Frames that a [Builder]
// later added around the whole thread are not counted.
func (c *Contexts) Depth(n Node) int { return int(c.at(n).depth) }

// Common returns the innermost common ancestor of a and b, which belong to the same thread.
func (c *Contexts) Common(a, b Node) Node {
	for a != b {
		if c.at(a).depth < c.at(b).depth {
			a, b = b, a
		}
		a = c.at(a).parent
	}
	return a
}

// Stack returns the methods of a context, innermost first. It uses dst's memory if that is large
// enough.
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

// Touch reports to the Memory that context n and its values in columns have been accessed. Callers
// that iterate over all contexts call it.
func (c *Contexts) Touch(n Node) {
	if n%pageNodes == 0 && c.Memory != nil {
		c.Memory.Touch(pageNodes * touchedEach)
	}
}

// touchedEach is the approximate number of bytes accessed per context: the node and columns.
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

// addChild adds the context of m called from parent, which must not exist.
func (c *Contexts) addChild(parent Node, m trace.MethodID) Node {
	p := c.at(parent)
	first := c.at(parent).hot
	second := c.at(first).next
	few := c.at(second).next == first
	n := c.add(frame{parent, m, p.depth + 1, p.thread})
	switch {
	case !few:
		c.enter(n)
	case first != second: // this is the third callee
		c.enter(first)
		c.enter(second)
		c.enter(n)
	}
	return n
}

// enclose makes the root of a thread the context of m and returns a new root that calls it. The
// whole tree of the thread, and the time spent at the old root, then belong to m. No entry moves,
// so the cost does not depend on the size of the tree.
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

// slot is an entry of the table. The hash distinguishes contexts without access to their nodes,
// which are scattered over memory.
type slot struct {
	node Node
	hash uint32
}

// inTable returns the context of (parent, m) in the table, or [NoNode]. The table must have free
// slots.
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

// enter adds a context to the table, which must not contain it.
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

// put stores s in its slot of the table, which must not contain it.
func (c *Contexts) put(s slot) {
	mask := uint32(len(c.table) - 1)
	at := s.hash & mask
	for c.table[at].node != NoNode {
		at = (at + 1) & mask
	}
	c.table[at] = s
}

// hash is the finalizer of MurmurHash3. Every output bit depends on every input bit, so that
// neighboring ids do not form chains.
func hash(parent Node, m trace.MethodID) uint32 {
	h := uint64(parent)<<32 | uint64(m)
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return uint32(h ^ h>>33)
}
