package estimate

import (
	"time"

	"artifice/trace/calltree"
)

// endedWalks is the time of samples with incomplete stacks ([trace.Method.WalkEnd]): any method may
// be among their missing callers. It is CPU time if samples are of CPU time, else wall time, which
// is at least as long.
type endedWalks struct {
	cut, blank []time.Duration // by thread: of all such samples, and of those without a method
	below      []bool          // by context: it is in such samples, or is the frame that marks them
	all        []time.Duration // by context: their time with it on the stack
	shown      time.Duration   // of all threads, between samples
}

// newEndedWalks sums these times. They include the time before a thread's first sample and after
// its last event, if that sample or event has an incomplete stack.
func newEndedWalks(f *follower, before, run []time.Duration) *endedWalks {
	w := &endedWalks{cut: make([]time.Duration, len(f.threads)), blank: make([]time.Duration, len(f.threads)), below: make([]bool, f.tree.Len()), all: make([]time.Duration, f.tree.Len())}
	for n := calltree.Node(1); int(n) < f.tree.Len() && f.walkEnds != nil; n++ {
		id := f.tree.Thread(n)
		if w.below[n] = f.belowEnd(n); !w.below[n] || f.tree.Root(id) == calltree.NoNode {
			continue
		}
		self := f.tree.At(n).Self
		own := self.Wall
		if f.running {
			own = self.CPU
		}
		w.shown += own
		own += before[n] + run[n]
		w.all[n] = own
		if w.cut[id] += own; f.walkEnds[f.tree.Method(n)] {
			w.blank[id] += own
		}
	}
	calltree.AddUp(&f.tree.Contexts, w.all)
	return w
}

// belowEnd reports whether the outermost frame of a context marks an incomplete stack.
func (f *follower) belowEnd(n calltree.Node) bool {
	outermost := calltree.NoMethod
	for ; !f.tree.IsRoot(n); n = f.tree.Parent(n) {
		outermost = f.tree.Method(n)
	}
	return outermost != calltree.NoMethod && f.walkEnds[outermost]
}

// hidden is the part of the time of such samples that may belong to a method.
type hidden struct {
	own, all  time.Duration // as the innermost frame, and on the stack
	elsewhere time.Duration // the part of it on threads without samples of the method
}

// methods returns the hidden times of n methods; place is by method id.
func (w *endedWalks) methods(f *follower, place []int32, n int) []hidden {
	list := make([]hidden, n)
	if f.walkEnds == nil {
		return list
	}
	var own, all time.Duration
	for id := range w.cut {
		own, all = own+w.blank[id], all+w.cut[id]
	}
	for i := range list {
		list[i] = hidden{own, all, all}
	}
	for s := range f.selected() {
		list[place[s.method]].elsewhere -= w.cut[s.thread]
	}
	g := calltree.ByMethod(&f.tree.Contexts)
	for i, shown := range g.SumOutermost(w.all) {
		h := &list[place[g.Keys[i]]]
		if h.all -= shown; f.walkEnds[g.Keys[i]] {
			*h = hidden{}
		}
	}
	return list
}

// context returns the hidden time of a context: any incomplete stack of its thread may belong to
// it.
func (w *endedWalks) context(f *follower, n calltree.Node) time.Duration {
	if w.below[n] {
		return 0
	}
	return w.cut[f.tree.Thread(n)]
}

// hide widens an interval by the time of samples with incomplete stacks; elsewhere is the part on
// threads without samples of the method.
func (u *margins) hide(room, elsewhere time.Duration) {
	u.hidden = room
	u.most += elsewhere
	u.maxCPU += elsewhere
}
