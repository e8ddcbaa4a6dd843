package diff

import (
	"errors"
	"time"

	"artifice/report"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Difference returns the merged call tree of both sides. Its calls and exclusive times are those of
// the new side minus those of the old side, per trace on average. rec contains its symbols and the
// clocks common to all traces, and no events. Contexts are matched by the names of threads and
// methods ([trace.Naming]). Time without an open frame is excluded, as in [Compare].
//
// Difference returns an error if the traces together have more threads than a trace can contain.
// Divisions are rounded so that the differences of a method's contexts add up to the difference of
// the method, to one nanosecond.
func Difference(old, now []*report.View) (rec *trace.Recording, tree *calltree.Tree, err error) {
	m := &merger{symbols: &trace.Symbols{}, tree: &calltree.Tree{}, threads: map[string]trace.ThreadID{}, methods: map[string]trace.MethodID{}, name: report.Naming(old, now)}
	for _, v := range old {
		err = errors.Join(err, m.add(v, -int64(len(now))))
	}
	for _, v := range now {
		err = errors.Join(err, m.add(v, int64(len(old))))
	}
	m.divide(int64(len(old)) * int64(len(now)))
	wall, cpu := true, true
	for _, side := range [][]*report.View{old, now} {
		for _, v := range side {
			wall, cpu = wall && v.Profile.Clock.HasWall(), cpu && v.Profile.Clock.HasCPU()
		}
	}
	clock := trace.Wall
	switch {
	case wall && cpu:
		clock = trace.Dual
	case cpu:
		clock = trace.ThreadCPU
	}
	quantity, failed := quantityOf(old, now)
	quantity.Signed = quantity.IsSet()
	return &trace.Recording{Info: trace.Info{Clock: clock, Quantity: quantity}, Symbols: m.symbols}, m.tree, errors.Join(err, failed)
}

// merger merges several trees.
type merger struct {
	symbols *trace.Symbols
	tree    *calltree.Tree
	threads map[string]trace.ThreadID
	methods map[string]trace.MethodID
	name    func(*trace.Method) string // of a method
}

// add adds the tree of a trace, multiplied by factor.
func (m *merger) add(v *report.View, factor int64) error {
	walk := &mergeVisitor{merger: m, view: v, factor: factor}
	for id := range v.Profile.Tree.Threads() {
		if v.Profile.Tree.Root(trace.ThreadID(id)) == calltree.NoNode {
			continue
		}
		thread, err := m.thread(v.Symbols.Thread(trace.ThreadID(id)))
		if err != nil {
			return err
		}
		walk.thread = thread
		v.Profile.Tree.Walk(trace.ThreadID(id), walk)
	}
	return nil
}

// mergeVisitor adds the contexts of a thread.
type mergeVisitor struct {
	*merger
	view   *report.View
	factor int64
	thread trace.ThreadID
	path   []calltree.Node // in the merged tree
}

func (w *mergeVisitor) Open(n calltree.Node, depth int) {
	if depth == 0 {
		w.path = append(w.path[:0], w.tree.AddRoot(w.thread))
		return
	}
	t := w.view.Profile.Tree
	to := w.tree.Child(w.path[depth-1], w.method(w.view.Symbols.Method(t.Method(n))))
	w.path = append(w.path[:depth], to)
	from, into := t.At(n), w.tree.At(to)
	into.Count += w.factor * from.Count
	into.Self.Wall += time.Duration(w.factor) * from.Self.Wall
	into.Self.CPU += time.Duration(w.factor) * from.Self.CPU
}

func (w *mergeVisitor) Shut(calltree.Node, int) {}

// thread returns the merged thread with the name of t. It returns an error if there are more
// threads than a trace can contain.
func (m *merger) thread(t *trace.Thread) (trace.ThreadID, error) {
	if id, ok := m.threads[t.String()]; ok {
		return id, nil
	}
	id, err := m.symbols.AddThread(trace.Thread{TID: t.TID, Name: t.Name})
	if err == nil {
		m.threads[t.String()] = id
	}
	return id, err
}

func (m *merger) method(method *trace.Method) trace.MethodID {
	name := m.name(method)
	id, ok := m.methods[name]
	if !ok {
		id = m.symbols.AddMethod(*method)
		m.methods[name] = id
	}
	return id
}

// divide divides all numbers. It carries each remainder to the next context of the method.
func (m *merger) divide(by int64) {
	rest := make([][3]int64, len(m.symbols.Methods))
	for n := calltree.Node(1); int(n) < m.tree.Len(); n++ {
		if m.tree.IsRoot(n) {
			continue
		}
		e, carried := m.tree.At(n), &rest[m.tree.Method(n)]
		for i, value := range []*int64{&e.Count, (*int64)(&e.Self.Wall), (*int64)(&e.Self.CPU)} {
			sum := *value + carried[i]
			*value, carried[i] = sum/by, sum%by
		}
	}
}
