package calltree_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
	"artifice/trace/calltree"
)

// same returns a time that is equal on both clocks.
func same(d time.Duration) calltree.Times { return calltree.Times{Wall: d, CPU: d} }

// TestTotals checks a case by hand: main (0) calls fact (1), which calls itself twice more, and log
// (2).
//
//	main 0            100
//	fact  10        60
//	fact   20     50
//	fact    30  40
//	log                70 75
func TestTotals(t *testing.T) {
	tree, _ := build(t, false,
		enter(0, 0), enter(1, 10), enter(1, 20), enter(1, 30), exit(1, 40), exit(1, 50), exit(1, 60),
		enter(2, 70), exit(2, 75), exit(0, 100))
	wantMethods := []calltree.MethodTotal{
		{Method: 0, Calls: 1, Exclusive: same(45), Inclusive: same(100)},
		{Method: 1, Calls: 1, Recursive: 2, Exclusive: same(50), Inclusive: same(50)},
		{Method: 2, Calls: 1, Exclusive: same(5), Inclusive: same(5)},
	}
	if diff := cmp.Diff(wantMethods, tree.Methods()); diff != "" {
		t.Errorf("methods (-want +got):\n%s", diff)
	}
	wantEdges := []calltree.EdgeTotal{
		{Caller: 0, Callee: 1, Calls: 1, Exclusive: same(20), Inclusive: same(50)},
		{Caller: 0, Callee: 2, Calls: 1, Exclusive: same(5), Inclusive: same(5)},
		{Caller: 1, Callee: 1, Calls: 2, Exclusive: same(30), Inclusive: same(30)},
		{Caller: calltree.NoMethod, Callee: 0, Calls: 1, Exclusive: same(45), Inclusive: same(100)},
	}
	if diff := cmp.Diff(wantEdges, tree.Edges()); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
}

// TestOrphanExitTimes checks two orphan exits, at 20 and 30, in a thread of 10 ns. dmtracedump
// reports inclusive times of 20 and 30.
func TestOrphanExitTimes(t *testing.T) {
	tree, _ := build(t, true, exit(1, 20), exit(2, 30))
	want := []calltree.MethodTotal{
		{Method: 1, Calls: 1, Inclusive: same(20)},
		{Method: 2, Calls: 1, Exclusive: same(10), Inclusive: same(30)},
	}
	if diff := cmp.Diff(want, tree.Methods()); diff != "" {
		t.Error(diff)
	}
}

// TestMerge checks that totals do not depend on a merge of threads, except that there is one root.
func TestMerge(t *testing.T) {
	for _, fromZero := range []bool{false, true} {
		tree, _ := build(t, fromZero, randomEvents(5, 2000)...)
		merged := tree.Merge()
		if merged.Threads() != 1 || merged.Len() >= tree.Len() {
			t.Errorf("%d threads, %d contexts of %d", merged.Threads(), merged.Len(), tree.Len())
		}
		if diff := cmp.Diff(tree.Methods(), merged.Methods()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(tree.Edges(), merged.Edges()); diff != "" {
			t.Error(diff)
		}
		if tree.Total() != merged.Total() || tree.Toplevel() != merged.Toplevel() {
			t.Errorf("total %v, merged %v", tree.Total(), merged.Total())
		}
	}
}

// TestExclusiveTimesSum checks that exclusive times and the top level sum to the total time, and
// that the calls of a method sum to those of the edges to it.
func TestExclusiveTimesSum(t *testing.T) {
	tree, _ := build(t, false, randomEvents(9, 5000)...)
	sum := tree.Toplevel()
	calls := make(map[trace.MethodID]int64)
	for _, m := range tree.Methods() {
		sum.Wall += m.Exclusive.Wall
		sum.CPU += m.Exclusive.CPU
		calls[m.Method] = m.Calls + m.Recursive
	}
	if sum != tree.Total() {
		t.Errorf("exclusive times sum to %v, want %v", sum, tree.Total())
	}
	for _, e := range tree.Edges() {
		calls[e.Callee] -= e.Calls
	}
	for m, rest := range calls {
		if rest != 0 {
			t.Errorf("method %d: %d calls have no edge", m, rest)
		}
	}
}

// TestTotalsOfNothing checks that a tree without contexts has no totals.
func TestTotalsOfNothing(t *testing.T) {
	tree := new(calltree.Tree)
	if m, e := tree.Methods(), tree.Edges(); len(m)+len(e) > 0 {
		t.Errorf("totals %v and %v", m, e)
	}
}
