// Package simpleperf reads and writes the samples of Android's simpleperf, as report-sample prints
// them: text, blocks of "key: value" that begin with "sample:", or, with --protobuf, messages.
// Names, threads, events and the sample's count have the same meaning as in perf's text, and
// package perf interprets them. (What simpleperf's report_sample.py writes is perf's text.)
package simpleperf

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/internal/encode"
	"artifice/trace"
)

// Text is the text format of report-sample.
var Text = kind.OfDumps(kind.Format{
	Name: "simpleperf", About: "output of simpleperf report-sample",
}, stackdump.Format{Codec: textCodec{}, Events: true})

// Proto is the format of the messages of report-sample --protobuf.
var Proto = kind.OfDumps(kind.Format{
	Name: "simpleperf-proto", About: "samples as simpleperf report-sample --protobuf writes them: for Android Studio and the Firefox Profiler",
	Endings: []string{".simpleperf", ".simpleperf.trace"}, Holds: kind.Binary | kind.OpenFrames | kind.CPUSamples | kind.CPUClock,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newWriter(w, rec, kind.Option[kind.WriteOptions](options)), nil
	},
}, stackdump.Format{Codec: protoCodec{}, Binary: true, Events: true})
