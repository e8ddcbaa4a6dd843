//go:build pending

package methodtrace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/dmtracedump"
	"artifice/trace"
)

// The file, counted record by record without our reader, has 70341 records, 139 exits without an enter, 144
// frames open; dmtracedump's total is that of the original file.
func TestPortableInstrumented(t *testing.T) {
	f, err := reader.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, changes, err := portable(&f.Recording)
	if err != nil {
		t.Fatal(err)
	}
	got := checkPortable(t, out)
	if len(got.records) != 70341+139+144 {
		t.Errorf("%d records, want 70624", len(got.records))
	}
	for i, want := range []string{"139 calls that began before", "144 calls that are open", "methods got other ids"} {
		if i >= len(changes) || !strings.HasPrefix(changes[i], want) {
			t.Errorf("changes %q, want %q… as number %d", changes, want, i)
		}
	}
	checkThreadsKept(t, &f.Recording, got)
	path := filepath.Join(t.TempDir(), "portable.trace")
	if err := os.WriteFile(path, out, 0o666); err != nil {
		t.Fatal(err)
	}
	dmtracedump.Require(t)
	report, errors, err := dmtracedump.Run(path)
	if err != nil {
		t.Fatalf("dmtracedump: %v\n%s", err, errors)
	}
	if report.Total != 654433*time.Microsecond {
		t.Errorf("dmtracedump's Total cycles are %s, want 654.433ms as for the original", report.Total)
	}
}

// checkThreadsKept compares the threads' ids and names with the recording's.
func checkThreadsKept(t *testing.T, rec *trace.Recording, got portableFile) {
	t.Helper()
	for _, th := range rec.Symbols.Threads {
		if got.threads[int(th.TID)] != th.Name {
			t.Errorf("thread %d is %q, was %q", th.TID, got.threads[int(th.TID)], th.Name)
		}
	}
	if len(got.threads) != len(rec.Symbols.Threads) {
		t.Errorf("%d threads listed, want %d", len(got.threads), len(rec.Symbols.Threads))
	}
}
