package cpuprofile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/jsonread"
)

// parser reads V8's CPU profiles (.cpuprofile), as node --cpu-prof and Chrome's
// developer tools save them: the type Profiler.Profile of the DevTools protocol. The time of a
// sample is startTime plus the timeDeltas up to its own, in us. A sample lasts until the next
// one, the last until endTime. Older profiles have a tree "head" instead of "nodes",
// "timestamps" instead of timeDeltas (an additional one is the end), and startTime and endTime
// in seconds.
//
// (root) is not a frame, and (idle) is an empty stack. (program) and (garbage collector) are
// activities of the thread other than JavaScript, and are kept.
type parser struct {
	stackdump.WholeJSON
	doc cpuProfile

	index   map[int64]int32 // of nodes, by id
	frames  []cpuFrame
	callers []int32 // -1: none
	links   []cpuLink
}

// cpuProfile is a profile without its nodes.
type cpuProfile struct {
	start, end     json.Number
	samples        []int64
	deltas, stamps []time.Duration
	old            bool
}

type cpuFrame struct {
	id    stackdump.FrameID
	shown bool // a frame that counts
}

// cpuLink says that a node is called by another, which may come after it.
type cpuLink struct {
	caller int32
	callee int64 // id
}

// cpuNode is a node without its children.
type cpuNode struct {
	ID     *int64        `json:"id"`
	Parent *int64        `json:"parent"`
	Call   *cpuCallFrame `json:"callFrame"`
	cpuCallFrame
}

// listNode is a node of a list.
type listNode struct {
	cpuNode
	Children []int64 `json:"children"` // ids
}

// treeNode is a node of a tree.
type treeNode struct {
	cpuNode
	Children []treeNode `json:"children"`
}

type cpuCallFrame struct {
	Name string `json:"functionName"`
	URL  string `json:"url"`
	Line int64  `json:"lineNumber"` // from 0
}

// codec is the [stackdump.Codec] of profiles.
type codec struct{}

// Detect implements [stackdump.Codec].
func (codec) Detect(head []byte) bool {
	return stackdump.HasJSONKeys(head, "callFrame", "nodes") ||
		stackdump.HasJSONKeys(head, "head", "functionName", "callUID")
}

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, text io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{index: map[int64]int32{}}
	p.Init(in, text, p)
	return p
}

// NameThread implements [stackdump.Document].
func (p *parser) NameThread(_ uint32, t *stackdump.Thread) { t.Name = "main" }

// ReadFile implements [stackdump.Document].
func (p *parser) ReadFile() error {
	if err := p.Object(p.member); err != nil {
		return err
	}
	for _, l := range p.links {
		callee, ok := p.index[l.callee]
		switch {
		case !ok:
			return p.Bad("a node has the child %d, which does not exist", l.callee)
		case p.callers[callee] >= 0:
			return p.Bad("node %d is the child of two nodes", l.callee)
		}
		p.callers[callee] = l.caller
	}
	stacks, err := p.Chains(p.callers, func(i int32) (stackdump.FrameID, bool) { return p.frames[i].id, p.frames[i].shown })
	if err != nil {
		return err
	}
	return p.place(stacks)
}

// member reads a member of the profile.
func (p *parser) member(key string) error {
	switch key {
	case "nodes":
		return p.Array(func() error {
			var n listNode
			if err := p.Decode(&n); err != nil {
				return err
			}
			at, err := p.node(&n.cpuNode)
			for _, id := range n.Children {
				p.links = append(p.links, cpuLink{at, id})
			}
			return err
		})
	case "head":
		p.doc.old = true
		var n treeNode
		if err := p.Decode(&n); err != nil {
			return err
		}
		return p.tree(&n)
	case "startTime":
		return p.Decode(&p.doc.start)
	case "endTime":
		return p.Decode(&p.doc.end)
	case "samples":
		return p.Array(func() error {
			id, err := jsonread.Int[int64](p.Document, 0)
			p.doc.samples = append(p.doc.samples, id)
			return err
		})
	case "timeDeltas":
		return p.times(key, &p.doc.deltas)
	case "timestamps":
		return p.times(key, &p.doc.stamps)
	}
	return p.Skip()
}

// times reads an array of times in us.
func (p *parser) times(key string, to *[]time.Duration) error {
	return p.Array(func() error {
		n, err := p.Number()
		if err != nil {
			return err
		}
		t, err := stackdump.TimeOf(n, time.Microsecond)
		if err != nil {
			return p.Bad("%s: %v", key, err)
		}
		*to = append(*to, t)
		return nil
	})
}

// node handles a node.
func (p *parser) node(n *cpuNode) (at int32, err error) {
	at = int32(len(p.callers))
	if n.ID == nil {
		return at, p.Bad("node %d has no id", at)
	}
	if _, twice := p.index[*n.ID]; twice {
		return at, p.Bad("two nodes have the id %d", *n.ID)
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
			return at, p.Bad("node %d has the parent %d, which is not an earlier node", *n.ID, *n.Parent)
		}
		p.callers[at] = caller
	}
	return at, nil
}

// tree handles a node with all below it.
func (p *parser) tree(n *treeNode) error {
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

// frameOf returns the frame of a call. A function without a name is called by its place.
func (p *parser) frameOf(call *cpuCallFrame) cpuFrame {
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
	f := stackdump.ParseFoldedFrame(p.Text([]byte(name)))
	f.File, f.Line = p.Text([]byte(call.URL)), line
	return cpuFrame{p.Input.Frames.Add(f), true}
}

// place gives the samples their times.
func (p *parser) place(stacks []int32) error {
	doc := &p.doc
	unit := time.Microsecond
	if doc.old {
		unit = time.Second
	}
	stamps, what := doc.deltas, "timeDeltas"
	if len(stamps) == 0 && len(doc.stamps) > 0 {
		stamps, what = doc.stamps, "timestamps"
	}
	end, err := stackdump.TimeOf(cmp.Or(doc.end, "0"), unit)
	if err != nil {
		return p.Bad("endTime: %v", err)
	}
	if n := len(doc.samples); what == "timestamps" && len(stamps) == n+1 {
		end, stamps = stamps[n], stamps[:n]
	}
	if len(stamps) != len(doc.samples) {
		return p.Bad("%d samples and %d %s", len(doc.samples), len(stamps), what)
	}
	at, err := stackdump.TimeOf(cmp.Or(doc.start, "0"), unit)
	if err != nil {
		return p.Bad("startTime: %v", err)
	}
	var latest time.Duration
	var steps []time.Duration
	for i, t := range stamps {
		switch {
		case what == "timestamps":
			at = t
		default:
			at += t
			steps = append(steps, t)
		}
		if at < -stackdump.Farthest || at > stackdump.Farthest {
			return p.Bad("sample %d has the implausible time %s", i, at)
		}
		node, ok := p.index[doc.samples[i]]
		if !ok {
			return p.Bad("sample %d is of node %d, which does not exist", i, doc.samples[i])
		}
		if i == 0 || at > latest {
			latest = at
		}
		p.Add(at, -1, 1, stacks[node], 1)
	}
	if len(stamps) > 0 {
		p.Add(max(end, latest), -1, 1, stackdump.NoNode, 0)
	}
	slices.Sort(steps)
	p.Interval = max(stackdump.Median(steps), 0)
	return nil
}
