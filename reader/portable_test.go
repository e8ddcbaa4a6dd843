package reader_test

import (
	"io"

	"artifice/format/methodtrace"
	"artifice/reader"
	"artifice/trace"
)

func init() {
	reader.Portable = func(w io.Writer, rec *trace.Recording) (trace.WriteCloser, error) {
		return methodtrace.NewPortable(w, rec, methodtrace.PortableConfig{})
	}
}
