package report

import (
	"cmp"
	"slices"
	"time"

	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Tree returns the call tree from the top down. The calls of each thread follow a row with its
// name. Contexts with less than the share cut of all inclusive time of the kind are omitted.
// Siblings are in descending order of time.
func (v *View) Tree(kind Kind, cut float64) []Row {
	v.columns()
	t := v.Profile.Tree
	running := calltree.Inclusive(&t.Contexts, v.awake())
	total := func(n calltree.Node) time.Duration {
		if kind == Running {
			return running[n]
		}
		return v.inclusive[n].On(kind.Clock()).Value.Abs() // differences can be negative
	}
	threads := v.threads(total)
	var all time.Duration
	for i := range threads {
		all += threads[i].total
	}
	least := max(1, time.Duration(cut*float64(all)))
	children := v.children(total, least)
	var rows []Row
	var open func(n calltree.Node, depth int32)
	open = func(n calltree.Node, depth int32) {
		own := summed{name: v.name(n), figures: estimate.Figures{Exclusive: v.exclusive[n], Inclusive: v.inclusive[n], Calls: v.Profile.Context(n).Calls}, runningTotal: running[n]}
		own.running = v.Profile.RunningTime(&v.exclusive[n], v.Profile.Running(n))
		rows = append(rows, Row{Depth: depth, summed: &own})
		for _, child := range children[n] {
			open(child, depth+1)
		}
	}
	slices.SortStableFunc(threads, func(a, b threadShare) int { return cmp.Compare(b.total, a.total) })
	for _, thread := range threads {
		if thread.total < least {
			break
		}
		rows = append(rows, Row{summed: &summed{name: "thread " + v.Symbols.Thread(thread.id).String(), figures: estimate.Figures{Inclusive: thread.share}, runningTotal: thread.running}})
		for _, child := range children[t.Root(thread.id)] {
			open(child, 1)
		}
	}
	return rows
}

// maxTreeDepth limits the depth of the printed tree, because the function is recursive.
const maxTreeDepth = 1000

// children returns, by caller, the contexts with at least this time, in descending order.
func (v *View) children(total func(calltree.Node) time.Duration, least time.Duration) map[calltree.Node][]calltree.Node {
	t := v.Profile.Tree
	children := map[calltree.Node][]calltree.Node{}
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if !t.IsRoot(n) && total(n) >= least && t.Depth(n) <= maxTreeDepth {
			children[t.Parent(n)] = append(children[t.Parent(n)], n)
		}
	}
	for _, list := range children {
		slices.SortStableFunc(list, func(a, b calltree.Node) int { return cmp.Compare(total(b), total(a)) })
	}
	return children
}

// threadShare is the time of a thread with a frame open.
type threadShare struct {
	id      trace.ThreadID
	share   estimate.Share
	total   time.Duration // inclusive time of the requested kind
	running time.Duration
}

// threads returns the threads with frames.
func (v *View) threads(total func(calltree.Node) time.Duration) []threadShare {
	t := v.Profile.Tree
	running := calltree.Inclusive(&t.Contexts, v.awake())
	sums, list := make([]adder, t.Threads()), make([]threadShare, t.Threads())
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if !t.IsRoot(n) && t.IsRoot(t.Parent(n)) {
			id := t.Thread(n)
			sums[id].add(&v.inclusive[n])
			list[id].total += total(n)
			list[id].running += running[n]
		}
	}
	for id := range list {
		list[id].id, list[id].share = trace.ThreadID(id), sums[id].share()
	}
	return slices.DeleteFunc(list, func(s threadShare) bool { return t.Root(s.id) == calltree.NoNode })
}
