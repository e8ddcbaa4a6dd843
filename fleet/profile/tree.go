// Package profile combines the profiles of many traces into one.
//
// A [Tree] is a profile, of one trace or many, as a tree of calling contexts with shared callers.
// Merging trees in any order and grouping gives the same profile, byte for byte: sums of integers
// do not depend on the order, and the profile is written in the order of names. So a tree is
// suitable for a combiner. Its size is that of the distinct stacks, for any number of traces.
//
// The profile contains the output of `artifice convert` for each trace, added up as pprof merges
// profiles: by function, stack and labels. It differs from pprof's merge in three points. The
// label tid is dropped unless requested, because thread ids differ between runs and would prevent
// merging. The comments of single profiles are not repeated for every trace. A column that only
// some traces have is kept, where pprof would drop it: see [Tree.Lacking].
package profile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/encode"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Columns: the values of a stack.
const (
	calls   = iota // enters of the innermost frame
	samples        // if a trace has samples; it then has no calls
	wall           // ns
	cpu            // ns
	columns        // number of columns
)

// Threads selects the labels of stacks that identify their threads.
type Threads uint8

const (
	ByName   Threads = iota // the name
	ByTID                   // the name and the id, as in the profile of a single trace
	Together                // no label: all threads are merged
)

// Label is a name with a text or, if that is empty, a number.
type Label struct {
	Key, Text string
	Number    int64
}

// Frame is a function of pprof.
type Frame struct {
	Name, System, File string
	Line               int64
}

// Tree is the profile of some traces. The zero value has none.
type Tree struct {
	Traces   int64
	Duration time.Duration  // sum over all traces
	Period   time.Duration  // the maximum; 0: unknown
	Begun    int64          // earliest known beginning in ns since 1970; 0: unknown
	Labels   string         // description of the labels for readers; stored as a comment
	having   [columns]int64 // number of traces that have the column; in others its values are 0

	frames   []Frame
	frameIDs map[Frame]uint32
	labels   [][]Label // of the roots
	rootIDs  map[string]uint32
	nodes    []node // callers before callees
	children map[edge]uint32
}

// node is a calling context. A root has no frame. Below it are the stacks with the same labels; it
// is its own parent, and its frame is a number of labels.
type node struct {
	edge
	values [columns]int64
}

type edge struct{ parent, frame uint32 }

// New returns the profile of one trace that was written to stacks and is finished. It adds labels
// to every stack.
func New(rec *trace.Recording, stacks *encode.ProfileStacks, labels []Label, threads Threads) (*Tree, error) {
	t := &Tree{Traces: 1, Duration: stacks.Duration(), Period: stacks.Stats().Period}
	if rec.Info.VM == "dalvik" { // ART's start time is not a date
		t.Begun = int64(rec.Info.Start)
	}
	switch stacks.Counts() {
	case "calls":
		t.having[calls] = 1
	case "samples":
		t.having[samples] = 1
	}
	if stacks.Clock().HasWall() {
		t.having[wall] = 1
	}
	if stacks.Clock().HasCPU() {
		t.having[cpu] = 1
	}
	known := make([]uint32, len(rec.Symbols.Methods)) // by method: its frame plus 1
	var path []uint32                                 // nodes of the previous stack, beginning with its root
	thread := func(id trace.ThreadID) error {
		if int(id) >= len(rec.Symbols.Threads) {
			return fmt.Errorf("events of thread index %d, but there are %d threads", id, len(rec.Symbols.Threads))
		}
		path = append(path[:0], t.root(threadLabels(rec.Symbols.Thread(id), labels, threads)))
		return nil
	}
	stack := func(s *calltree.Stack) error {
		path = path[:1+s.Same]
		for _, m := range s.Frames[s.Same:] {
			if int(m) >= len(known) {
				return fmt.Errorf("events of method index %d, but there are %d methods", m, len(known))
			}
			if known[m] == 0 {
				known[m] = 1 + t.frame(frameOf(rec.Symbols.Method(m)))
			}
			path = append(path, t.child(path[len(path)-1], known[m]-1))
		}
		at := path[len(path)-1]
		if len(s.Frames) == 0 {
			at = t.child(at, t.frame(Frame{Name: encode.Toplevel, System: encode.Toplevel}))
		}
		values := [columns]int64{calls: s.Count, samples: s.Count, wall: int64(s.Self.Wall), cpu: int64(s.Self.CPU)}
		for c, has := range t.having {
			t.nodes[at].values[c] += has * values[c]
		}
		return nil
	}
	return t, stacks.Each(thread, stack)
}

