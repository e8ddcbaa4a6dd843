package encode

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

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

	// Of ftrace text and Perfetto traces: what is written.
	Categories Categories

	// Of Perfetto traces: samples are PerfSamples, which all releases of Perfetto know, and not StackSamples.
	PerfSamples bool

	// Of ftrace text: the size in KB of the kernel's buffer of each core, 0 for one that holds all; and whether its
	// beginning is lost when it is full, and not its end.
	BufferKB int64
	Circular bool

	// Of method traces: the clocks to write, where 0 is those of the recording; how a file in
	// format V2 is laid out; and whether a classic file is to be one that all known readers accept.
	// Package format/dmtrace says more of them.
	Clock    trace.Clock
	Output   Output
	Portable bool

	// Of long-running-methods profiles: the frequency of the timestamp counter, 0 for 24.576 MHz.
	CounterHz uint64

	// Of profiles and timelines: how long frames go on that are open at the end; default: to
	// their thread's last event.
	Until calltree.EndPolicy

	// Of profiles of pprof: the nominal sampling period, 0 for the recording's, and a pprof.Intervals
	// or nil.
	Interval  time.Duration
	Intervals any

	// Of folded stacks.
	Value   FoldedValue   // default: time
	Threads FoldedThreads // default: merged
	Unit    FoldedUnit    // of times; default: microseconds
}

// Output is ART's output mode, as far as it changes a file in format V2.
type Output int

const (
	Streamed    Output = iota // in one pass, as the events come
	EntriesLast               // output mode file: threads and methods before all entries; not with art-v2-15, whose ART gets it wrong
)
