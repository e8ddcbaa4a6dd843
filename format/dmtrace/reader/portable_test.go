package reader_test

import (
	"io"

	"artifice/format/dmtrace"
	"artifice/format/dmtrace/reader"
	"artifice/trace"
)

func init() {
	reader.Portable = func(w io.Writer, rec *trace.Recording) (trace.WriteCloser, error) {
		return dmtrace.NewPortable(w, rec, dmtrace.PortableConfig{})
	}
}
