package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/calltree"
	"artifice/estimate"
	"artifice/internal/words"
	"artifice/trace"
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

// Rows returns a row for each method, class, package or thread, in no order. Methods
// that differ in their signatures alone are told apart by them, but for the parts
// that a filter leaves.
func (v *View) Rows(by By) []Row {
	if by == ByMethod && v.kept == nil {
		return v.methods()
	}
	t := v.Profile.Tree
	return v.group(func(n calltree.Node) string {
		switch by {
		case ByMethod:
			return v.symbols.Method(t.Method(n)).FullName()
		case ByThread:
			return v.symbols.Thread(t.Thread(n)).String()
		}
		class := v.symbols.Method(t.Method(n)).DottedClass()
		if by == ByPackage {
			return packageOf(class)
		}
		return class
	})
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
	var found []trace.MethodID
	for i := range v.Profile.Len() {
		m := v.Profile.MethodID(i)
		full := v.symbols.Method(m).String()
		if full == name || v.symbols.Method(m).FullName() == name {
			return m, nil
		}
		if strings.Contains(full, name) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("no method's name has %q", name)
	case 1:
		return found[0], nil
	}
	first, second := v.symbols.Method(found[0]).String(), v.symbols.Method(found[1]).String()
	return 0, fmt.Errorf("%d methods' names have %q, such as %s and %s", len(found), name, first, second)
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
	g := &groupVisitor{view: v, of: of}
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
}

type groupSum struct {
	exclusive, inclusive adder
	calls                int64
	active               int // contexts of the group on the walk's path
}

func (s *groupSum) row(v *View, name string) Row {
	return Row{summed: &summed{name, estimate.Figures{
		Exclusive: s.exclusive.share(), Inclusive: s.inclusive.share(),
		Calls: estimate.Calls{Reported: s.calls, AtLeast: v.Profile.Sampled()},
	}}}
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
		s.calls += g.view.Profile.Tree.At(n).Count
	}
	if s.active++; s.active == 1 {
		s.inclusive.add(&g.view.inclusive[n])
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
// name, as far as a context has at least the share cut of all inclusive time on
// the clock. The longest come first.
func (v *View) Tree(clock trace.Clock, cut float64) []Row {
	v.columns()
	t := v.Profile.Tree
	threads := v.threads()
	var all time.Duration
	for i := range threads {
		all += threads[i].share.On(clock).Value
	}
	least := max(1, time.Duration(cut*float64(all)))
	children := v.children(clock, least)
	var rows []Row
	var open func(n calltree.Node, depth int32)
	open = func(n calltree.Node, depth int32) {
		rows = append(rows, Row{Depth: depth, summed: &summed{v.name(n), estimate.Figures{Exclusive: v.exclusive[n], Inclusive: v.inclusive[n], Calls: v.Profile.Context(n).Calls}}})
		for _, child := range children[n] {
			open(child, depth+1)
		}
	}
	slices.SortStableFunc(threads, func(a, b threadShare) int {
		return cmp.Compare(b.share.On(clock).Value, a.share.On(clock).Value)
	})
	for _, thread := range threads {
		if thread.share.On(clock).Value < least {
			break
		}
		rows = append(rows, Row{summed: &summed{"thread " + v.symbols.Thread(thread.id).String(), estimate.Figures{Inclusive: thread.share}}})
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
func (v *View) children(clock trace.Clock, least time.Duration) map[calltree.Node][]calltree.Node {
	t := v.Profile.Tree
	children := map[calltree.Node][]calltree.Node{}
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if !t.IsRoot(n) && v.inclusive[n].On(clock).Value >= least && t.Depth(n) <= maxTreeDepth {
			children[t.Parent(n)] = append(children[t.Parent(n)], n)
		}
	}
	for _, list := range children {
		slices.SortStableFunc(list, func(a, b calltree.Node) int {
			return cmp.Compare(v.inclusive[b].On(clock).Value, v.inclusive[a].On(clock).Value)
		})
	}
	return children
}

// threadShare is the time of a thread with a frame open.
type threadShare struct {
	id    trace.ThreadID
	share estimate.Share
}

// threads returns the threads that have a frame.
func (v *View) threads() []threadShare {
	t := v.Profile.Tree
	sums := make([]adder, t.Threads())
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if !t.IsRoot(n) && t.IsRoot(t.Parent(n)) {
			sums[t.Thread(n)].add(&v.inclusive[n])
		}
	}
	var list []threadShare
	for id := range sums {
		if t.Root(trace.ThreadID(id)) != calltree.NoNode {
			list = append(list, threadShare{trace.ThreadID(id), sums[id].share()})
		}
	}
	return list
}
