package writer

import (
	"io"

	"artifice/trace"
)

var textFormat = Format{
	Name: "text", Description: "text: one event per line", Endings: []string{".txt", ".text"},
	Open: func(w io.Writer, rec *trace.Recording, _ Options) (Writer, error) {
		return text{trace.NewTextWriter(w, rec)}, nil
	},
}

// text is the text format, whose writer is part of package trace. It leaves
// nothing out.
type text struct{ *trace.TextWriter }

// Notes implements [Writer].
func (text) Notes() []string { return nil }
