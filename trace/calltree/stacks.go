package calltree

import (
	"math"

	"artifice/trace"
)

// Stack is one distinct stack of a thread and what belongs to it alone.
type Stack struct {
	Frames []trace.MethodID // outermost first; empty for the time with no frame open; valid until the next
	Same   int              // how many of these, from the outermost, the stack before has as well
	Count  int64
	Self   Times
}

// Stacks calls f for each stack of a thread that has a count or a time, callers
// before callees. A stack of more than maxDepth frames is added to its outermost
// maxDepth; [Tree.DepthWithin] gives a limit. It returns the first error of f.
func (t *Tree) Stacks(id trace.ThreadID, maxDepth int, f func(*Stack) error) error {
	v := stackVisitor{tree: t, max: maxDepth, f: f}
	t.Walk(id, &v)
	return v.err
}

// stackVisitor holds the stack back at maxDepth until all above it is added.
type stackVisitor struct {
	tree  *Tree
	max   int
	f     func(*Stack) error
	err   error
	stack Stack
}

func (v *stackVisitor) Open(n Node, depth int) {
	e := v.tree.At(n)
	if depth > v.max {
		v.stack.Count += e.Count
		v.stack.Self.add(e.Self)
		return
	}
	if depth > 0 {
		v.stack.Frames = append(v.stack.Frames, v.tree.Method(n))
	}
	v.stack.Count, v.stack.Self = e.Count, e.Self
	if depth < v.max {
		v.emit()
	}
}

func (v *stackVisitor) Shut(_ Node, depth int) {
	if depth == v.max {
		v.emit()
	}
	if depth > 0 && depth <= v.max {
		v.stack.Frames = v.stack.Frames[:depth-1]
		v.stack.Same = min(v.stack.Same, depth-1)
	}
}

func (v *stackVisitor) emit() {
	if v.err == nil && (v.stack.Count != 0 || v.stack.Self != Times{}) {
		v.err = v.f(&v.stack)
		v.stack.Same = len(v.stack.Frames)
	}
}

// DepthWithin returns the greatest depth to which all stacks together have at
// most that many frames. A recursion n deep has n stacks of up to n frames: its
// list is far larger than the trace, and a hostile trace makes it fill any disk.
func (t *Tree) DepthWithin(frames int64) int {
	if !t.enclosed && int64(t.Len())*int64(t.deepest) <= frames {
		return math.MaxInt // as of most traces; one that was enclosed is deeper than when it grew
	}
	v := depthVisitor{}
	for id := range t.roots {
		t.Walk(trace.ThreadID(id), &v)
	}
	deeper := int64(0) // stacks of more than d frames
	for _, n := range v.stacks {
		deeper += n
	}
	total := int64(0)
	for d, n := range v.stacks {
		// going from d-1 to d frames adds one to each stack that has d or more
		if d > 0 && total > frames-deeper {
			return d - 1
		}
		if d > 0 {
			total += deeper
		}
		deeper -= n
	}
	return math.MaxInt
}

// depthVisitor counts contexts by depth.
type depthVisitor struct{ stacks []int64 }

func (v *depthVisitor) Open(_ Node, depth int) {
	if depth >= len(v.stacks) {
		v.stacks = append(v.stacks, 0)
	}
	v.stacks[depth]++
}

func (v *depthVisitor) Shut(Node, int) {}
