package view

import (
	"encoding/json"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// Difference is the difference between the page's first recording (old) and its second one (new).
// Both must be read with [Options].Contexts.
type Difference struct {
	Clock    trace.Clock     // the compared clock
	Headline string          // source of the errors, in one or two sentences
	Rows     json.RawMessage // by method, as printed by artifice diff --json
}

// difference adds the calling contexts of the old and the new recording, over all
// threads.
func (e *encoder) difference(d *Difference) *differenceHeader {
	b := pairs{index: map[[2]int32]int32{}}
	for side, r := range e.page.Recordings[:2] {
		v := pairVisitor{pairs: &b, side: side, tree: r.Profile.Tree, methods: e.methods[side], clock: d.Clock}
		for id := range v.tree.Threads() {
			v.path = v.path[:0]
			v.tree.Walk(trace.ThreadID(id), &v)
		}
	}
	n := len(b.list)
	h := &differenceHeader{Old: e.header.Recordings[0].Name, New: e.header.Recordings[1].Name, Clock: clockName(d.Clock), Headline: d.Headline, Rows: d.Rows}
	h.Contexts = contextColumns{
		Parent: e.column(n, func(i int) uint64 {
			if b.list[i].parent < 0 {
				return 0
			}
			return uint64(int32(i) - b.list[i].parent)
		}),
		Method: e.column(n, func(i int) uint64 { return uint64(b.list[i].method) }),
		Old:    e.column(n, func(i int) uint64 { return uint64(e.units(b.list[i].self[0])) }),
		New:    e.column(n, func(i int) uint64 { return uint64(e.units(b.list[i].self[1])) }),
	}
	return h
}

func clockName(c trace.Clock) string {
	if c.HasWall() {
		return "wall"
	}
	return "cpu"
}

// pairs contains the calling contexts of two recordings, callers before callees.
type pairs struct {
	list  []pair
	index map[[2]int32]int32 // index by parent and method
}

// pair is a calling context on both sides.
type pair struct {
	parent int32 // index; -1: called from the top level
	method int32
	self   [2]time.Duration // exclusive time, old and new
}

// of returns the index of a context.
func (b *pairs) of(parent, method int32) int32 {
	key := [2]int32{parent, method}
	i, ok := b.index[key]
	if !ok {
		i = int32(len(b.list))
		b.index[key], b.list = i, append(b.list, pair{parent: parent, method: method})
	}
	return i
}

// pairVisitor adds the contexts of one side during a walk. It implements [calltree.Visitor].
type pairVisitor struct {
	*pairs
	side    int // 0: old, 1: new
	tree    *calltree.Tree
	methods map[trace.MethodID]int32 // by id: index in the page
	clock   trace.Clock
	path    []int32 // contexts on the path from the root; -1: the root
}

// Open implements [calltree.Visitor].
func (v *pairVisitor) Open(n calltree.Node, depth int) {
	at := int32(-1)
	if depth > 0 {
		at = v.path[depth-1]
		if m, ok := v.methods[v.tree.Method(n)]; ok {
			at = v.of(at, m)
		}
	}
	v.path = append(v.path, at)
	if at < 0 {
		return
	}
	self := v.tree.At(n).Self
	if v.clock == trace.ThreadCPU {
		v.list[at].self[v.side] += self.CPU
	} else {
		v.list[at].self[v.side] += self.Wall
	}
}

// Shut implements [calltree.Visitor].
func (v *pairVisitor) Shut(calltree.Node, int) { v.path = v.path[:len(v.path)-1] }
