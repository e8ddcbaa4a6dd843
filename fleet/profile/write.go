package profile

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"artifice/internal/profileproto"
	"artifice/internal/protobuf"
)

// names are the columns' names in pprof.
var names = [columns]string{"calls", "samples", "wall", "cpu"}

// Prefixes of the comments that [Read] interprets.
const (
	sumOf    = "sum of "
	labelled = "labels: "
)

// Lacking returns a remark for each column that only some traces have, with the number of traces
// that lack it, because readers could take a sum over some traces for that of all. The profile
// contains the remarks as comments.
func (t *Tree) Lacking() (remarks []string) {
	for c, n := range t.having {
		if n > 0 && n < t.Traces {
			remarks = append(remarks, fmt.Sprintf("%s: %d of %d traces have none and count as 0", names[c], t.Traces-n, t.Traces))
		}
	}
	return remarks
}

// Write writes the profile in pprof's format, uncompressed. Threads and stacks are sorted by name,
// so that the same traces give the same bytes, regardless of the order of merging. The profile
// must have at least one trace. Write fails if w does.
//
// Stacks are written one by one. Building a profile of many traces with pprof's library would take
// ten times the memory of the tree. The tests read the output with that library.
func (t *Tree) Write(w io.Writer) error {
	o := &output{tree: t, Writer: profileproto.NewWriter(w), locations: make([]uint64, len(t.frames))}
	for c := range names {
		if t.having[c] > 0 {
			o.columns = append(o.columns, c)
		}
	}
	o.describe()
	o.order()
	for _, root := range o.roots {
		o.walk(root)
	}
	o.tables()
	return o.Close()
}

// output walks a tree and writes its stacks.
type output struct {
	*profileproto.Writer
	tree    *Tree
	columns []int

	roots   []uint32 // sorted by label
	callees []uint32 // of all nodes: those of node n are sorted by name, from first[n] to first[n+1]
	first   []uint32

	locations []uint64 // by frame; 0 for one not yet seen
	used      []uint32 // frames with a location and a function, numbered by their index here plus 1
	stack     []uint32 // frames, outermost first
	ids       []uint64 // locations of the stack
	parts     [2]protobuf.Message
	sampled   protobuf.Message
}

// describe writes everything except stacks.
func (o *output) describe() {
	t := o.tree
	unit := func(c int) string {
		if c < wall {
			return "count"
		}
		return "nanoseconds"
	}
	period, main := "wall", names[o.columns[len(o.columns)-1]]
	for _, c := range o.columns {
		o.ValueType(profileproto.SampleType, names[c], unit(c))
	}
	switch {
	case t.having[wall] > 0:
		main = "wall"
	case t.having[cpu] > 0:
		period = "cpu"
	}
	o.ValueType(profileproto.PeriodType, period, "nanoseconds")
	o.Number(profileproto.TimeNanos, t.Begun)
	o.Number(profileproto.DurationNanos, int64(t.Duration))
	o.Number(profileproto.Period, int64(t.Period))
	o.Number(profileproto.Comment, o.Text(fmt.Sprintf("%s%d traces", sumOf, t.Traces)))
	if t.Labels != "" {
		o.Number(profileproto.Comment, o.Text(labelled+t.Labels))
	}
	for _, remark := range t.Lacking() {
		o.Number(profileproto.Comment, o.Text(remark))
	}
	o.Number(profileproto.DefaultSampleType, o.Text(main))
}

// order sorts the labels, and the callees of each node.
func (o *output) order() {
	t := o.tree
	rank := make([]uint32, len(t.frames)) // by frame: its position in the order of names
	byName := make([]uint32, len(t.frames))
	for i := range byName {
		byName[i] = uint32(i)
	}
	slices.SortFunc(byName, func(a, b uint32) int { return compareFrames(&t.frames[a], &t.frames[b]) })
	for i, frame := range byName {
		rank[frame] = uint32(i)
	}
	o.first = make([]uint32, len(t.nodes)+2) // shifted by one while the lists are filled
	for i := range t.nodes {
		if t.isRoot(uint32(i)) {
			o.roots = append(o.roots, uint32(i))
		} else {
			o.first[t.nodes[i].parent+2]++
		}
	}
	for i := range t.nodes {
		o.first[i+2] += o.first[i+1]
	}
	o.callees = make([]uint32, len(t.nodes)-len(o.roots))
	for i := range t.nodes {
		if !t.isRoot(uint32(i)) {
			next := &o.first[t.nodes[i].parent+1]
			o.callees[*next] = uint32(i)
			*next++
		}
	}
	for i := range t.nodes {
		slices.SortFunc(o.calleesOf(uint32(i)), func(a, b uint32) int { return cmp.Compare(rank[t.nodes[a].frame], rank[t.nodes[b].frame]) })
	}
	slices.SortFunc(o.roots, func(a, b uint32) int {
		return slices.CompareFunc(t.labels[t.nodes[a].frame], t.labels[t.nodes[b].frame], func(a, b Label) int {
			return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Number, b.Number))
		})
	})
}

