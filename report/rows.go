package report

import (
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
	v.running, v.runningTotal = v.Profile.RunningByMethod()
	rows := make([]Row, v.Profile.Len())
	for i := range rows {
		rows[i] = Row{view: v, method: int32(i)}
	}
	return rows
}

// Callers returns a row for each caller of a method, with the figures of the method when called
// from there.
func (v *View) Callers(m trace.MethodID) []Row {
	t := v.Profile.Tree
	return v.group(func(n calltree.Node) string {
		if t.Method(n) != m {
			return ""
		}
		return v.name(t.Parent(n))
	})
}

// Callees returns a row for each method that m calls, with its figures when called from m.
func (v *View) Callees(m trace.MethodID) []Row {
	t := v.Profile.Tree
	return v.group(func(n calltree.Node) string {
		if t.Method(t.Parent(n)) != m {
			return ""
		}
		return v.name(n)
	})
}

// Find returns the method with a name, which is its full name or a unique part of it.
func (v *View) Find(name string) (trace.MethodID, error) {
	return FindMethod(name, v.Symbols, v.names(), v.Profile.Len(), v.Profile.MethodID)
}

// group sums the contexts by key, ignoring those with an empty key.
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
