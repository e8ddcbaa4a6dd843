package tracetest

import (
	"os"
	"path/filepath"
	"testing"

	"artifice/format"
	"artifice/trace"
)

// Events returns all events of r.
func Events(t testing.TB, r trace.Reader) []trace.Event {
	t.Helper()
	var b trace.Buffer
	if _, err := trace.Copy(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Events
}

// Dumps opens dumps given as text. They are closed at the end of the test.
func Dumps(t testing.TB, text string, cfg format.DumpConfig) *format.DumpSequence {
	t.Helper()
	name := filepath.Join(t.TempDir(), "dumps")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := format.Open(name, format.Config{Options: []any{cfg}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return in.Dumps
}

// SnapshotFunc is a [trace.SnapshotWriter].
type SnapshotFunc func(*trace.Snapshot)

// WriteSnapshot implements [trace.SnapshotWriter].
func (f SnapshotFunc) WriteSnapshot(s *trace.Snapshot) error {
	f(s)
	return nil
}
