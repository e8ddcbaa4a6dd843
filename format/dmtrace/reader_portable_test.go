package dmtrace_test

import (
	"io"

	"artifice/format/dmtrace"

	"artifice/trace"
)

func init() {
	dmtrace.ReaderPortable = func(w io.Writer, rec *trace.Recording) (trace.WriteCloser, error) {
		return dmtrace.NewPortable(w, rec, dmtrace.PortableConfig{})
	}
}
