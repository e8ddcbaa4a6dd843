package dmtrace

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/trace"
	"artifice/trace/text"
)

// TextFormat is artifice's text format, one event per line, of package trace/text. Its files are read as method traces are.
var TextFormat = kind.Format{
	Name: "text", About: "text: one event per line", Endings: []string{".txt", ".text"},
	Write: func(w io.Writer, rec *trace.Recording, _ encode.Options) (encode.Writer, error) {
		return textWriter{text.NewWriter(w, rec)}, nil
	},
}

// textWriter is a writer of the format. It leaves nothing out.
type textWriter struct{ *text.Writer }

// Notes implements [encode.Writer].
func (textWriter) Notes() []string { return nil }
