package score

import (
	"math/rand/v2"
	"testing"

	"artifice/trace"
	"artifice/trace/calltree"
)

// callersOf returns a context and its callers, outermost first.
func callersOf(c *calltree.Contexts, n calltree.Node) (list []calltree.Node) {
	for ; n != calltree.NoNode; n = c.Parent(n) {
		list = append([]calltree.Node{n}, list...)
	}
	return list
}

// TestCommonPathIsLongestPrefix checks that the common path of two stacks is their
// longest common prefix, independent of the history of the true stack.
func TestCommonPathIsLongestPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		var c calltree.Contexts
		nodes := []calltree.Node{c.AddRoot(0)}
		for range 40 {
			from := nodes[max(0, len(nodes)-1-rng.IntN(4))]
			nodes = append(nodes, c.Child(from, trace.MethodID(rng.IntN(3))))
		}
		stack := callersOf(&c, nodes[rng.IntN(len(nodes))])
		var path commonPath
		path.begin(&c, stack[len(stack)-1])
		at := nodes[rng.IntN(len(nodes))]
		for step := range 200 {
			switch rng.IntN(20) {
			case 0:
				at = nodes[rng.IntN(len(nodes))]
			case 1, 2, 3, 4, 5, 6, 7, 8, 9:
				if !c.IsRoot(at) {
					at = c.Parent(at)
				}
			default:
				at = c.Child(at, trace.MethodID(rng.IntN(3)))
			}
			want := stack[0]
			for i, n := range callersOf(&c, at) {
				if i < len(stack) && stack[i] == n {
					want = n
				}
			}
			if got := path.move(at); got != want {
				t.Fatalf("round %d, step %d: the common context is %d, want %d", round, step, got, want)
			}
		}
	}
}

// TestCommonPathSearchesOnce checks a thread that returns from a stack of depth 10,000 to its first
// frame and goes back. It only steps to callers and callees, so commonPath searches once, for the
// first stack.
func TestCommonPathSearchesOnce(t *testing.T) {
	const depth = 10_000
	var c calltree.Contexts
	n := c.AddRoot(0)
	var down []calltree.Node
	for i := range depth {
		n = c.Child(n, trace.MethodID(i%7))
		down = append(down, n)
	}
	var path commonPath
	path.begin(&c, n)
	for i := depth - 1; i >= 0; i-- {
		path.move(down[i])
	}
	for _, to := range down {
		if path.move(to); path.common != to {
			t.Fatalf("on the way back, the common context is %d, want %d", path.common, to)
		}
	}
	if path.searches != 1 {
		t.Errorf("commonPath searched %d times, want 1", path.searches)
	}
}
