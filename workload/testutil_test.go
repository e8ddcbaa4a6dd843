package workload

import (
	"errors"
	"io"
	"strings"
	"testing"

	tracetext "artifice/format/text"
	"artifice/internal/yamlfile"
	"artifice/trace"
)

// mustRead reads a program from YAML text.
func mustRead(t testing.TB, text string) *Program {
	t.Helper()
	p, err := ReadYAML(strings.NewReader(text), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// truthOf returns a truth of p.
func truthOf(t testing.TB, p *Program, cfg Config) *trace.Recording {
	t.Helper()
	rec, err := p.Truth(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// textOf returns a truth as event lines of the text format, without tables.
func textOf(t testing.TB, rec *trace.Recording) string {
	t.Helper()
	var b strings.Builder
	w := tracetext.NewWriter(&b, rec)
	if _, err := trace.Copy(w, rec.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range strings.Split(b.String(), "\n") {
		if l != "" && l[0] >= '0' && l[0] <= '9' {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// checkProgram checks the property of FuzzReadYAML.
func checkProgram(t *testing.T, text string) {
	p, err := ReadYAML(strings.NewReader(text), "f.yaml")
	if err != nil {
		var e *yamlfile.Error
		if !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	rec := truthOf(t, p, Config{})
	c := trace.NewChecker(&rec.Info, rec.Symbols, func(v *trace.Violation) {
		if !v.Rule.Normal() {
			t.Fatal(v)
		}
	})
	batch := make([]trace.Event, 1000)
	for range 20 {
		n, _ := rec.Events.ReadEvents(batch)
		c.WriteEvents(batch[:n])
	}
}

// readSome reads at least most events, unless there are fewer, and returns their number.
func readSome(t testing.TB, rec *trace.Recording, most int) (n int) {
	t.Helper()
	batch := make([]trace.Event, 4096)
	for n < most {
		k, err := rec.Events.ReadEvents(batch)
		if k == 0 {
			if err != io.EOF {
				t.Fatal(err)
			}
			return n
		}
		n += k
	}
	return n
}
