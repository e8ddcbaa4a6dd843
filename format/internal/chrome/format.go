// Package chrome reads and writes Chrome's trace event format as JSON: an object with traceEvents,
// or only the array, whose end can be missing. Duration events (B, E, X) are calls; metadata names
// threads; other events are ignored. Times are microseconds.
//
// A trace with samples, either of V8's profiler (ProfileChunk) or with stackFrames, is read as these
// samples ([cpuprofile.Samples]), unless its calls are requested or it is a stream: a warning states
// what was not read.
package chrome

import (
	"errors"
	"io"

	"artifice/format/internal/cpuprofile"
	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
	"artifice/internal/encode"
	"artifice/trace"
)

// Format is the JSON format of Chrome's trace events.
var Format = func() *kind.Format {
	f := *calls
	f.Read = readFile
	return &f
}()

// readFile reads the samples of a trace if it has any, otherwise its calls.
func readFile(src kind.Source, cfg *kind.Config) (*kind.Opened, error) {
	if cfg.Forced || src.R != nil {
		return calls.Read(src, cfg)
	}
	opened, err := kind.ReadCalls(src, cfg, &timeline.Format{Read: readUntilSamples})
	if !errors.Is(err, errSamples) {
		return opened, err
	}
	opened, err = cpuprofile.Samples.Read(src, cfg)
	if errors.Is(err, cpuprofile.ErrNoSamples) {
		return calls.Read(src, cfg)
	}
	return opened, err
}

// calls is Chrome JSON read as calls.
var calls = kind.OfCalls(kind.Format{
	Name: "chrome", About: "Chrome JSON: an event for each call, for chrome://tracing, Perfetto and many others", Endings: []string{".json"},
	Sniff: sniff,
	Holds: kind.OpenFrames,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newWriter(w, rec, kind.Option[kind.WriteOptions](options).Until), nil
	},
}, timeline.Format{Read: read})
