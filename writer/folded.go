package writer

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"artifice/calltree"
	"artifice/internal/words"
	"artifice/trace"
)

var foldedFormat = Format{
	Name: "folded", Description: "folded stacks: one stack and its value per line", Endings: []string{".folded", ".collapsed"}, Until: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		return NewFolded(w, rec, FoldedConfig{Value: o.Value, Threads: o.Threads, Until: o.Until})
	},
}

// FoldedValue is what the number of a folded stack counts.
type FoldedValue uint8

const (
	FoldedTime  FoldedValue = iota // wall time, or CPU time where that is the only clock, in ns
	FoldedCPU                      // CPU time in ns
	FoldedCalls                    // enters of the innermost frame, or samples where they are known
)

// ParseFoldedValue returns the value called time, cpu or calls.
func ParseFoldedValue(s string) (FoldedValue, error) {
	return words.Parse[FoldedValue]("value", []string{"time", "cpu", "calls"}, s)
}

// FoldedThreads is whether folded stacks tell their thread.
type FoldedThreads uint8

const (
	ThreadsMerged FoldedThreads = iota // stacks of all threads together
	ThreadsFirst                       // the thread's name is the outermost frame
)

// FoldedConfig is how stacks are folded.
type FoldedConfig struct {
	Value   FoldedValue        // default: time
	Threads FoldedThreads      // default: merged
	Until   calltree.EndPolicy // as in [PprofConfig]
}

// Folded is a trace.WriteCloser that makes folded stacks, the input of Brendan
// Gregg's flamegraph.pl and of most flame graph viewers: a line for each
// distinct stack, frames outermost first with ";" between them, a blank, a
// number. Stacks whose number is not positive are left out.
//
// Frames are class.method; a ";" in a name becomes ":", as in Gregg's own
// scripts, and a line break or other control character a blank. Time with no
// frame open has the frame "(toplevel)". Snapshots replace events as in [Pprof].
type Folded struct {
	w      io.Writer
	rec    *trace.Recording
	cfg    FoldedConfig
	stacks stackBuilder
	stats  ProfileStats
}

// NewFolded returns a writer of rec's events as folded stacks on w. It reads
// rec's Info and Symbols when it is closed, and rec.Events never. It fails when
// the trace does not have the clock asked for.
func NewFolded(w io.Writer, rec *trace.Recording, cfg FoldedConfig) (*Folded, error) {
	if cfg.Value == FoldedCPU && !rec.Info.Clock.HasCPU() {
		return nil, fmt.Errorf("folded stacks: the trace has no CPU clock (its clock is %s); fold wall time or calls", rec.Info.Clock)
	}
	return &Folded{w: w, rec: rec, cfg: cfg, stacks: newStackBuilder()}, nil
}

// WriteEvents implements [trace.Writer]. It never fails.
func (f *Folded) WriteEvents(events []trace.Event) error { return f.stacks.events.WriteEvents(events) }

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (f *Folded) WriteSnapshot(s *trace.Snapshot) error { return f.stacks.writeSnapshot(s) }

// Stats returns what the writer met. It is complete after Close.
func (f *Folded) Stats() ProfileStats { return f.stats }

// Notes returns, after Close, what the stacks leave out or had to assume, a
// sentence each; nothing for most traces.
func (f *Folded) Notes() []string { return f.stats.notes() }

// Close writes the stacks. It fails when w does, or when events use symbols that
// rec lacks.
func (f *Folded) Close() error {
	tree, stats := f.stacks.finish(&f.rec.Info, f.cfg.Until)
	f.stats = stats
	if f.cfg.Threads == ThreadsMerged {
		tree = tree.Merge()
	}
	maxDepth := tree.DepthWithin(stackFrames(f.stats.Events + f.stats.Samples))
	if maxDepth < math.MaxInt {
		f.stats.MaxDepth = maxDepth
	}
	out := folder{w: bufio.NewWriterSize(f.w, 1<<16), symbols: f.rec.Symbols, value: f.value(), stats: &f.stats}
	for id := range tree.Threads() {
		if err := out.thread(tree, trace.ThreadID(id), f.cfg.Threads, maxDepth); err != nil {
			return fmt.Errorf("folded stacks: %w", err)
		}
	}
	if f.stats.Stacks == 0 { // a file without a byte would be of no format
		out.w.WriteString("# no stacks\n")
	}
	return out.w.Flush()
}

// value returns the number of a stack.
func (f *Folded) value() func(*calltree.Stack) int64 {
	clock := f.rec.Info.Clock
	switch f.cfg.Value {
	case FoldedCPU:
		return func(s *calltree.Stack) int64 { return int64(s.Self.CPU) }
	case FoldedCalls:
		return func(s *calltree.Stack) int64 { return s.Count }
	}
	return func(s *calltree.Stack) int64 { return int64(s.Self.On(clock)) }
}

// folder writes one line a stack.
type folder struct {
	w       *bufio.Writer
	symbols *trace.Symbols
	value   func(*calltree.Stack) int64
	stats   *ProfileStats
	names   []string // by method, once used
	line    []byte
}

func (f *folder) thread(tree *calltree.Tree, id trace.ThreadID, threads FoldedThreads, maxDepth int) error {
	prefix := ""
	if threads == ThreadsFirst {
		if int(id) >= len(f.symbols.Threads) {
			return fmt.Errorf("events of thread index %d, but there are %d threads", id, len(f.symbols.Threads))
		}
		prefix = foldedName(f.symbols.Thread(id).String()) + ";"
	}
	return tree.Stacks(id, maxDepth, func(s *calltree.Stack) error {
		n := f.value(s)
		if n <= 0 {
			return nil
		}
		f.stats.Stacks++
		return f.write(prefix, s.Frames, n)
	})
}

func (f *folder) write(prefix string, frames []trace.MethodID, n int64) error {
	f.line = append(f.line[:0], prefix...)
	for i, m := range frames {
		if i > 0 {
			f.line = append(f.line, ';')
		}
		name, err := f.name(m)
		if err != nil {
			return err
		}
		f.line = append(f.line, name...)
	}
	if len(frames) == 0 {
		f.line = append(f.line, Toplevel...)
	}
	f.line = append(f.line, ' ')
	f.line = strconv.AppendInt(f.line, n, 10)
	f.line = append(f.line, '\n')
	_, err := f.w.Write(f.line)
	return err
}

func (f *folder) name(m trace.MethodID) (string, error) {
	if int(m) >= len(f.symbols.Methods) {
		return "", fmt.Errorf("events of method index %d, but there are %d methods", m, len(f.symbols.Methods))
	}
	if f.names == nil {
		f.names = make([]string, len(f.symbols.Methods))
	}
	if f.names[m] == "" {
		f.names[m] = foldedName(f.symbols.Method(m).FullName())
	}
	return f.names[m], nil
}

// foldedName returns name without what has a meaning in a folded line.
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
