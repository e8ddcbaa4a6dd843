package dmtrace

import (
	"artifice/trace"
)

// ReadOptions say how to read a file. The zero value is valid.
type ReadOptions struct {
	// Format is the variant to take the file for, by a name that artifice list
	// prints; "" is the variant that its content tells. It must fit the content.
	Format string

	// CounterHz is the frequency of the timestamp counter that a
	// long-running-methods profile has its times from, and does not tell; 0 is
	// 24.576 MHz. Other formats have it in their header or do not need it.
	CounterHz uint64

	// Limits bound what a damaged file can make us keep; 0 is their default.
	Limits trace.Limits

	// TempDir is where temporary files go that a merge or a pipe may need; ""
	// is os.TempDir.
	TempDir string

	// Progress, when set, is called as bytes of the file (compressed ones, if it
	// is) have been read: done of total, which is -1 when it is not known.
	Progress func(done, total int64)

	// Stop, when set, is asked before each batch of events: its error ends the
	// reading, also that of InTimeOrder.
	Stop func() error

	// InPlace decodes in the goroutine that reads. By default large files are decoded on
	// several cores. That is faster where much work is done for each event; a caller that
	// hardly uses the events waits as long, and passing them on takes a third of the CPU time.
	InPlace bool

	ahead aheadOptions // of tests
}

// Options say which file to write. The zero value is valid.
type Options struct {
	// Format is the variant, by a name that artifice list prints; "" is that of the
	// recording's Source, or art where that is none or a long-running-methods profile.
	Format string

	// Clock are the clocks to write. The zero value, trace.Dual, is those of the
	// recording, as far as the format can hold them.
	Clock trace.Clock

	// Output is the layout of a file in format V2. A recording of the same
	// format keeps its layout.
	Output Output

	// WholeRuns makes one block of each run of a thread's events in format V2, as ART does,
	// however long: the number of its records is cut to 16 bits, that of art-v2-15 and its
	// length too. By default a run is cut before that, for readers that rely on these numbers.
	// In art-v2-16 and later a block still ends at 1 MiB, far below the 3 MiB of ART's buffer.
	WholeRuns bool

	// Portable writes a classic ART file that every known reader accepts and reads
	// alike; see portableWriter. It is for the variant art only.
	Portable bool

	// CounterHz is the frequency of the timestamp counter of a long-running-methods
	// profile, at most 1 GHz; 0 is 24.576 MHz.
	CounterHz uint64

	// TempDir is where temporary files go for what does not fit into memory and has to
	// wait for what precedes it in the file, unless it can wait in the output itself
	// ([eventlog.Output]); "" is os.TempDir.
	TempDir string
}

// Output is ART's output mode, as far as it determines the layout of a file in format V2.
type Output int

const (
	Streamed    Output = iota // in one pass, as the events come
	EntriesLast               // output mode file: threads and methods before all entries; not with art-v2-15, whose ART gets it wrong
)
