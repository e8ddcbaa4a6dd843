package cpuprofile

import (
	"fmt"
	"path"
	"slices"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// nodes are the nodes of a profile: calls with their callers.
type nodes struct {
	file    *stackdump.WholeJSON
	index   map[int64]int32 // by id
	frames  []cpuFrame
	callers []int32 // -1: none
	links   []cpuLink
	orphans []int32 // nodes whose caller the file does not contain
	paths   []int32 // the stack of each node
	missed  int     // samples of nodes that the file does not contain
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

// link links callers and callees, and finds the stack of each node. Chrome does not keep all chunks
// of a long trace: callers and callees can be missing.
func (p *nodes) link() (err error) {
	for _, l := range p.links {
		callee, ok := p.index[l.callee]
		switch {
		case !ok:
			continue
		case p.callers[callee] >= 0 && p.callers[callee] != l.caller:
			return p.file.Bad("node %d is the child of two nodes", l.callee)
		}
		p.callers[callee] = l.caller
	}
	p.paths, err = p.file.Chains(p.callers, func(i int32) (stackdump.FrameID, bool) { return p.frames[i].id, p.frames[i].shown })
	if err != nil {
		return err
	}
	cut := 0
	for _, i := range p.orphans {
		if p.callers[i] < 0 { // no list of children names its caller
			cut++
		}
	}
	if cut > 0 {
		p.file.Warn.Add(trace.WarnDumpCut, p.file.Name, 0, "the profile lacks the callers of some functions: their stacks begin at these functions", words.Count(cut, "node"))
	}
	return nil
}

// stackOf returns the stack of the node with this id, and the empty stack if there is none.
func (p *nodes) stackOf(id int64) int32 {
	if i, ok := p.index[id]; ok {
		return p.paths[i]
	}
	p.missed++
	return stackdump.NoNode
}

// checkStacks warns of samples without a stack. It returns an error if all are without.
func checkStacks(p *stackdump.WholeJSON, missed, samples int) error {
	if missed == samples && samples > 0 {
		return p.Bad("the profile lacks the nodes of all samples: the trace was truncated, or their events were not recorded")
	}
	if missed > 0 {
		p.Warn.Add(trace.WarnDumpLeftOut, p.Name, 0, "the profile lacks the nodes of some samples, which therefore have no stack", fmt.Sprintf("%d of %s", missed, words.Count(samples, "sample")))
	}
	return nil
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
			p.orphans = append(p.orphans, at)
			return at, nil
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
