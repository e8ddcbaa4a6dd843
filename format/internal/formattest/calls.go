package formattest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"artifice/format"
	"artifice/format/internal/kind"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// Format returns the format that is detected for a file.
func Format(t testing.TB, file []byte) *kind.Format {
	t.Helper()
	for _, f := range format.Sniffed() {
		if f.Sniff(file[:min(len(file), f.Head)]) {
			return f
		}
	}
	t.Fatalf("no format recognizes %.60q", file)
	return nil
}

// Open opens a file in its detected format; name is for messages.
func Open(t testing.TB, file []byte, name string, cfg kind.Config) (*kind.Opened, error) {
	t.Helper()
	return Format(t, file).Read(kind.Source{Name: name, R: bytes.NewReader(file)}, &cfg)
}

// MustOpen opens a file. The test fails if that is not possible.
func MustOpen(t testing.TB, file []byte, cfg kind.Config) *kind.Opened {
	t.Helper()
	o, err := Open(t, file, "in", cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

// Refused opens an invalid file and returns the text of its error.
func Refused(t testing.TB, file []byte, name string) string {
	t.Helper()
	_, err := Open(t, file, name, kind.Config{})
	if err == nil {
		t.Errorf("%.60q is read", file)
		return ""
	}
	return err.Error()
}

// Read reads a file that must be detected as the format want. It returns a line for each event:
// time since the start in µs, thread, > or <, method, and the CPU time if the file has it.
func Read(t testing.TB, file, want string, cfg kind.Config) (lines []string) {
	t.Helper()
	if f := Format(t, []byte(file)); f.Name != want {
		t.Fatalf("taken for %s, want %s", f.Name, want)
	}
	rec := MustOpen(t, []byte(file), cfg).Recording
	for _, e := range tracetest.Events(t, rec.Events) {
		line := fmt.Sprintf("%v %s %s%s", float64(e.Wall)/1000, rec.Symbols.Thread(e.Thread), map[trace.Action]string{trace.Enter: ">", trace.Exit: "<"}[e.Action], rec.Symbols.Method(e.Method).FullName())
		if rec.Info.Clock == trace.Dual {
			line += fmt.Sprintf(" cpu %v", float64(e.CPU)/1000)
		}
		lines = append(lines, line)
	}
	return lines
}

// Check compares the result of Read, joined by commas, with want.
func Check(t *testing.T, what string, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s:\n%s\nwant\n%s", what, text, want)
	}
}
