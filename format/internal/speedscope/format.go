// Package speedscope reads and writes speedscope's own format
// (https://www.speedscope.app/file-format-schema.json). A profile is of one thread and has one of
// two types. In a sampled one a stack lasts for its weight or, if the weight is not a time, for
// that number of sampling intervals.
package speedscope

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
	"artifice/internal/encode"
	"artifice/trace"
)

// Format is the format of files of evented profiles, with an event for the begin (O) and end (C) of
// each call. It is also the format that is written, with sampled profiles for samples.
var Format = kind.OfCalls(kind.Format{
	Name: "speedscope", About: "speedscope's JSON: a profile of calls for each thread, in time order", Endings: []string{".speedscope.json", ".speedscope"},
	Sniff: isEvented, Head: 1 << 20,
	Holds: kind.OpenFrames | kind.Quantities,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newWriter(w, rec, kind.Option[kind.WriteOptions](options)), nil
	},
}, timeline.Format{Read: readEvented})

// Sampled is the format of files of sampled profiles.
var Sampled = kind.OfDumps(kind.Format{
	Name: "speedscope-samples", About: "speedscope's JSON with sampled profiles",
}, stackdump.Format{Codec: sampledCodec{}})
