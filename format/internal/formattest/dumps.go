package formattest

import (
	"io"
	"strings"
	"testing"

	"artifice/format"
	"artifice/format/internal/stackdump"
	tracetext "artifice/format/text"
	"artifice/trace"
)

// New opens dumps of any format, as [stackdump.New] does.
func New(r io.Reader, name string, cfg stackdump.Config) (*stackdump.Sequence, error) {
	cfg.Formats = format.Dumps()
	return stackdump.New(r, name, cfg)
}

// OpenAll opens files and folders of any format, as [stackdump.Open] does.
func OpenAll(names []string, cfg stackdump.Config) (*stackdump.Sequence, error) {
	cfg.Formats = format.Dumps()
	return stackdump.Open(names, cfg)
}

// OpenDumps opens dumps. The test fails if that is not possible.
func OpenDumps(t *testing.T, cfg stackdump.Config, names ...string) *stackdump.Sequence {
	t.Helper()
	s, err := OpenAll(names, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Parse opens dumps given as text.
func Parse(t *testing.T, cfg stackdump.Config, text string) *stackdump.Sequence {
	t.Helper()
	s, err := New(strings.NewReader(text), "test.txt", cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Text returns the trace of s as lines of text: thread lines, and event lines with times in
// milliseconds.
func Text(t *testing.T, s *stackdump.Sequence) string {
	t.Helper()
	var out strings.Builder
	w := tracetext.NewWriter(&out, &s.Recording)
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

// Same reports the first line in which two texts differ.
func Same(t *testing.T, got, want string) {
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

// Warned checks that there is one warning for each text of want, in order, which contains the text,
// and no other warning.
func Warned(t *testing.T, s *stackdump.Sequence, want ...string) {
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
