package dmtracedump_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/dmtracedump"
	"artifice/trace"
)

// TestPortable: dmtracedump reads the portable form of the instrumented trace and counts the same
// number of cycles as in the original.
func TestPortable(t *testing.T) {
	dmtracedump.Require(t)
	original := testdata.Path(t, "traces", "instrumented-art-file.trace")
	in, err := dmtrace.Open(original, dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	portable := filepath.Join(t.TempDir(), "portable.trace")
	out, err := os.Create(portable)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := dmtrace.NewWriter(out, &in.Recording, dmtrace.Options{Portable: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(w, in.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{original, portable} {
		report, stderr, err := dmtracedump.Run(file)
		if err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		if want := 654433 * time.Microsecond; report.Total != want {
			t.Errorf("dmtracedump of %s: total cycles %s, want %s", file, report.Total, want)
		}
	}
}
