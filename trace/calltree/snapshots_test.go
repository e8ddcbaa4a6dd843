package calltree_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
	"artifice/trace/calltree"
)

func TestSnapshots(t *testing.T) {
	b := calltree.NewSnapshotBuilder()
	for _, s := range []trace.Snapshot{
		{Wall: 10, CPU: 1, Until: 30, Count: 2, Stack: []trace.MethodID{1, 2}},
		{Wall: 30, CPU: 4, Until: 40, Count: 1, Stack: nil},                 // seen with an empty stack
		{Wall: 45, CPU: 6, Until: 55, Count: 1, Stack: []trace.MethodID{1}}, // 40 to 45 is nobody's
		{Wall: 55, CPU: 9, Until: 75, Count: 3, Stack: []trace.MethodID{1, 2}},
	} {
		if err := b.WriteSnapshot(&s); err != nil {
			t.Fatal(err)
		}
	}
	tree := b.Tree()
	if diff := cmp.Diff([]string{"top 0x15", " 1 1x10", "  2 5x40"}, lines(tree, 0)); diff != "" {
		t.Error(diff)
	}
	// wall: last sample minus first; CPU: last snapshot's reading minus first
	if got, want := tree.Total(), (calltree.Times{Wall: 75 - 10, CPU: 9 - 1}); got != want {
		t.Errorf("total %v, want %v", got, want)
	}
	if b.Samples() != 7 || b.Last() != 75 {
		t.Errorf("%d samples, the last at %v", b.Samples(), b.Last())
	}
}
