// Package perfetto reads and writes Perfetto's traces. wire.go contains the field numbers,
// reader.go reads slices, samplereader.go reads samples, and writer.go writes slices, samples and
// scheduler events.
package perfetto

import (
	"errors"
	"io"

	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
	"artifice/internal/encode"
	"artifice/trace"
)

// Options are the options of a Perfetto trace to write. The zero value is valid.
type Options struct {
	Categories encode.Categories // content to write; 0: everything

	// PerfSamples writes samples as PerfSample instead of StackSample. All releases of Perfetto
	// read PerfSample.
	PerfSamples bool
}

// Format is the format of Perfetto's traces. The reader supports slices of track events that belong
// to a thread, including those of Chrome's older form, and marks of android.os.Trace in ftrace
// packets. Slices of other tracks (asynchronous slices, counters, GPU) are not calls and are
// skipped, as are kernel events. Times of all clocks are converted to the trace's primary clock by
// its clock snapshots.
//
// Like trace_processor, it skips packets that need earlier state of their sequence
// (SEQ_NEEDS_INCREMENTAL_STATE) if that is unknown: at the beginning of a ring buffer, and after a
// lost packet.
var Format = &kind.Format{
	Name: "perfetto", About: "Perfetto trace: a track per thread, for ui.perfetto.dev and trace_processor",
	Endings: []string{".perfetto-trace", ".pftrace"},
	Sniff:   sniff, Head: timeline.SniffLen,
	Holds: kind.Binary | kind.OpenFrames | kind.Scheduling | kind.CPUSamples,
	Read: func(src kind.Source, cfg *kind.Config) (*kind.Opened, error) {
		opened, err := kind.ReadCalls(src, cfg, &timeline.Format{Read: take, Binary: true})
		if errors.Is(err, errNoCalls) && src.R == nil {
			return Samples.Read(src, cfg)
		}
		return opened, err
	},
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return create(w, rec, kind.Option[kind.WriteOptions](options), kind.Option[Options](options)), nil
	},
}

// Samples is the format of stack samples in such a trace: PerfSample, which traced_perf writes for
// linux.perf and ProfilingManager, and StackSample. Samples represent CPU time if they count a CPU
// clock, and the state of a thread if they count wall time. A trace with slices and samples is read
// as [Format] unless this format is requested; a trace with samples only is read in this format. If
// artifice made the slices from samples of CPU time, the slices are read as a trace sampled by CPU
// time, because they contain the CPU times.
//
// Frames of an interpreter and of the kernel are kept, and marked as in the text of perf. Warnings
// count losses, skipped samples and incomplete stacks; the latter end in the frame that traced_perf
// inserts for the error.
var Samples = kind.OfDumps(kind.Format{
	Name: "perfetto-samples", About: "stack samples in a Perfetto trace, as linux.perf and ProfilingManager record them", Holds: kind.Binary,
}, stackdump.Format{Codec: sampleCodec{}, Binary: true, Events: true})
