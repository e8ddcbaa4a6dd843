package tracetest

import (
	"bytes"
	"os"
	"testing"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/trace"
)

// WriteTrace writes a recording to a file, as a method trace in the format of o
// ([dmtrace.Options]).
func WriteTrace(t testing.TB, file string, rec *trace.Recording, format string) {
	t.Helper()
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := dmtrace.NewWriter(out, rec, dmtrace.Options{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	Fill(t, w, rec.Events)
}

// Written returns a recording in a format.
func Written(t testing.TB, f *format.Format, rec *trace.Recording, options ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := f.Write(&b, rec, options...)
	if err != nil {
		t.Fatal(err)
	}
	Fill(t, w, rec.Events)
	return b.Bytes()
}

// Fill writes all events to a writer, and closes it.
func Fill(t testing.TB, w trace.WriteCloser, events trace.Reader) {
	t.Helper()
	if _, err := trace.Copy(w, events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
