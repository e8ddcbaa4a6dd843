package writer

import (
	"io"
	"slices"
	"time"

	"artifice/calltree"
	"artifice/trace"
)

// Format is a kind of file that this package writes.
type Format struct {
	Name        string
	Description string
	Endings     []string // of file names that mean it, a ".gz" after them aside
	Binary      bool     // not for terminals
	Until       bool     // Options.Until says how long frames go on that are open at the end
	Scheduling  bool     // Options.Categories chooses what it has of the cores

	// Open returns a writer of rec's events to w. What o says that the format
	// does not know is ignored.
	Open func(w io.Writer, rec *trace.Recording, o Options) (Writer, error)
}

// Writer is a file being written.
type Writer interface {
	trace.WriteCloser

	// Notes returns, after Close, how the file differs from the recording
	// or leaves out, a sentence each.
	Notes() []string
}

// Options are the settings of all formats. The zero value is valid.
type Options struct {
	TempDir string // for what does not fit into memory; "" is os.TempDir

	// Limits bound how many samples sums become, for each of which the format has a
	// record; 0 is their default.
	Limits trace.Limits

	// Of ftrace text and Perfetto traces of truths whose threads share cores.
	Categories Categories

	// Of method traces: see [DmtraceConfig] and [Portable].
	Clock    trace.Clock
	Output   Output
	Portable bool

	// Of long-running-methods profiles: see [LongRunConfig].
	CounterHz uint64

	// Of profiles and timelines: how long frames go on that are open at the end; default: to
	// their thread's last event.
	Until calltree.EndPolicy

	// Of profiles of pprof: the nominal sampling period, 0 for the recording's, and whether to
	// write the ends of intervals, which package format/pprof says more of.
	Interval   time.Duration
	WithErrors bool

	// Of folded stacks.
	Value   FoldedValue   // default: time
	Threads FoldedThreads // default: merged
	Unit    FoldedUnit    // of times; default: microseconds
}

// MethodTraces returns the variants of method traces.
func MethodTraces() []Format { return slices.Concat(dmtraceFormats(), longRunFormats()) }
