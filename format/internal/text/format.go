// Package text registers our own text format, one event per line, which package tracetext reads
// and writes.
package text

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/trace"
	tracetext "artifice/trace/text"
)

// Format is the text format. A file of it is read as method traces are, by package reader.
var Format = kind.Format{
	Name: "text", About: "text: one event per line", Endings: []string{".txt", ".text"},
	Write: func(w io.Writer, rec *trace.Recording, _ encode.Options) (encode.Writer, error) {
		return text{tracetext.NewWriter(w, rec)}, nil
	},
}

// text is a writer of the format. It leaves nothing out.
type text struct{ *tracetext.Writer }

// Notes implements [encode.Writer].
func (text) Notes() []string { return nil }
