// Package chrome reads and writes Chrome's trace event format as JSON: an object with traceEvents,
// or the array alone, which can lack its end. Duration events (B, E, X) are calls; metadata names
// threads; other events are ignored. Times are microseconds.
package chrome

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
	"artifice/internal/encode"
	"artifice/trace"
)

// Format is Chrome JSON.
var Format = kind.OfCalls(kind.Format{
	Name: "chrome", About: "Chrome JSON: an event for each call, for chrome://tracing, Perfetto and many others", Endings: []string{".json"},
	Sniff: sniff,
	Holds: kind.OpenFrames,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newWriter(w, rec, kind.Option[kind.WriteOptions](options).Until), nil
	},
}, timeline.Format{Read: read})
