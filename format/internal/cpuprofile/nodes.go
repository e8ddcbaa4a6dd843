package cpuprofile

import (
	"fmt"
	"path"
	"slices"
	"time"

	"artifice/format/internal/stackdump"
)

// nodes are the nodes of a profile: calls with their callers.
type nodes struct {
	file    *stackdump.WholeJSON
	index   map[int64]int32 // by id
	frames  []cpuFrame
	callers []int32 // -1: none
	links   []cpuLink
}

func newNodes(file *stackdump.WholeJSON) nodes { return nodes{file: file, index: map[int64]int32{}} }

type cpuFrame struct {
	id    stackdump.FrameID
	shown bool // the node is a frame of stacks
}

// cpuLink is the link from a node to its caller, which may come after it.
type cpuLink struct {
	caller int32
	callee int64 // id
}

// add adds a node of a list.
func (p *nodes) add(n *listNode) error {
	at, err := p.node(&n.cpuNode)
	for _, id := range n.Children {
		p.links = append(p.links, cpuLink{at, id})
	}
	return err
}

// stacks links callers and callees, and returns the stack of each node.
func (p *nodes) stacks() ([]int32, error) {
	for _, l := range p.links {
		callee, ok := p.index[l.callee]
		switch {
		case !ok:
			return nil, p.file.Bad("a node has the child %d, which does not exist", l.callee)
		case p.callers[callee] >= 0 && p.callers[callee] != l.caller:
			return nil, p.file.Bad("node %d is the child of two nodes", l.callee)
		}
		p.callers[callee] = l.caller
	}
	return p.file.Chains(p.callers, func(i int32) (stackdump.FrameID, bool) { return p.frames[i].id, p.frames[i].shown })
}

// node reads a node.
func (p *nodes) node(n *cpuNode) (at int32, err error) {
	at = int32(len(p.callers))
	if n.ID == nil {
		return at, p.file.Bad("node %d has no id", at)
	}
	if _, twice := p.index[*n.ID]; twice {
		return at, p.file.Bad("two nodes have the id %d", *n.ID)
	}
	call := n.Call
	if call == nil {
		call = &n.cpuCallFrame
	}
	p.index[*n.ID] = at
	p.callers = append(p.callers, -1)
	p.frames = append(p.frames, p.frameOf(call))
	if n.Parent != nil {
		caller, ok := p.index[*n.Parent]
		if !ok {
			return at, p.file.Bad("node %d has the parent %d, which is not an earlier node", *n.ID, *n.Parent)
		}
		p.callers[at] = caller
	}
	return at, nil
}

// tree reads a node with all its descendants.
func (p *nodes) tree(n *treeNode) error {
	at, err := p.node(&n.cpuNode)
	if err != nil {
		return err
	}
	for i := range n.Children {
		callee := int32(len(p.callers))
		if err := p.tree(&n.Children[i]); err != nil {
			return err
		}
		p.callers[callee] = at
	}
	return nil
}

// frameOf returns the frame of a call. A function without a name gets the name of its source
// position.
func (p *nodes) frameOf(call *cpuCallFrame) cpuFrame {
	line := int(max(min(call.Line, 1<<31-2), -1) + 1)
	name := call.Name
	switch {
	case name == "(root)" || name == "(idle)":
		return cpuFrame{}
	case name == "" && call.URL != "":
		name = fmt.Sprintf("(anonymous %s:%d)", path.Base(call.URL), line)
	case name == "":
		name = "(anonymous)"
	}
	f := stackdump.ParseFoldedFrame(p.file.Text([]byte(name)))
	f.File, f.Line = p.file.Text([]byte(call.URL)), line
	return cpuFrame{p.file.Input.Frames.Add(f), true}
}

// medianStep sorts the times between samples and returns their median, or 0 if it is negative.
func medianStep(steps []time.Duration) time.Duration {
	slices.Sort(steps)
	return max(stackdump.Median(steps), 0)
}
