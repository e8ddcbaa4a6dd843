package diff

import (
	"errors"
	"time"

	"artifice/report"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Difference returns the tree of all calls of both sides, with the calls and the
// exclusive times of the new side less those of the old one, per trace on average;
// rec has its symbols and the clocks that all traces have, and no events. Contexts
// match by the names of threads and of methods, as [trace.Naming] says.
// Time with no frame open is left out, as in the rows of [Compare].
//
// It fails when the traces have more threads than one trace can name. Divisions are
// rounded so that the differences of a method's contexts add up to the
// method's, to one nanosecond.
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
	return &trace.Recording{Info: trace.Info{Clock: clock}, Symbols: m.symbols}, m.tree, err
}

// merger puts several trees into one.
type merger struct {
	symbols *trace.Symbols
	tree    *calltree.Tree
	threads map[string]trace.ThreadID
	methods map[string]trace.MethodID
	name    func(*trace.Method) string // of a method
}

// add adds a trace's tree, times a factor.
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

// mergeVisitor adds the contexts of a thread while it walks.
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

// thread returns the thread of a name. It fails when there are more than a trace can
// have.
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

// divide divides all numbers, and carries what remains to the method's next context.
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
