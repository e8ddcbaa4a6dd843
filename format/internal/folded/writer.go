package folded

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"artifice/internal/decimal"
	"artifice/internal/encode"

	"artifice/trace"
	"artifice/trace/calltree"
)

// sums is a writer that makes folded stacks, the input of Brendan
// Gregg's flamegraph.pl and of most flame graph viewers: a line for each
// distinct stack, frames outermost first with ";" between them, a blank, a
// number. Stacks whose number is not positive are left out.
//
// Times are in microseconds unless another unit is asked for: many viewers take the number
// for one of samples, and the Firefox Profiler makes a sample for each, which for
// nanoseconds does not end. They are rounded, so that the sums of a stack's callers may be
// off by half a unit for each line. A first line with a 0 tells the unit, see package
// internal/encode. Lines without a ";" come last, as Perfetto recognises the format by the
// first three.
//
// Frames are class.method; a ";" in a name becomes ":", as in Gregg's own
// scripts, and a line break or other control character a blank. Time with no
// frame open has the frame "(toplevel)". Snapshots replace events as in profiles.
type sums struct {
	w      io.Writer
	rec    *trace.Recording
	until  calltree.EndPolicy
	o      Options
	stacks encode.StackBuilder
	stats  encode.ProfileStats
}

// newSums returns a writer of rec's events as folded stacks on w. It reads
// rec's Info and Symbols when it is closed, and rec.Events never. It fails when
// the trace does not have the clock asked for.
func newSums(w io.Writer, rec *trace.Recording, until calltree.EndPolicy, o Options) (*sums, error) {
	if o.Value == CPU && !rec.Info.Clock.HasCPU() {
		return nil, fmt.Errorf("folded stacks: the trace has no CPU clock (its clock is %s); fold wall time or calls", rec.Info.Clock)
	}
	return &sums{w: w, rec: rec, until: until, o: o, stacks: encode.NewStackBuilder(rec)}, nil
}

// WriteEvents implements [trace.Writer]. It never fails.
func (f *sums) WriteEvents(events []trace.Event) error { return f.stacks.WriteEvents(events) }

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (f *sums) WriteSnapshot(s *trace.Snapshot) error { return f.stacks.WriteSnapshot(s) }

// Notes returns, after Close, what the stacks leave out or had to assume, a
// sentence each; nothing for most traces.
func (f *sums) Notes() []string { return f.stats.Notes() }

// Close writes the stacks. It fails when w does, or when events use symbols that
// rec lacks.
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
	out.unit = encode.Unit(clock, unit)
	for id := range tree.Threads() {
		if err := out.thread(tree, trace.ThreadID(id), f.o.ByThread, maxDepth); err != nil {
			return fmt.Errorf("folded stacks: %w", err)
		}
	}
	if len(out.short) > 0 {
		out.w.WriteString(out.unit)
	}
	out.w.Write(out.short)
	if f.stats.Stacks == 0 { // a file without a byte would be of no format
		out.w.WriteString("# no stacks\n")
	}
	return out.w.Flush()
}

// value returns the number of a stack, and the clock and the unit of it, if it is a time.
// Where none passed in any sample, as in a single dump, the number is that of its samples.
func (f *sums) value(tree *calltree.Tree) (number func(*calltree.Stack) int64, clock trace.Clock, unit time.Duration) {
	if f.o.Value == Calls || f.stacks.HasSamples() && tree.Total() == (calltree.Times{}) {
		return func(s *calltree.Stack) int64 { return s.Count }, 0, 0
	}
	clock, unit = f.rec.Info.Main(), cmp.Or(f.o.Unit, time.Microsecond)
	if f.o.Value == CPU {
		clock = trace.ThreadCPU
	}
	return func(s *calltree.Stack) int64 { return int64(s.Self.On(clock).Round(unit) / unit) }, clock, unit
}

// folder writes one line for each stack. A stack differs from the next in its innermost
// frames, so the part of the line that stays the same is kept.
type folder struct {
	w       *bufio.Writer
	symbols *trace.Symbols
	value   func(*calltree.Stack) int64
	stats   *encode.ProfileStats
	names   encode.MethodTexts // each with a ";" after it
	line    []byte             // the thread's name where it is wanted, and the frames of the last stack
	ends    []int              // of the thread's name, and of each frame in line
	short   []byte             // lines without a ";"
	unit    string             // the line that tells what is counted, until it is written
	text    []byte             // reused
}

func newFolder(w io.Writer, symbols *trace.Symbols, value func(*calltree.Stack) int64, stats *encode.ProfileStats) *folder {
	name := func(m *trace.Method) []byte { return []byte(foldedName(m.FullName()) + ";") }
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
		f.line = append(f.line, foldedName(f.symbols.Thread(id).String())+";"...)
	}
	f.ends = append(f.ends[:0], len(f.line))
	return tree.Stacks(id, maxDepth, f.stack)
}

// stack writes the line of a stack whose number is positive.
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
		line = append(line, encode.Toplevel...) // with the ";" that ends a thread's name
	} else {
		line = line[:len(line)-1] // without the last ";"
	}
	f.text = append(decimal.AppendInt(append(append(f.text[:0], line...), ' '), n), '\n')
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

// follow changes the line from that of the stack before to that of the next one.
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

// foldedName returns name without the characters that mean something in a folded line.
func foldedName(name string) string {
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