// threadLabels returns the labels of the stacks of one thread, sorted by name.
func threadLabels(t *trace.Thread, labels []Label, threads Threads) []Label {
	list := slices.Clone(labels)
	if threads != Together {
		list = append(list, Label{Key: "thread", Text: valid(t.String())})
	}
	if threads == ByTID {
		list = append(list, Label{Key: "tid", Number: int64(t.TID)})
	}
	slices.SortStableFunc(list, func(a, b Label) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// frameOf returns a method's frame as in the profile of a single trace.
func frameOf(m *trace.Method) Frame {
	return Frame{valid(m.FullName()), valid(m.String()), valid(m.File), int64(max(m.Line, 0))}
}

// valid returns s with invalid UTF-8 replaced, for a string of a protocol buffer.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// Merge adds another profile, which it does not change.
func (t *Tree) Merge(other *Tree) {
	if other.Traces == 0 {
		return
	}
	t.Traces += other.Traces
	if t.Labels == "" {
		t.Labels = other.Labels
	}
	for c, n := range other.having {
		t.having[c] += n
	}
	t.Duration += other.Duration
	t.Period = max(t.Period, other.Period)
	if t.Begun == 0 || other.Begun > 0 && other.Begun < t.Begun {
		t.Begun = other.Begun
	}
	frames := make([]uint32, len(other.frames))
	for i, f := range other.frames {
		frames[i] = t.frame(f)
	}
	nodes := make([]uint32, len(other.nodes))
	for i := range other.nodes {
		n := &other.nodes[i]
		if other.isRoot(uint32(i)) {
			nodes[i] = t.root(other.labels[n.frame])
		} else {
			nodes[i] = t.child(nodes[n.parent], frames[n.frame])
		}
		sum := &t.nodes[nodes[i]].values
		for c, v := range n.values {
			sum[c] += v
		}
	}
}

// Take is Merge for a profile that is not used afterwards, so that its data need not be copied.
func (t *Tree) Take(other *Tree) {
	if t.Traces == 0 {
		*t = *other
		return
	}
	t.Merge(other)
}

// Nodes returns the number of calling contexts, which determines the memory.
func (t *Tree) Nodes() int { return len(t.nodes) }

func (t *Tree) isRoot(n uint32) bool { return t.nodes[n].parent == n }

// frame returns the number of a frame.
func (t *Tree) frame(f Frame) uint32 {
	id, ok := t.frameIDs[f]
	if !ok {
		if t.frameIDs == nil {
			t.frameIDs = map[Frame]uint32{}
		}
		id = uint32(len(t.frames))
		t.frames, t.frameIDs[f] = append(t.frames, f), id
	}
	return id
}

// root returns the root for some labels.
func (t *Tree) root(labels []Label) uint32 {
	key := keyOf(labels)
	id, ok := t.rootIDs[key]
	if !ok {
		if t.rootIDs == nil {
			t.rootIDs = map[string]uint32{}
		}
		id = uint32(len(t.nodes))
		t.nodes = append(t.nodes, node{edge: edge{id, uint32(len(t.labels))}})
		t.labels, t.rootIDs[key] = append(t.labels, labels), id
	}
	return id
}

// keyOf returns a text that identifies labels.
func keyOf(labels []Label) string {
	var b []byte
	for _, l := range labels {
		b = strconv.AppendQuote(b, l.Key)
		b = strconv.AppendQuote(b, l.Text)
		b = strconv.AppendInt(b, l.Number, 10)
	}
	return string(b)
}

// child returns the node of a frame called from another node.
func (t *Tree) child(parent, frame uint32) uint32 {
	e := edge{parent, frame}
	id, ok := t.children[e]
	if !ok {
		if t.children == nil {
			t.children = map[edge]uint32{}
		}
		id = uint32(len(t.nodes))
		t.nodes, t.children[e] = append(t.nodes, node{edge: e}), id
	}
	return id
}
