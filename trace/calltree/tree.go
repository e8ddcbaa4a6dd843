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

// Entry is what a tree holds for one calling context.
type Entry struct {
	Self  Times // time as the innermost state
	Count int64 // enters of the innermost frame; samples in a tree of samples; 0 for a root
}

// Tree is [Contexts] with times and counts.
type Tree struct {
	Contexts

	// early is inclusive time that no context spent: what OrphanFromZero says of
	// the time before the exit's own step.
	early map[Node]Times
}

// At returns the entry of a context, which is valid until the tree grows.
func (t *Tree) At(n Node) *Entry { return &t.at(n).entry }

// Keep takes all threads out of the tree but those that keep reports: they have no root
// any more, and no walk, group or sum has their contexts, whose numbers stay.
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
