package format

import (
	"io"

	"artifice/format/internal/stackdump"
	"artifice/trace"
	"artifice/trace/filter"
)

// Dumps of the threads of a running process, as debuggers, ANR reports and sampling profilers write
// them. A [DumpConfig] is an option of [Open].
type (
	DumpConfig   = stackdump.Config   // options for the conversion of dumps to a trace
	DumpSequence = stackdump.Sequence // the dumps that a recording was made from
	DumpFormat   = stackdump.Format   // recognizes, reads and writes a file format of dumps

	Dump       = stackdump.Dump    // the stacks of a process at one time
	DumpThread = stackdump.Thread  // a thread in a dump
	DumpStamp  = stackdump.Stamp   // the time of a dump
	ThreadKey  = stackdump.ID      // identifies a thread across dumps
	Frame      = stackdump.Frame   // a line of a stack
	FrameID    = stackdump.FrameID // number of a frame in a table
	FrameTable = stackdump.Frames  // the distinct frames of dumps

	FrameChoice = stackdump.Include // selection of frames

	Lock  = stackdump.Lock  // a lock that a thread waits for or holds
	Locks = stackdump.Locks // all locks of a thread
)

const (
	// ManagedFrame is the kind of a frame that the Java runtime executes.
	ManagedFrame = stackdump.Managed

	// AllFrames is the selection of all frames in [stackdump.Dump.Choice].
	AllFrames = stackdump.AllFrames

	// ThreadFirst takes the first frame of each folded stack for the thread's name.
	ThreadFirst = stackdump.ThreadFirst

	// The relation of a thread to a lock: it waits to own the lock, or to be notified by the owner.
	ToEnter = stackdump.ToEnter
	ToWake  = stackdump.ToWake
)

// ParseFrameChoice parses the selection of frames: auto, managed or all.
func ParseFrameChoice(s string) (FrameChoice, error) { return stackdump.ParseInclude(s) }

// RestoreFrames returns a [DumpConfig].Rename that restores the original names of managed frames
// obfuscated by R8 or ProGuard, and inlined frames. It returns nil if m is nil.
func RestoreFrames(m *filter.Mapping) func(Frame) []Frame { return stackdump.RenameBy(m) }

// Options of a writer of the dumps taken by a sampler.
type (
	DumpWriterConfig = stackdump.WriterConfig
	DumpWriterStats  = stackdump.WriterStats
)

// FilePerDump writes each dump to a file of its own.
const FilePerDump = stackdump.FilePerDump

// NewDumpWriter returns a writer of the dumps taken by rec's sampler. It calls create for each
// file. The writer closes complete files. If writing a file fails, the caller must close it.
func NewDumpWriter(rec *trace.Recording, cfg DumpWriterConfig, create func() (io.WriteCloser, error)) (*stackdump.Writer, error) {
	return stackdump.NewWriter(rec, cfg, create)
}
