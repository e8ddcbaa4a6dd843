package report

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

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
		return v.names().class(m)
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

// Find returns the method with a name: its full name, or a part of it that no other method has.
func (v *View) Find(name string) (trace.MethodID, error) {
	return FindMethod(name, v.Symbols, v.names(), v.Profile.Len(), v.Profile.MethodID)
}

// group sums the contexts by key, without those with an empty key.
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