func (o *output) calleesOf(n uint32) []uint32 { return o.callees[o.first[n]:o.first[n+1]] }

func compareFrames(a, b *Frame) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.System, b.System), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// walk writes the stacks with the labels of a root. It uses an explicit stack, because a recursion
// in a trace can be deeper than this program's stack allows.
func (o *output) walk(root uint32) {
	var labels protobuf.Message
	for _, l := range o.tree.labels[o.tree.nodes[root].frame] {
		label := labels.Open(profileproto.SampleLabel)
		labels.Number(profileproto.LabelKey, o.Text(l.Key))
		labels.Number(profileproto.LabelStr, o.Text(l.Text))
		labels.Number(profileproto.LabelNum, l.Number)
		labels.Shut(label)
	}
	type step struct {
		node  uint32
		depth int
	}
	next := []step{}
	push := func(n uint32, depth int) {
		for _, callee := range slices.Backward(o.calleesOf(n)) {
			next = append(next, step{callee, depth + 1})
		}
	}
	for push(root, 0); len(next) > 0; {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		n := &o.tree.nodes[at.node]
		o.stack = append(o.stack[:at.depth-1], n.frame)
		o.sample(n, labels)
		push(at.node, at.depth)
	}
}

// sample writes the stack that ends with a node, unless the node has no values of its own.
func (o *output) sample(n *node, labels protobuf.Message) {
	frames, values, known := o.parts[0][:0], o.parts[1][:0], false
	for _, c := range o.columns {
		values = protobuf.AppendVarint(values, uint64(n.values[c]))
		known = known || n.values[c] != 0
	}
	if !known {
		return
	}
	o.ids = o.ids[:0]
	for _, frame := range o.stack {
		o.ids = append(o.ids, o.location(frame))
	}
	for _, id := range slices.Backward(o.ids) { // pprof's order is innermost first
		frames = protobuf.AppendVarint(frames, id)
	}
	o.parts = [2]protobuf.Message{frames, values}
	o.sampled = o.sampled[:0]
	o.sampled.Bytes(profileproto.SampleLocationID, frames)
	o.sampled.Bytes(profileproto.SampleValue, values)
	o.sampled = append(o.sampled, labels...)
	o.Field(profileproto.Sample, o.sampled)
}

// location returns the number of the location of a frame, which is also that of its function.
func (o *output) location(frame uint32) uint64 {
	if o.locations[frame] == 0 {
		o.used = append(o.used, frame)
		o.locations[frame] = uint64(len(o.used))
	}
	return o.locations[frame]
}

// tables writes the mapping, and the locations and functions of the frames in use.
func (o *output) tables() {
	var mapping protobuf.Message
	mapping.Number(profileproto.MappingID, 1)
	for _, has := range []int{profileproto.MappingHasFunctions, profileproto.MappingHasFilenames, profileproto.MappingHasLineNumbers} {
		mapping.Number(has, 1)
	}
	o.Field(profileproto.Mapping, mapping)
	for i, frame := range o.used {
		o.function(int64(i+1), &o.tree.frames[frame])
	}
}

func (o *output) function(id int64, f *Frame) {
	var location, function protobuf.Message
	location.Number(profileproto.LocationID, id)
	location.Number(profileproto.LocationMappingID, 1)
	line := location.Open(profileproto.LocationLine)
	location.Number(profileproto.LineFunctionID, id)
	location.Number(profileproto.LineLine, f.Line)
	location.Shut(line)
	o.Field(profileproto.Location, location)
	function.Number(profileproto.FunctionID, id)
	function.Number(profileproto.FunctionName, o.Text(f.Name))
	function.Number(profileproto.FunctionSystemName, o.Text(f.System))
	function.Number(profileproto.FunctionFilename, o.Text(f.File))
	function.Number(profileproto.FunctionStartLine, f.Line)
	o.Field(profileproto.Function, function)
}
