package stackdump

import (
	"artifice/diffstack"
	"artifice/trace"
)

// paths is a tree of stacks in the form in which they are compared. A stack is the path from the
// root to a node. Stacks with common outermost frames share the nodes of these frames. The cost of
// comparing two stacks, or of changing one into the other, is therefore proportional to the number
// of frames in which they differ.
type paths struct {
	list  []path // by node; 0 is the root, the stack without a frame
	index map[uint64]int32
}

// path is a node: a compared frame, and the node of its caller.
type path struct {
	caller int32
	depth  int32
	id     trace.MethodID
}

func newPaths() paths { return paths{list: make([]path, 1), index: map[uint64]int32{}} }

// under returns the node of a frame called by another.
func (p *paths) under(caller int32, id trace.MethodID) int32 {
	key := uint64(caller)<<32 | uint64(id)
	node, ok := p.index[key]
	if !ok {
		node = int32(len(p.list))
		p.list = append(p.list, path{caller, p.list[caller].depth + 1, id})
		p.index[key] = node
	}
	return node
}

// common returns the innermost common node of two stacks.
func (p *paths) common(a, b int32) int32 {
	for a != b {
		if p.list[a].depth >= p.list[b].depth {
			a = p.list[a].caller
		} else {
			b = p.list[b].caller
		}
	}
	return a
}

// fill changes stack, outermost frame first, to the stack of a node. at contains the nodes of the
// frames that are in stack already. Frames common to both stacks are not touched.
func (p *paths) fill(stack []trace.MethodID, at []int32, node int32) ([]trace.MethodID, []int32) {
	depth := int(p.list[node].depth)
	for len(at) < depth {
		stack, at = append(stack, 0), append(at, 0)
	}
	stack, at = stack[:depth], at[:depth]
	for ; node != 0 && at[p.list[node].depth-1] != node; node = p.list[node].caller {
		i := p.list[node].depth - 1
		stack[i], at[i] = p.list[node].id, node
	}
	return stack, at
}

// place is the tracker's data for a node of a file's tree.
type place struct {
	path   int32 // 1 + the node of its stack; 0 if not known yet
	line   int32 // line in its innermost compared frame
	counts [kinds]int32
}

// kinds is the number of kinds of frames.
const kinds = 3

// kindsOf returns the number of frames of each kind in a thread's stack.
func (t *tracker) kindsOf(seen *Thread) (n [kinds]int64) {
	if seen.Tree != nil {
		for kind, count := range t.placeOf(seen.Tree, seen.Node).counts {
			n[kind] = int64(count)
		}
		return n
	}
	for _, id := range seen.Stack {
		n[t.methods.frames.Frame(id).Kind]++
	}
	return n
}

// placeOf returns the place of a node of a tree.
func (t *tracker) placeOf(tree *Samples, node int32) place {
	if node == NoNode {
		return place{path: 1}
	}
	if t.tree != tree {
		t.tree, t.places = tree, nil
	}
	if grow := len(tree.Nodes) - len(t.places); grow > 0 {
		t.places = append(t.places, make([]place, grow)...)
	}
	t.climbed = t.climbed[:0]
	for ; node != NoNode && t.places[node].path == 0; node = tree.Nodes[node].caller {
		t.climbed = append(t.climbed, node)
	}
	at := place{path: 1}
	if node != NoNode {
		at = t.places[node]
	}
	for i := len(t.climbed) - 1; i >= 0; i-- {
		at = t.below(at, tree, t.climbed[i])
		t.places[t.climbed[i]] = at
	}
	return at
}

// below returns the place of a node with its caller at place at.
func (t *tracker) below(at place, tree *Samples, node int32) place {
	m := &t.methods
	ids := tree.names.Resolve(tree.Nodes[node].Key)
	for i := len(ids) - 1; i >= 0; i-- {
		kind := m.frames.Frame(ids[i]).Kind
		at.counts[kind]++
		if kind != Managed && t.kept == ManagedFrames {
			continue
		}
		for _, frame := range m.original(ids[i]) {
			id := m.method(frame)
			if m.identity == diffstack.BySite {
				id = m.call(call{id, int(at.line)})
				at.line = int32(m.frames.Frame(frame).Line)
			}
			if int(t.paths.list[at.path-1].depth) == tree.Depth {
				tree.ComplainDepth()
				continue
			}
			at.path = t.paths.under(at.path-1, id) + 1
		}
	}
	return at
}
