package profile

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/google/pprof/profile"
)

// names are the columns as pprof has them, in the order of the bits.
var names = [columns]profile.ValueType{{Type: "calls", Unit: "count"}, {Type: "samples", Unit: "count"}, {Type: "wall", Unit: "nanoseconds"}, {Type: "cpu", Unit: "nanoseconds"}}

// Missing returns the names of columns that some traces have and others do not. They
// are left out, as pprof does: a sum over some of the traces would be taken for that of
// all.
func (t *Tree) Missing() (missing []string) {
	for c := range names {
		if t.columns&(1<<c) == 0 && slices.ContainsFunc(t.nodes, func(n node) bool { return n.values[c] != 0 }) {
			missing = append(missing, names[c].Type)
		}
	}
	return missing
}

// Write writes the profile in pprof's format, compressed where pprof's library does
// so. It fails when w does, and where the traces have no number in common.
func (t *Tree) Write(w io.Writer) error {
	p, err := t.Profile()
	if err != nil {
		return err
	}
	return p.WriteUncompressed(w)
}

// Profile returns the profile: threads and stacks by name, so that the same traces
// give the same, in whatever order they were merged.
func (t *Tree) Profile() (*profile.Profile, error) {
	p := &profile.Profile{
		TimeNanos: t.Begun, DurationNanos: int64(t.Duration), Period: int64(t.Period),
		PeriodType: &profile.ValueType{Type: "wall", Unit: "nanoseconds"},
		Mapping:    []*profile.Mapping{{ID: 1, HasFunctions: true, HasFilenames: true, HasLineNumbers: true}},
		Comments:   []string{fmt.Sprintf("sum of %d traces", t.Traces)},
	}
	o := output{tree: t, profile: p, locations: map[uint32]*profile.Location{}}
	for c, name := range names {
		if t.columns&(1<<c) != 0 {
			p.SampleType = append(p.SampleType, &profile.ValueType{Type: name.Type, Unit: name.Unit})
			o.columns = append(o.columns, c)
			p.DefaultSampleType = name.Type
		}
	}
	switch {
	case len(o.columns) == 0:
		return nil, fmt.Errorf("%d traces have no number in common: some count calls and some samples, and they have no clock in common", t.Traces)
	case t.columns&Wall != 0:
		p.DefaultSampleType = "wall"
	case t.columns&CPU != 0:
		p.PeriodType.Type = "cpu"
	}
	o.write()
	return p, p.CheckValid()
}

// output walks a tree and makes the samples of a profile.
type output struct {
	tree      *Tree
	profile   *profile.Profile
	columns   []int
	callees   [][]uint32 // by node, in the order of their frames' names
	locations map[uint32]*profile.Location
	stack     []*profile.Location // outermost first
}

func (o *output) write() {
	t := o.tree
	o.callees = make([][]uint32, len(t.nodes))
	var roots []uint32
	for i := range t.nodes {
		if n := &t.nodes[i]; t.isRoot(uint32(i)) {
			roots = append(roots, uint32(i))
		} else {
			o.callees[n.parent] = append(o.callees[n.parent], uint32(i))
		}
	}
	for _, list := range o.callees {
		slices.SortFunc(list, func(a, b uint32) int { return compareFrames(&t.frames[t.nodes[a].frame], &t.frames[t.nodes[b].frame]) })
	}
	slices.SortFunc(roots, func(a, b uint32) int {
		return slices.CompareFunc(t.labels[t.nodes[a].frame], t.labels[t.nodes[b].frame], func(a, b Label) int {
			return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Number, b.Number))
		})
	})
	for _, root := range roots {
		o.walk(root)
	}
}

func compareFrames(a, b *Frame) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.System, b.System), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// walk writes the stacks with the labels of a root. It keeps its own stack: a
// recursion can be deeper than that of this program may be.
func (o *output) walk(root uint32) {
	text, numbers := map[string][]string{}, map[string][]int64{}
	for _, l := range o.tree.labels[o.tree.nodes[root].frame] {
		if l.Text != "" {
			text[l.Key] = []string{l.Text}
		} else {
			numbers[l.Key] = []int64{l.Number}
		}
	}
	type step struct {
		node  uint32
		depth int
	}
	next := []step{}
	push := func(n uint32, depth int) {
		for _, callee := range slices.Backward(o.callees[n]) {
			next = append(next, step{callee, depth + 1})
		}
	}
	for push(root, 0); len(next) > 0; {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		n := &o.tree.nodes[at.node]
		o.stack = append(o.stack[:at.depth-1], o.location(n.frame))
		o.sample(n, text, numbers)
		push(at.node, at.depth)
	}
}

// sample writes the stack that ends with a node, unless nothing is known of it alone.
func (o *output) sample(n *node, text map[string][]string, numbers map[string][]int64) {
	values := make([]int64, len(o.columns))
	for i, c := range o.columns {
		values[i] = n.values[c]
	}
	if !slices.ContainsFunc(values, func(v int64) bool { return v != 0 }) {
		return
	}
	locations := slices.Clone(o.stack)
	slices.Reverse(locations) // pprof has the innermost first
	o.profile.Sample = append(o.profile.Sample, &profile.Sample{Location: locations, Value: values, Label: text, NumLabel: numbers})
}

// location returns the one location of a frame.
func (o *output) location(frame uint32) *profile.Location {
	l := o.locations[frame]
	if l == nil {
		p, f := o.profile, &o.tree.frames[frame]
		id := uint64(len(p.Location) + 1)
		function := &profile.Function{ID: id, Name: f.Name, SystemName: f.System, Filename: f.File, StartLine: f.Line}
		l = &profile.Location{ID: id, Mapping: p.Mapping[0], Line: []profile.Line{{Function: function, Line: f.Line}}}
		p.Function, p.Location = append(p.Function, function), append(p.Location, l)
		o.locations[frame] = l
	}
	return l
}
