package calltest

import (
	"os"
	"testing"

	"artifice/format/methodtrace"
	"artifice/trace"
)

// WriteTrace writes a method trace of that format ([methodtrace.Config]) to a file.
func WriteTrace(t testing.TB, file string, rec *trace.Recording, format string) {
	t.Helper()
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := methodtrace.NewWriter(out, rec, methodtrace.Config{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(w, rec.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
