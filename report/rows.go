package report

import (
	"cmp"
	"hash/maphash"
	"slices"
	"time"

	"artifice/internal/words"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// By is what the rows of a report are of.
type By uint8

const (
	ByMethod By = iota
	ByClass
	ByPackage
	ByThread
)

// ParseBy returns what a word stands for: method, class, package or thread.
func ParseBy(s string) (By, error) {
	return words.Parse[By]("row", []string{"method", "class", "package", "thread"}, s)
}

// Rows returns a row for each method, class, package or thread, in no order.
func (v *View) Rows(by By) []Row {
	if by == ByMethod && v.kept == nil {
		return v.methods()
	}
	t := v.Profile.Tree
	return v.group(func(n calltree.Node) string {
		switch by {
		case ByMethod:
			return v.names().Method(t.Method(n))
		case ByThread:
			return v.Symbols.Thread(t.Thread(n)).String()
		}
		m := v.Symbols.Method(t.Method(n))
		if by == ByPackage {
			return packageOf(m.DottedClass())
		}
		return v.names().Class(m)
	})
}

// methods returns a row for each method.
func (v *View) methods() []Row {
	v.running = v.runningByMethod()
	rows := make([]Row, v.Profile.Len())
	for i := range rows {
		rows[i] = Row{view: v, method: int32(i)}
	}
	return rows
}

// runningByMethod returns the running time of each method with its calls, in the profile's
// order; nil where no method waits, so that it is the wall time.
func (v *View) runningByMethod() []time.Duration {
	t := v.Profile.Tree
	own, waiting := make([]time.Duration, t.Len()), false
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		switch {
		case t.IsRoot(n):
		case v.waits(n):
			waiting = true
		default:
			own[n] = t.At(n).Self.Wall
		}
	}
	if !waiting {
		return nil
	}
	g := calltree.ByMethod(&t.Contexts)
	of := make(map[trace.MethodID]time.Duration, len(g.Keys))
	for i, sum := range g.SumOutermost(calltree.Inclusive(&t.Contexts, own)) {
		of[g.Keys[i]] = sum
	}
	list := make([]time.Duration, v.Profile.Len())
	for i := range list {
		list[i] = of[v.Profile.MethodID(i)]
	}
	return list
}

// waits reports whether a thread waits in a context's own time.
func (v *View) waits(n calltree.Node) bool {
	m := v.Profile.Tree.Method(n)
	return m != calltree.NoMethod && v.Symbols.Method(m).Waits()
}

// sameNames returns how many of n names are the same as this one, for those that several
// are, and some others. It counts names of the same hash only, as a map of all would be as
// large as the names.
func sameNames(n int, name func(i int) string) map[string]int {
	seed, hashes := maphash.MakeSeed(), make([]uint64, n)
	for i := range hashes {
		hashes[i] = maphash.String(seed, name(i))
	}
	slices.Sort(hashes)
	twice := map[uint64]bool{}
	for i := range hashes {
		if i > 0 && hashes[i] == hashes[i-1] {
			twice[hashes[i]] = true
		}
	}
	same := map[string]int{}
	for i := 0; i < n && len(twice) > 0; i++ {
		if name := name(i); twice[maphash.String(seed, name)] {
			same[name]++
		}
	}
	return same
}

// Callers returns a row for each caller of a method: what the method did when
// called from there.
func (v *View) Callers(m trace.MethodID) []Row {
	t := v.Profile.Tree
	return v.group(func(n calltree.Node) string {
		if t.Method(n) != m {
			return ""
		}
		return v.name(t.Parent(n))
	})
}

// Callees returns a row for each method that m calls: what it did when called from
// there.
func (v *View) Callees(m trace.MethodID) []Row {
	t := v.Profile.Tree
	return v.group(func(n calltree.Node) string {
		if t.Method(t.Parent(n)) != m {
			return ""
		}
		return v.name(n)
	})
}

