// Package chrome is the room of Chrome's trace event format as JSON.
package chrome

import (
	"io"

	"artifice/format"
	"artifice/trace"
	"artifice/writer"
)

// Format is Chrome JSON. It is read by package timeline.
var Format = format.Format{
	Name: "chrome", About: "Chrome JSON: an event for each call, for chrome://tracing, Perfetto and many others", Endings: []string{".json"},
	Holds: format.OpenFrames,
	Write: func(w io.Writer, rec *trace.Recording, o writer.Options) (writer.Writer, error) {
		return newWriter(w, rec, o.Until), nil
	},
}
