package folded

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"artifice/internal/encode"

	"artifice/trace"
	"artifice/trace/calltree"
)

// sums writes folded stacks, the input of Brendan Gregg's flamegraph.pl and of most flame graph
// viewers: a line for each distinct stack, with frames outermost first separated by ";", a blank,
// and a number. Stacks without a positive number are omitted.
//
// Times are in microseconds by default: many viewers interpret the number as a number of samples,
// and the Firefox Profiler creates a sample for each, which takes forever for nanoseconds. They are
// rounded, so that the sum of a stack's callees may be off by half a unit per line. A first line
// with a 0 states the unit, see package internal/encode. Lines without a ";" come last, because
// Perfetto recognizes the format by the first three.
//
// Frames are class.method; a ";" in a name becomes ":", as in Gregg's own scripts, and a line break
// or other control character a blank. Time without an open frame has the frame "(toplevel)".
// Snapshots replace events as in profiles.
type sums struct {
	w      io.Writer
	rec    *trace.Recording
	until  calltree.EndPolicy
	o      Options
	stacks encode.StackBuilder
	stats  encode.ProfileStats
}

// newSums returns a writer of rec's events as folded stacks on w. It reads rec's Info and Symbols
// when it is closed, and rec.Events never. It returns an error if the trace lacks the requested
// clock.
func newSums(w io.Writer, rec *trace.Recording, until calltree.EndPolicy, o Options) (*sums, error) {
	if o.Value == CPU && !rec.Info.Clock.HasCPU() {
		return nil, fmt.Errorf("folded stacks: the trace has no CPU clock (its clock is %s); fold wall time or calls", rec.Info.Clock)
	}
	if q := rec.Info.Quantity; o.Value == Calls && q.IsSet() {
		return nil, fmt.Errorf("folded stacks: a profile of %s has no numbers of calls; fold its values", q.Describe())
	}
	return &sums{w: w, rec: rec, until: until, o: o, stacks: encode.NewStackBuilder(rec)}, nil
}

// WriteEvents implements [trace.Writer]. It never fails.
func (f *sums) WriteEvents(events []trace.Event) error { return f.stacks.WriteEvents(events) }

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (f *sums) WriteSnapshot(s *trace.Snapshot) error { return f.stacks.WriteSnapshot(s) }

// Notes returns, after Close, one sentence for each omission or assumption; none for most traces.
func (f *sums) Notes() []string {
	notes := f.stats.Notes()
	if f.o.Value != Calls && f.rec.Info.Waits {
		notes = append(notes, "waiting time is not written")
	}
	return notes
}

// Close writes the stacks. It returns an error if w does, or if events use symbols that rec lacks.
func (f *sums) Close() error {
	tree, stats := f.stacks.Finish(f.until)
	f.stats = stats
	if !f.o.ByThread {
		tree = tree.Merge()
	}
	maxDepth := tree.DepthWithin(encode.StackFrames(f.stats.Events + f.stats.Samples))
	if maxDepth < math.MaxInt {
		f.stats.MaxDepth = maxDepth
	}
	value, clock, unit := f.value(tree)
	out := newFolder(f.w, f.rec.Symbols, value, &f.stats)
	if out.unit = encode.Unit(clock, unit); f.rec.Info.Quantity.IsSet() {
		out.unit = encode.QuantityUnit(f.rec.Info.Quantity, unit)
	}
	for id := range tree.Threads() {
		if err := out.thread(tree, trace.ThreadID(id), f.o.ByThread, maxDepth); err != nil {
			return fmt.Errorf("folded stacks: %w", err)
		}
	}
	if len(out.short) > 0 {
		out.w.WriteString(out.unit)
	}
	out.w.Write(out.short)
	if f.stats.Stacks == 0 { // the format of an empty file could not be detected
		out.w.WriteString("# no stacks\n")
	}
	return out.w.Flush()
}