// Find returns the method that a name stands for: its full name, or a part of it
// that no other method has.
func (v *View) Find(name string) (trace.MethodID, error) {
	return FindMethod(name, v.Symbols, v.names(), v.Profile.Len(), v.Profile.MethodID)
}

// group adds the contexts up by key; an empty one is left out.
func (v *View) group(key func(calltree.Node) string) []Row {
	index, names := map[string]int{}, []string{}
	sums := v.sums(func(n calltree.Node) int {
		name := key(n)
		if name == "" {
			return none
		}
		i, ok := index[name]
		if !ok {
			i = len(names)
			index[name] = i
			names = append(names, name)
		}
		return i
	})
	rows := make([]Row, len(sums))
	for i := range sums {
		rows[i] = sums[i].row(v, names[i])
	}
	return rows
}

// none is the group of what is in no group.
const none = -1

// sums adds the contexts up by the group of each, a number from 0 or none. The
// inclusive time of a group is that of its contexts with none of the group above
// them.
func (v *View) sums(of func(calltree.Node) int) []groupSum {
	v.columns()
	g := &groupVisitor{view: v, of: of, running: calltree.Inclusive(&v.Profile.Tree.Contexts, v.awake())}
	for id := range v.Profile.Tree.Threads() {
		v.Profile.Tree.Walk(trace.ThreadID(id), g)
	}
	return g.groups
}

// groupVisitor adds up while it walks.
type groupVisitor struct {
	view   *View
	of     func(calltree.Node) int
	groups []groupSum
	path   []int // groups of the walk's path

	running []time.Duration // of each context, with its calls
}

type groupSum struct {
	exclusive, inclusive adder
	awake                timeAdder     // running time of its own
	running              time.Duration // and with its calls
	calls                int64
	active               int // contexts of the group on the walk's path
}

func (s *groupSum) row(v *View, name string) Row {
	return Row{summed: &summed{
		name: name,
		figures: estimate.Figures{
			Exclusive: s.exclusive.share(), Inclusive: s.inclusive.share(),
			Calls: estimate.Calls{Reported: s.calls, AtLeast: v.Profile.Sampled()},
		},
		running: s.awake.time(), runningTotal: s.running,
	}}
}

func (g *groupVisitor) Open(n calltree.Node, depth int) {
	i := none
	if depth > 0 {
		i = g.of(n)
	}
	g.path = append(g.path, i)
	if i == none {
		return
	}
	for i >= len(g.groups) {
		g.groups = append(g.groups, groupSum{})
	}
	s := &g.groups[i]
	if kept := g.view.kept; kept == nil || kept[n] {
		s.exclusive.add(&g.view.exclusive[n])
		if !g.view.waits(n) {
			s.awake.add(g.view.exclusive[n].Wall)
		}
		s.calls += g.view.Profile.Tree.At(n).Count
	}
	if s.active++; s.active == 1 {
		s.inclusive.add(&g.view.inclusive[n])
		s.running += g.running[n]
	}
}

func (g *groupVisitor) Shut(calltree.Node, int) {
	last := len(g.path) - 1
	if i := g.path[last]; i != none {
		g.groups[i].active--
	}
	g.path = g.path[:last]
}

// Tree returns the calls from the top down, each thread's under a row with its
// name, as far as a context has at least the share cut of all inclusive time of
// the kind. The longest come first.
func (v *View) Tree(kind Kind, cut float64) []Row {
	v.columns()
	t := v.Profile.Tree
	running := calltree.Inclusive(&t.Contexts, v.awake())
	total := func(n calltree.Node) time.Duration {
		if kind == Running {
			return running[n]
		}
		return v.inclusive[n].On(kind.Clock()).Value
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
		if !v.waits(n) {
			own.running = v.exclusive[n].Wall
		}
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

// maxTreeDepth bounds the depth of the printed tree, which is recursive.
const maxTreeDepth = 1000

// children returns, by caller, the contexts of at least that much time, the longest
// first.
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
	total   time.Duration // of the kind that was asked for
	running time.Duration
}

// threads returns the threads that have a frame.
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
