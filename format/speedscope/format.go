// Package speedscope is the room of speedscope's own format
// (https://www.speedscope.app/file-format-schema.json). A profile is a thread's, and of one of
// two types. In one that is sampled, a stack stands for its weight; where that is no time, for as
// many times the interval.
package speedscope

import (
	"io"

	"artifice/format"
	"artifice/stackdump"
	"artifice/trace"
	"artifice/writer"
)

// Format is files of evented profiles, which package timeline reads, and what is written: of
// samples, sampled profiles.
var Format = format.Format{
	Name: "speedscope", About: "JSON of speedscope: a profile per thread, in time order", Endings: []string{".speedscope.json", ".speedscope"},
	Holds: format.OpenFrames,
	Write: func(w io.Writer, rec *trace.Recording, o writer.Options) (writer.Writer, error) {
		return newWriter(w, rec, o), nil
	},
}

// Sampled is files of sampled profiles.
var Sampled = format.OfDumps(format.Format{
	Name: "speedscope-samples", About: "speedscope's JSON: sampled profiles",
}, stackdump.Format{Detect: isSampled, Parser: newSampled})
