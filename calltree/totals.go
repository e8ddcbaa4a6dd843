package calltree

import (
	"cmp"
	"slices"
	"time"

	"artifice/trace"
)

// MethodTotal is a method's share of a trace, over all threads.
type MethodTotal struct {
	Method    trace.MethodID
	Calls     int64 // enters while the method was not yet on its thread's stack
	Recursive int64 // enters while it was
	Exclusive Times // as the innermost frame, recursive or not
	Inclusive Times // while on the stack: outermost activations only, so that nothing counts twice
}

// EdgeTotal is what a method did when called from another, over all threads.
type EdgeTotal struct {
	Caller    trace.MethodID // [NoMethod] for a call from the top level
	Callee    trace.MethodID
	Calls     int64
	Exclusive Times // of the callee itself
	Inclusive Times // of the callee and what it called; activations below one of the same edge do not count again
}

// Toplevel returns the time that threads spent with no frame open.
func (t *Tree) Toplevel() Times {
	var sum Times
	for _, root := range t.roots {
		if root != NoNode {
			sum.add(t.At(root).Self)
		}
	}
	return sum
}

// Total returns the time of all threads: for each its last event minus its
// first. It is what dmtracedump calls "Total cycles", there of one clock.
func (t *Tree) Total() Times {
	var sum Times
	for i := range t.count {
		sum.add(t.at(Node(i)).entry.Self)
	}
	return sum
}

// Methods returns the total of every method that the trace has, by ascending
// id.
func (t *Tree) Methods() []MethodTotal {
	g := ByMethod(&t.Contexts)
	totals := make([]MethodTotal, len(g.Keys))
	for i, sum := range sumsOf(t, g) {
		totals[i] = MethodTotal{g.Keys[i], sum.calls, sum.recursive, sum.exclusive, sum.inclusive}
	}
	slices.SortFunc(totals, func(a, b MethodTotal) int { return cmp.Compare(a.Method, b.Method) })
	return totals
}

// Edges returns the total of every pair of caller and callee, by ascending ids;
// the top level is the last caller.
func (t *Tree) Edges() []EdgeTotal {
	g := ByEdge(&t.Contexts)
	totals := make([]EdgeTotal, len(g.Keys))
	for i, sum := range sumsOf(t, g) {
		totals[i] = EdgeTotal{g.Keys[i].Caller, g.Keys[i].Callee, sum.calls + sum.recursive, sum.exclusive, sum.inclusive}
	}
	slices.SortFunc(totals, func(a, b EdgeTotal) int {
		return cmp.Or(cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Callee, b.Callee))
	})
	return totals
}

// groupSums are the sums of one group of contexts.
type groupSums struct {
	calls     int64 // of outermost contexts
	recursive int64 // of the others
	exclusive Times
	inclusive Times // of outermost contexts
}

// sumsOf returns the sums of each group.
func sumsOf[K comparable](t *Tree, g *Groups[K]) []groupSums {
	sums := make([]groupSums, len(g.Keys))
	column := make([]time.Duration, t.Len()) // one clock after the other: contexts can be many
	for i := 1; i < t.Len(); i++ {
		n := Node(i)
		e := t.At(n)
		column[n] = e.Self.Wall
		switch {
		case g.of[n] < 0:
			continue
		case g.outermost[n]:
			sums[g.of[n]].calls += e.Count
		default:
			sums[g.of[n]].recursive += e.Count
		}
		sums[g.of[n]].exclusive.add(e.Self)
	}
	addUp(&t.Contexts, column)
	g.each(column, func(i int32, d time.Duration) { sums[i].inclusive.Wall += d })
	for i := 1; i < t.Len(); i++ {
		column[i] = t.At(Node(i)).Self.CPU
	}
	addUp(&t.Contexts, column)
	g.each(column, func(i int32, d time.Duration) { sums[i].inclusive.CPU += d })
	for n, early := range t.early {
		if g.outermost[n] {
			sums[g.of[n]].inclusive.add(early)
		}
	}
	return sums
}