// value returns the number of a stack, with its clock and unit if it is a time. If no sample has a
// duration, as in a single dump, the number counts samples.
func (f *sums) value(tree *calltree.Tree) (number func(*calltree.Stack) int64, clock trace.Clock, unit time.Duration) {
	if f.o.Value == Calls || f.stacks.HasSamples() && tree.Total() == (calltree.Times{}) {
		return func(s *calltree.Stack) int64 { return s.Count }, 0, 0
	}
	clock, unit = f.rec.Info.Main(), cmp.Or(f.o.Unit, time.Microsecond)
	if q := f.rec.Info.Quantity; q.IsSet() && q.Unit != trace.Nanoseconds {
		unit = 1
	}
	if f.o.Value == CPU {
		clock = trace.ThreadCPU
	}
	return func(s *calltree.Stack) int64 { return int64(s.Self.On(clock).Round(unit) / unit) }, clock, unit
}

// folder writes one line per stack. Successive stacks differ in their innermost frames, so the
// common part of the line is reused.
type folder struct {
	w       *bufio.Writer
	symbols *trace.Symbols
	value   func(*calltree.Stack) int64
	stats   *encode.ProfileStats
	names   encode.MethodTexts // text of each frame, with a ";" after it
	// the thread's name, if it is written, and the frames of the previous stack
	line  []byte
	ends  []int  // ends in line of the thread's name and of each frame
	short []byte // lines without a ";"
	unit  string // the line that states the unit, until it is written
	text  []byte // reused
}

func newFolder(w io.Writer, symbols *trace.Symbols, value func(*calltree.Stack) int64, stats *encode.ProfileStats) *folder {
	name := func(m *trace.Method) []byte { return []byte(frameName(m.FullName()) + ";") }
	return &folder{
		w: bufio.NewWriterSize(w, 1<<16), symbols: symbols, value: value, stats: stats,
		names: encode.MethodTexts{Symbols: symbols, Make: name},
	}
}

func (f *folder) thread(tree *calltree.Tree, id trace.ThreadID, byThread bool, maxDepth int) error {
	f.line = f.line[:0]
	if byThread {
		if int(id) >= len(f.symbols.Threads) {
			return encode.UnknownThread(id, f.symbols)
		}
		f.line = append(f.line, frameName(f.symbols.Thread(id).String())+";"...)
	}
	f.ends = append(f.ends[:0], len(f.line))
	return tree.Stacks(id, maxDepth, f.stack)
}

// stack writes the line of a stack with a positive number.
func (f *folder) stack(s *calltree.Stack) error {
	if err := f.follow(s); err != nil {
		return err
	}
	n := f.value(s)
	if n < 0 {
		f.stats.Negative++
	}
	if n <= 0 {
		return nil
	}
	f.stats.Stacks++
	line := f.line
	if len(s.Frames) == 0 {
		line = append(line, encode.Toplevel...) // with the ";" after a thread's name
	} else {
		line = line[:len(line)-1] // without the final ";"
	}
	f.text = append(encode.AppendInt(append(append(f.text[:0], line...), ' '), n), '\n')
	if len(s.Frames) < 2 && f.ends[0] == 0 {
		f.short = append(f.short, f.text...)
		return nil
	}
	if f.unit != "" {
		f.w.WriteString(f.unit)
		f.unit = ""
	}
	_, err := f.w.Write(f.text)
	return err
}

// follow changes the line from the previous stack to the next one.
func (f *folder) follow(s *calltree.Stack) error {
	f.ends = f.ends[:1+s.Same]
	f.line = f.line[:f.ends[s.Same]]
	for _, m := range s.Frames[s.Same:] {
		if int(m) >= len(f.symbols.Methods) {
			return encode.UnknownMethod(m, f.symbols)
		}
		f.line = append(f.line, f.names.Of(m)...)
		f.ends = append(f.ends, len(f.line))
	}
	return nil
}

// frameName returns name without the characters that separate frames and lines.
func frameName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return ':'
		case r < ' ' || r == 0x7f:
			return ' '
		}
		return r
	}, name)
}
