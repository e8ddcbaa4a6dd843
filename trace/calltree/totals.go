package calltree

import (
	"cmp"
	"slices"
	"time"

	"artifice/trace"
)

// MethodTotal is the total of one method over all threads.
type MethodTotal struct {
	Method    trace.MethodID
	Calls     int64 // enters while the method was not on its thread's stack
	Recursive int64 // enters while the method was on its thread's stack
	Exclusive Times // time as the innermost frame, recursive or not
	Inclusive Times // time on the stack: outermost activations only, so that recursion counts once
}

// EdgeTotal is the total of one callee when called from one caller, over all threads.
type EdgeTotal struct {
	Caller    trace.MethodID // [NoMethod] for a call from the top level
	Callee    trace.MethodID
	Calls     int64
	Exclusive Times // self time of the callee
	Inclusive Times // time of the callee and its callees; nested activations of the same edge count once
}

// Toplevel returns the total time of threads with no open frame.
func (t *Tree) Toplevel() Times {
	var sum Times
	for _, root := range t.roots {
		if root != NoNode {
			sum.add(t.At(root).Self)
		}
	}
	return sum
}

// Total returns the sum, over all threads, of the time from the first to the last event. It
// corresponds to dmtracedump's "Total cycles", which covers one clock.
func (t *Tree) Total() Times {
	var sum Times
	for i := range t.count {
		sum.add(t.at(Node(i)).entry.Self)
	}
	return sum
}

// Methods returns the totals of all methods of the trace, by ascending id.
func (t *Tree) Methods() []MethodTotal {
	g := ByMethod(&t.Contexts)
	totals := make([]MethodTotal, len(g.Keys))
	for i := range totals {
		totals[i].Method = g.Keys[i]
	}
	sumUp(t, g, func(group int32) groupSums {
		m := &totals[group]
		return groupSums{&m.Calls, &m.Recursive, &m.Exclusive, &m.Inclusive}
	})
	slices.SortFunc(totals, func(a, b MethodTotal) int { return cmp.Compare(a.Method, b.Method) })
	return totals
}

// Edges returns the totals of all pairs of caller and callee, by ascending ids. The top level is
// the last caller.
func (t *Tree) Edges() []EdgeTotal {
	g := ByEdge(&t.Contexts)
	totals := make([]EdgeTotal, len(g.Keys))
	for i := range totals {
		totals[i].Caller, totals[i].Callee = g.Keys[i].Caller, g.Keys[i].Callee
	}
	sumUp(t, g, func(group int32) groupSums {
		e := &totals[group]
		return groupSums{&e.Calls, &e.Calls, &e.Exclusive, &e.Inclusive}
	})
	slices.SortFunc(totals, func(a, b EdgeTotal) int {
		return cmp.Or(cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Callee, b.Callee))
	})
	return totals
}

// groupSums points to the sums of one group of contexts.
type groupSums struct {
	calls     *int64 // of outermost contexts
	recursive *int64 // of the others
	exclusive *Times
	inclusive *Times // of outermost contexts
}

// sumUp adds every context to the sums of its group, which must be 0.
func sumUp[K comparable](t *Tree, g *Groups[K], of func(group int32) groupSums) {
	column := make([]time.Duration, t.Len()) // one clock after the other, because contexts can be numerous
	for i := 1; i < t.Len(); i++ {
		n := Node(i)
		e := t.At(n)
		column[n] = e.Self.Wall
		if g.of[n] < 0 {
			continue
		}
		sums := of(g.of[n])
		if g.outermost[n] {
			*sums.calls += e.Count
		} else {
			*sums.recursive += e.Count
		}
		sums.exclusive.add(e.Self)
	}
	AddUp(&t.Contexts, column)
	for i, d := range g.outermostIn(column) {
		of(i).inclusive.Wall += d
	}
	for i := 1; i < t.Len(); i++ {
		column[i] = t.At(Node(i)).Self.CPU
	}
	AddUp(&t.Contexts, column)
	for i, d := range g.outermostIn(column) {
		of(i).inclusive.CPU += d
	}
	for n, early := range t.early {
		if g.outermost[n] {
			of(g.of[n]).inclusive.add(early)
		}
	}
}
