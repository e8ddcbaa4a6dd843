package calltree

import (
	"time"

	"artifice/trace"
)

// Times is a duration on each clock. That of an absent clock is 0.
type Times struct {
	Wall time.Duration
	CPU  time.Duration
}

func (t *Times) add(u Times) {
	t.Wall += u.Wall
	t.CPU += u.CPU
}

// On returns the time on clock c's main axis: wall time where c has it, else
// CPU time.
func (t Times) On(c trace.Clock) time.Duration {
	if c.HasWall() {
		return t.Wall
	}
	return t.CPU
}

// Node is a calling context: an index into its tree, from 0 to [Tree.Len] - 1.
type Node uint32

// NoNode is no context.
const NoNode Node = 1<<32 - 1

// NoMethod is the method of a root: the state of a thread with no frame open.
const NoMethod trace.MethodID = 1<<32 - 1

// Entry is what a tree knows of one calling context.
type Entry struct {
	Self   Times          // time as the innermost state
	Count  int64          // enters of the innermost frame; samples in a tree of samples; 0 for a root
	Method trace.MethodID // innermost frame; [NoMethod] for a root
	Parent Node           // the context that called it; [NoNode] for a root

	last Node // the callee's context added last
	next Node // the caller's next callee in the order of adding; that of the last is the first
	hot  Node // the callee's context looked up last
}

// Tree holds every calling context of a trace, one root for each thread.
type Tree struct {
	entries []Entry
	table   []Node // open addressing over (Parent, Method); NoNode is free
	used    int    // taken slots of table
	roots   []Node // by thread; NoNode for one that was never seen

	// early is inclusive time that no context spent: what OrphanFromZero says of
	// the time before the exit's own step.
	early map[Node]Times
}

// Len returns the number of contexts, roots included.
func (t *Tree) Len() int { return len(t.entries) }

// At returns the entry of a context, which is valid until the tree grows.
func (t *Tree) At(n Node) *Entry { return &t.entries[n] }

// Threads returns one more than the highest thread with a root.
func (t *Tree) Threads() int { return len(t.roots) }

// Root returns the root of a thread, or [NoNode] when nothing is known of it.
func (t *Tree) Root(id trace.ThreadID) Node {
	if int(id) >= len(t.roots) {
		return NoNode
	}
	return t.roots[id]
}

// AddRoot returns the root of a thread and makes it if need be.
func (t *Tree) AddRoot(id trace.ThreadID) Node {
	for int(id) >= len(t.roots) {
		t.roots = append(t.roots, NoNode)
	}
	if t.roots[id] == NoNode {
		t.roots[id] = t.add(NoNode, NoMethod)
	}
	return t.roots[id]
}

// Child returns the context of method m called from context n and makes it if
// need be. Its guesses are the callee of the last time, and the one that was
// first seen after that: loops repeat a call or go through theirs in turn.
func (t *Tree) Child(n Node, m trace.MethodID) Node {
	if hot := t.entries[n].hot; hot != NoNode {
		e := &t.entries[hot]
		if e.Method == m {
			return hot
		}
		if next := e.next; t.entries[next].Method == m {
			t.entries[n].hot = next
			return next
		}
	}
	child := t.findOrAdd(n, m)
	t.entries[n].hot = child
	return child
}

// Find returns the context of method m called from context n, or [NoNode].
func (t *Tree) Find(n Node, m trace.MethodID) Node {
	if len(t.table) == 0 {
		return NoNode
	}
	return t.table[t.slot(n, m)]
}

// Stack returns the methods of a context, innermost first, in dst's memory
// where it suffices.
func (t *Tree) Stack(n Node, dst []trace.MethodID) []trace.MethodID {
	dst = dst[:0]
	for e := &t.entries[n]; e.Parent != NoNode; e = &t.entries[e.Parent] {
		dst = append(dst, e.Method)
	}
	return dst
}

func (t *Tree) add(parent Node, m trace.MethodID) Node {
	n := Node(len(t.entries))
	t.entries = append(t.entries, Entry{Method: m, Parent: parent, last: NoNode, next: n, hot: NoNode})
	if parent != NoNode {
		t.link(parent, n)
	}
	return n
}

// link makes n the last callee of parent.
func (t *Tree) link(parent, n Node) {
	if last := t.entries[parent].last; last != NoNode {
		t.entries[n].next = t.entries[last].next
		t.entries[last].next = n
	}
	t.entries[parent].last = n
}

func (t *Tree) findOrAdd(parent Node, m trace.MethodID) Node {
	if 2*t.used >= len(t.table) {
		t.rehash()
	}
	slot := t.slot(parent, m)
	if t.table[slot] == NoNode {
		t.table[slot] = t.add(parent, m)
		t.used++
	}
	return t.table[slot]
}

// enclose makes root the context of m under a new root, which it returns: the
// whole tree below, and the time spent at the old root, now belong to m. No
// entry moves, so it costs the same however large the tree is.
func (t *Tree) enclose(id trace.ThreadID, m trace.MethodID) Node {
	old := t.roots[id]
	root := t.add(NoNode, NoMethod)
	t.roots[id] = root
	t.entries[old].Parent = root
	t.entries[old].Method = m
	t.link(root, old)
	if 2*t.used >= len(t.table) {
		t.rehash()
	}
	t.table[t.slot(root, m)] = old
	t.used++
	return root
}

func (t *Tree) addEarly(n Node, early Times) {
	if t.early == nil {
		t.early = make(map[Node]Times)
	}
	early.add(t.early[n])
	t.early[n] = early
}

// slot returns where (parent, m) is in the table, or the free slot where it
// belongs. The table has free slots.
func (t *Tree) slot(parent Node, m trace.MethodID) uint64 {
	mask := uint64(len(t.table) - 1)
	at := hash(parent, m) & mask
	for {
		n := t.table[at]
		if n == NoNode || t.entries[n].Parent == parent && t.entries[n].Method == m {
			return at
		}
		at = (at + 1) & mask
	}
}

// rehash doubles the table. Roots are not in it.
func (t *Tree) rehash() {
	t.table = make([]Node, max(64, 2*len(t.table)))
	for i := range t.table {
		t.table[i] = NoNode
	}
	for n := range t.entries {
		if e := &t.entries[n]; e.Parent != NoNode {
			t.table[t.slot(e.Parent, e.Method)] = Node(n)
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
