package calltree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"artifice/trace"
)

// TestContexts compares numbers with a map whose keys are paths as text.
func TestContexts(t *testing.T) {
	var table Contexts
	rng := rand.New(rand.NewPCG(1, 2))
	byName := map[string]Node{}
	for range 20000 {
		thread := trace.ThreadID(rng.IntN(3))
		p, name := table.AddRoot(thread), fmt.Sprint("t", thread)
		for depth := range rng.IntN(8) {
			m := trace.MethodID(rng.IntN(4))
			parent := p
			p = table.Child(parent, m)
			name += fmt.Sprint("/", m)
			if table.Parent(p) != parent || table.Method(p) != m || table.Thread(p) != thread || table.Depth(p) != depth+1 || p <= parent {
				t.Fatalf("%s: %d has parent %d, method %d, thread %d, depth %d", name, p, table.Parent(p), table.Method(p), table.Thread(p), table.Depth(p))
			}
			if table.Find(parent, m) != p {
				t.Fatalf("%s: Find = %d, want %d as Child", name, table.Find(parent, m), p)
			}
		}
		if old, ok := byName[name]; ok && old != p {
			t.Fatalf("%s has numbers %d and %d", name, old, p)
		}
		byName[name] = p
	}
	seen := map[Node]bool{}
	for _, p := range byName {
		seen[p] = true
	}
	if len(seen) != len(byName) {
		t.Errorf("%d paths share %d numbers", len(byName), len(seen))
	}
}

func TestFindAbsent(t *testing.T) {
	var table Contexts
	if p := table.Find(table.AddRoot(0), 3); p != NoNode {
		t.Errorf("Find in an empty table = %d, want none", p)
	}
}

func TestCommon(t *testing.T) {
	var table Contexts
	root := table.AddRoot(0)
	a := table.Child(root, 1)
	ab := table.Child(a, 2)
	ac := table.Child(a, 3)
	acd := table.Child(ac, 2)
	for _, c := range []struct{ a, b, want Node }{{ab, acd, a}, {acd, ab, a}, {ac, acd, ac}, {a, a, a}, {root, acd, root}} {
		if got := table.Common(c.a, c.b); got != c.want {
			t.Errorf("Common(%d, %d) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestReach checks that Reach reads only the frames beyond the common prefix: here, the prefix has
// wrong methods, which have no effect. A stack may have 10,000 common frames.
func TestReach(t *testing.T) {
	var c Contexts
	root := c.AddRoot(0)
	b := c.Reach(root, 0, []trace.MethodID{1, 2})
	stack := func(n Node) []trace.MethodID {
		list := c.Stack(n, nil)
		slices.Reverse(list)
		return list
	}
	if got := stack(b); !slices.Equal(got, []trace.MethodID{1, 2}) {
		t.Fatalf("reached %v", got)
	}
	const wrong = 9
	for _, test := range []struct {
		same        int
		stack, want []trace.MethodID
	}{
		{2, []trace.MethodID{wrong, wrong}, []trace.MethodID{1, 2}},
		{2, []trace.MethodID{wrong, wrong, 3}, []trace.MethodID{1, 2, 3}},
		{1, []trace.MethodID{wrong, 4, 5}, []trace.MethodID{1, 4, 5}},
		{1, []trace.MethodID{wrong}, []trace.MethodID{1}},
		{0, []trace.MethodID{7}, []trace.MethodID{7}},
		{0, nil, nil},
	} {
		if got := stack(c.Reach(b, test.same, test.stack)); !slices.Equal(got, test.want) {
			t.Errorf("Reach with %d common frames, stack %v: %v, want %v", test.same, test.stack, got, test.want)
		}
	}
}
