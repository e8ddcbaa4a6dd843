package calltree_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
	"artifice/trace/calltree"
)

func stacks(t *testing.T, tree *calltree.Tree, maxDepth int) []string {
	t.Helper()
	var out []string
	var before []trace.MethodID
	err := tree.Stacks(0, maxDepth, func(s *calltree.Stack) error {
		same := 0
		for same < min(len(before), len(s.Frames)) && before[same] == s.Frames[same] {
			same++
		}
		if s.Same != same {
			t.Errorf("%v after %v: Same = %d, want %d", s.Frames, before, s.Same, same)
		}
		before = slices.Clone(s.Frames)
		out = append(out, fmt.Sprintf("%v %dx%d", s.Frames, s.Count, s.Self.Wall))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// nested returns 1 > 2 > 3 > 4 with 1, 2, 3 and 4 ns, then 1 > 5 with 7 ns, and 9 ns without an
// open frame.
func nested(t *testing.T) *calltree.Tree {
	tree, _ := build(t, false,
		enter(1, 0), enter(2, 1), enter(3, 3), enter(4, 6), exit(4, 10), exit(3, 10), exit(2, 10),
		enter(5, 10), exit(5, 17), exit(1, 17), enter(1, 26))
	return tree
}

func TestStacks(t *testing.T) {
	tree := nested(t)
	for maxDepth, want := range map[int][]string{
		math.MaxInt: {"[] 0x9", "[1] 2x1", "[1 2] 1x2", "[1 2 3] 1x3", "[1 2 3 4] 1x4", "[1 5] 1x7"},
		4:           {"[] 0x9", "[1] 2x1", "[1 2] 1x2", "[1 2 3] 1x3", "[1 2 3 4] 1x4", "[1 5] 1x7"},
		2:           {"[] 0x9", "[1] 2x1", "[1 2] 3x9", "[1 5] 1x7"},
		1:           {"[] 0x9", "[1] 6x17"},
		0:           {"[] 6x26"},
	} {
		if diff := cmp.Diff(want, stacks(t, tree, maxDepth)); diff != "" {
			t.Errorf("depth %d: %s", maxDepth, diff)
		}
	}
}

func TestStacksError(t *testing.T) {
	calls := 0
	stop := errors.New("stop")
	err := nested(t).Stacks(0, 9, func(*calltree.Stack) error { calls++; return stop })
	if err != stop || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
}

// TestDepthWithin checks depth limits. The contexts of nested have 1, 2, 2, 3 and 4 frames. Cut at
// depth d, the total is 5 for 1, 9 for 2, 11 for 3 and 12 for 4.
func TestDepthWithin(t *testing.T) {
	tree := nested(t)
	for frames, want := range map[int64]int{4: 0, 5: 1, 8: 1, 9: 2, 10: 2, 11: 3, 12: math.MaxInt} {
		if got := tree.DepthWithin(frames); got != want {
			t.Errorf("%d frames: depth %d, want %d", frames, got, want)
		}
	}
	if got := new(calltree.Tree).DepthWithin(0); got != math.MaxInt {
		t.Errorf("empty tree: %d", got)
	}
	// Only orphan exits: stacks of 1, 2 and 3 frames have 5 frames if cut to 2.
	enclosed, _ := build(t, false, exit(3, 1), exit(2, 2), exit(1, 3))
	if got := enclosed.DepthWithin(5); got != 2 {
		t.Errorf("three calls from before the trace: depth %d, want 2", got)
	}
	var deep []trace.Event
	for range 100000 {
		deep = append(deep, enter(1, 0))
	}
	recursion, _ := build(t, false, deep...)
	// A limit of d keeps d(d-1)/2 frames of the shallower stacks, and d of each other stack.
	want, n := 0, int64(len(deep))
	for d := int64(1); d*(d-1)/2+(n-d+1)*d <= 1e6; d++ {
		want = int(d)
	}
	if got := recursion.DepthWithin(1e6); got != want {
		t.Errorf("recursion: depth %d, want %d", got, want)
	}
}
