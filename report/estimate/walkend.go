package estimate

import (
	"time"

	"artifice/trace/calltree"
)

// endedWalks is the time of samples whose walk of the stack ended in an error ([trace.Method.WalkEnd]): any method may be
// among the callers that they do not show. It is CPU time where samples are of CPU time, and else wall time, which is no less.
type endedWalks struct {
	cut, blank []time.Duration // by thread: of all such samples, and of those that show no method
	below      []bool          // by context: such samples show it, or it is the frame that says so
	all        []time.Duration // by context: their time with it on the stack
	shown      time.Duration   // of them all, between samples
}

// newEndedWalks finds them. They have the time before a thread's first sample, and after its last
// event, where that sample or event is one of them.
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

// belowEnd reports whether the outermost frame of a context says that the walk ended in an error.
func (f *follower) belowEnd(n calltree.Node) bool {
	outermost := calltree.NoMethod
	for ; !f.tree.IsRoot(n); n = f.tree.Parent(n) {
		outermost = f.tree.Method(n)
	}
	return outermost != calltree.NoMethod && f.walkEnds[outermost]
}

// hidden is what a method may have of such samples.
type hidden struct {
	own, all  time.Duration // as the innermost frame, and on the stack
	elsewhere time.Duration // the part of it on threads that it was not seen on
}

// methods returns that of methods, n of which have the given places.
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
	for s := range f.asked() {
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

// context returns the same of a context: a sample that shows less than its stack may be of any.
func (w *endedWalks) context(f *follower, n calltree.Node) time.Duration {
	if w.below[n] {
		return 0
	}
	return w.cut[f.tree.Thread(n)]
}

// hide makes room in an interval for time of samples that do not show all frames, elsewhere of it on threads that it was not seen on.
func (u *margins) hide(room, elsewhere time.Duration) {
	u.hidden = room
	u.most += elsewhere
	u.mostCPU += elsewhere
}
