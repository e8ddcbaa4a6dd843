// Package perfetto is the room of Perfetto's traces: its wire as a table (wire.go), the
// reader of their slices, and the writer of slices, samples and what cores did.
package perfetto

import (
	"io"

	"artifice/format"
	"artifice/timeline"
	"artifice/trace"
	"artifice/writer"
)

// Calls is what package timeline is told of the format.
var Calls = timeline.Format{Name: "perfetto", Sniff: sniff, Binary: true, Read: take}

// Format is Perfetto's trace. Read are slices of track events that belong to a
// thread, those of Chrome's older form among them, and marks of android.os.Trace in
// ftrace packets. Slices of other tracks (asynchronous ones, counters, GPU) are no
// calls and are left out, and so are kernel events. Times of all clocks are those of
// the trace's primary one, by its clock snapshots.
//
// As trace_processor does, it leaves out packets that need what their sequence has said
// before (SEQ_NEEDS_INCREMENTAL_STATE) where that is not known: the beginning of a ring
// buffer, and what follows a packet that was lost.
var Format = format.Format{
	Name: "perfetto", About: "Perfetto trace: a track per thread, for ui.perfetto.dev and trace_processor",
	Endings: []string{".perfetto-trace", ".pftrace"},
	Sniff:   sniff, Head: timeline.SniffLen,
	Holds: format.Binary | format.OpenFrames | format.Scheduling,
	Read: func(src format.Source, cfg *format.Config) (*format.Opened, error) {
		return format.ReadCalls(src, cfg, &Calls)
	},
	Write: func(w io.Writer, rec *trace.Recording, o writer.Options) (writer.Writer, error) {
		return create(w, rec, o), nil
	},
}
