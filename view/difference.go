package view

import (
	"encoding/json"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// Difference is the difference between two recordings, the page's first, the old one, and its
// second, both read with [Options].Contexts.
type Difference struct {
	Clock    trace.Clock     // what is compared
	Headline string          // what the errors are from, in a sentence or two
	Rows     json.RawMessage // by method, as artifice diff --json prints them
}

// pair is a calling context on both sides.
type pair struct {
	parent   int32 // index; -1: called from nowhere
	method   int32
	old, now time.Duration // exclusive
}

// difference adds the calling contexts of the old and the new recording, over all
// threads.
func (e *encoder) difference(d *Difference) *differenceHeader {
	b := pairs{index: map[[2]int32]int32{}}
	for i, r := range e.page.Recordings[:2] {
		of := e.methods[i]
		b.read(r, func(m trace.MethodID) (int32, bool) { id, ok := of[m]; return id, ok }, func(p *pair, self time.Duration) {
			if i == 0 {
				p.old += self
			} else {
				p.now += self
			}
		}, d.Clock)
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
		Old:    e.column(n, func(i int) uint64 { return uint64(e.units(b.list[i].old)) }),
		New:    e.column(n, func(i int) uint64 { return uint64(e.units(b.list[i].now)) }),
	}
	return h
}

func clockName(c trace.Clock) string {
	if c.HasWall() {
		return "wall"
	}
	return "cpu"
}

// pairs are the calling contexts of two recordings, callers before callees.
type pairs struct {
	list  []pair
	index map[[2]int32]int32 // by parent and method
}

// read adds the contexts of a recording: method numbers them, and add adds their
// exclusive times.
func (b *pairs) read(r *Recording, method func(trace.MethodID) (int32, bool), add func(*pair, time.Duration), clock trace.Clock) {
	v := pairVisitor{pairs: b, profile: r, method: method, add: add, clock: clock}
	for id := range r.Profile.Tree.Threads() {
		v.path = v.path[:0]
		r.Profile.Tree.Walk(trace.ThreadID(id), &v)
	}
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

// pairVisitor adds up while it walks. It implements [calltree.Visitor].
type pairVisitor struct {
	*pairs
	profile *Recording
	method  func(trace.MethodID) (int32, bool)
	add     func(*pair, time.Duration)
	clock   trace.Clock
	path    []int32 // contexts from the root; -1: the root
}

// Open implements [calltree.Visitor].
func (v *pairVisitor) Open(n calltree.Node, depth int) {
	at := int32(-1)
	if depth > 0 {
		at = v.path[depth-1]
		if m, ok := v.method(v.profile.Profile.Tree.Method(n)); ok {
			at = v.of(at, m)
		}
	}
	v.path = append(v.path, at)
	if at >= 0 {
		self := v.profile.Profile.Tree.At(n).Self
		time := self.Wall
		if v.clock == trace.ThreadCPU {
			time = self.CPU
		}
		v.add(&v.list[at], time)
	}
}

// Shut implements [calltree.Visitor].
func (v *pairVisitor) Shut(calltree.Node, int) { v.path = v.path[:len(v.path)-1] }
