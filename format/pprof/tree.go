package pprof

import (
	"fmt"
	"io"

	"artifice/internal/encode"
	"artifice/internal/profileproto"
	"artifice/trace"
	"artifice/trace/calltree"
)

// WriteTree writes a tree of calls and times, which may be differences and negative, as an
// uncompressed profile to w. rec provides the symbols and the clocks of the times; its events are
// not read. main is the clock that pprof shows first. comments are stored in the profile. WriteTree
// returns an error if w does, or if the tree uses symbols that rec lacks.
func WriteTree(w io.Writer, rec *trace.Recording, tree *calltree.Tree, main trace.Clock, comments ...string) error {
	out := newProfile(w, rec, rec.Info.Clock, "calls")
	if out.writeQuantity() {
		return out.writeTree(tree, comments)
	}
	out.w.ValueType(profileproto.SampleType, out.counts, "count")
	for _, c := range []trace.Clock{trace.Wall, trace.ThreadCPU} {
		if c.HasWall() && rec.Info.Clock.HasWall() || c.HasCPU() && rec.Info.Clock.HasCPU() {
			out.w.ValueType(profileproto.SampleType, mainClock(c), "nanoseconds")
		}
	}
	out.w.Number(profileproto.DefaultSampleType, out.w.Text(mainClock(main)))
	return out.writeTree(tree, comments)
}

// writeQuantity writes the sample type of a quantity. It reports whether the recording is of a
// quantity.
func (p *profileFile) writeQuantity() bool {
	if !p.quantity.IsSet() {
		return false
	}
	p.w.ValueType(profileproto.SampleType, p.quantity.Name, p.quantity.Unit)
	p.w.ValueType(profileproto.PeriodType, p.quantity.Name, p.quantity.Unit) // pprof compares only profiles of one type
	return true
}

// writeTree writes everything after the sample types.
func (p *profileFile) writeTree(tree *calltree.Tree, comments []string) error {
	depth, err := encode.EachStack(tree, encode.StackFrames(int64(tree.Len())), p.thread, p.stack)
	if err != nil {
		return fmt.Errorf("pprof: %w", err)
	}
	if depth > 0 {
		comments = append(comments, encode.CutStacks(depth))
	}
	p.tables("")
	return p.close(comments)
}
