// Package firefox reads and writes the processed profiles of the Firefox Profiler. A stack lasts
// for its weight in ms, else until the next sample.
package firefox

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/internal/encode"
	"artifice/trace"
)

// Format is the format of processed profiles, as saved by the profiler.
var Format = kind.OfDumps(kind.Format{
	Name: "firefox", About: "processed profile of the Firefox Profiler, for profiler.firefox.com", Endings: []string{".profile.json", ".firefox.json"},
	Holds: kind.OpenFrames,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newWriter(w, rec, kind.Option[kind.WriteOptions](options)), nil
	},
}, stackdump.Format{Codec: codec{}})
