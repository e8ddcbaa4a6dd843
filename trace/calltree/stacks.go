package calltree

import (
	"math"

	"artifice/trace"
)

// Stack is one distinct stack of a thread with its exclusive values.
type Stack struct {
	Frames []trace.MethodID // outermost first; empty for the time with no open frame; valid until the next Stack
	Same   int              // number of outermost frames in common with the previous stack
	Count  int64
	Self   Times
}

// Stacks calls f for each stack of a thread with a nonzero count or time, callers before callees. A
// stack of more than maxDepth frames is added to its outermost maxDepth frames; [Tree.DepthWithin]
// computes a limit. Stacks returns the first error of f.
func (t *Tree) Stacks(id trace.ThreadID, maxDepth int, f func(*Stack) error) error {
	v := stackVisitor{tree: t, max: maxDepth, f: f}
	t.Walk(id, &v)
	return v.err
}

// stackVisitor delays a stack at maxDepth until all deeper ones are added to it.
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

// DepthWithin returns the maximum depth at which all stacks, cut to that depth, have at most the
// given number of frames in total. A recursion of depth n has n stacks of up to n frames. A list of
// them is far larger than the trace, and that of a malicious trace could fill any disk.
func (t *Tree) DepthWithin(frames int64) int {
	if !t.enclosed && int64(t.Len())*int64(t.deepest) <= frames {
		return math.MaxInt // the usual case; an enclosed tree is deeper than deepest
	}
	v := depthVisitor{}
	for id := range t.roots {
		t.Walk(trace.ThreadID(id), &v)
	}
	deeper := int64(0) // number of stacks with more than d frames
	for _, n := range v.stacks {
		deeper += n
	}
	total := int64(0)
	for d, n := range v.stacks {
		// a limit of d instead of d-1 adds one frame to each stack with at least d frames
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
