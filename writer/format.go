package writer

import (
	"io"
	"slices"
	"strings"
	"time"

	"artifice/calltree"
	"artifice/internal/dmformat"
	"artifice/trace"
)

// Format is a kind of file that this package writes.
type Format struct {
	Name        string
	Description string
	Endings     []string // of file names that mean it, a ".gz" after them aside
	Binary      bool     // not for terminals
	Until       bool     // Options.Until says how long frames go on that are open at the end

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

	// Of profiles: see [PprofConfig] and [FoldedConfig].
	Interval   time.Duration
	Until      calltree.EndPolicy
	WithErrors bool
	Value      FoldedValue
	Threads    FoldedThreads
	Unit       FoldedUnit
}

// formats is the registry: a new format is a file with its writer and a line
// here.
var formats = slices.Concat(
	dmtraceFormats(),
	longRunFormats(),
	[]Format{pprofFormat, foldedFormat, perfettoFormat, chromeFormat, speedscopeFormat, firefoxFormat, ftraceFormat, atraceFormat, simpleperfFormat, textFormat},
)

// Formats returns all formats.
func Formats() []Format { return slices.Clone(formats) }

// ByName returns the format of that name; nil when there is none.
func ByName(name string) *Format {
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i]
		}
	}
	return nil
}

// ForFile returns the format that the name of a file means; nil when it does not
// tell. A .trace file has the variant of source, which is what the recording was
// read from; when that is nil, it is the classic file of the runtime vm, ART or
// dalvik.
func ForFile(name string, source *trace.Source, vm string) *Format {
	unpacked := strings.TrimSuffix(name, ".gz")
	var best *Format
	longest := 0 // .speedscope.json is more than .json
	for i := range formats {
		for _, ending := range formats[i].Endings {
			if len(ending) > longest && (strings.HasSuffix(name, ending) || strings.HasSuffix(unpacked, ending)) {
				best, longest = &formats[i], len(ending)
			}
		}
	}
	switch {
	case best != nil:
		return best
	case !strings.HasSuffix(unpacked, ".trace"):
		return nil
	case source == nil && vm == "dalvik":
		return ByName(dmformat.Dalvik3)
	case source == nil:
		return ByName(dmformat.ART)
	}
	return ByName(source.Format)
}
