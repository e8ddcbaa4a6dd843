package stackdump

import (
	"strings"
	"testing"

	"artifice/trace"
)

// open opens dumps, which must be possible.
func open(t *testing.T, cfg Config, names ...string) *Sequence {
	t.Helper()
	s, err := Open(names, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// parse opens dumps given as text.
func parse(t *testing.T, cfg Config, text string) *Sequence {
	t.Helper()
	s, err := New(strings.NewReader(text), "test.txt", cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// readAll returns the events of s.
func readAll(t *testing.T, s *Sequence) []trace.Event {
	t.Helper()
	return readEventsOf(t, s)
}

func readEventsOf(t *testing.T, r trace.Reader) []trace.Event {
	t.Helper()
	var b trace.Buffer
	if _, err := trace.Copy(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Events
}

// textOf returns the trace that s makes as lines of text: thread lines, and event
// lines with times in milliseconds.
func textOf(t *testing.T, s *Sequence) string {
	t.Helper()
	var out strings.Builder
	w := trace.NewTextWriter(&out, &s.Recording)
	if _, err := trace.Copy(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "info") && !strings.HasPrefix(line, "method") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// same reports the first line in which two texts differ.
func same(t *testing.T, got, want string) {
	t.Helper()
	want = strings.TrimLeft(want, "\n")
	if got == want {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Errorf("line %d differs; got:\n%s\nwant:\n%s", i+1, got, want)
			return
		}
	}
}

// warned checks that each text of want is in one warning, in order, and that
// there are no others.
func warned(t *testing.T, s *Sequence, want ...string) {
	t.Helper()
	if len(s.Warnings) != len(want) {
		t.Errorf("%d warnings, want %d: %q", len(s.Warnings), len(want), s.Warnings)
		return
	}
	for i, text := range want {
		if !strings.Contains(s.Warnings[i].String(), text) {
			t.Errorf("warning %q, want %q", s.Warnings[i], text)
		}
	}
}

// snapshotFunc is a SnapshotWriter.
type snapshotFunc func(*trace.Snapshot)

func (f snapshotFunc) WriteSnapshot(s *trace.Snapshot) error {
	f(s)
	return nil
}
