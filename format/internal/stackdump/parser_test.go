package stackdump

import (
	"strings"
	"testing"
	"testing/iotest"
)

// TestLines checks lines of every length around that of the buffer. They are read completely, with
// either line end, and can be read again.
func TestLines(t *testing.T) {
	var want []string
	for n := range 40 {
		want = append(want, strings.Repeat("x", n*n*100+n))
	}
	for _, end := range []string{"\n", "\r\n"} {
		for _, last := range []string{"", end} {
			l := NewLines(iotest.HalfReader(strings.NewReader(strings.Join(want, end) + last)))
			for i, line := range want {
				got, ok := l.Next()
				if i%3 == 0 && ok {
					l.Back()
					got, ok = l.Next()
				}
				if !ok || string(got) != line || l.Line != i+1 {
					t.Fatalf("line %d: %d bytes as number %d, want %d", i+1, len(got), l.Line, len(line))
				}
			}
			if got, ok := l.Next(); ok || l.Failure() != nil {
				t.Errorf("after the last line: %q, %v", got, l.Failure())
			}
		}
	}
}

// TestTooLongLines checks that a line beyond the limit is skipped with a warning, and that the
// following lines are read.
func TestTooLongLines(t *testing.T) {
	for _, tail := range []string{"\na 1\n", "\na 1", ""} {
		var warn Warnings
		l := NewLines(strings.NewReader("a 1\n" + strings.Repeat("y", 200<<10) + tail))
		l.Max = 100 << 10
		l.name, l.warn = "f", &warn
		lines := 0
		for {
			line, ok := l.Next()
			if !ok {
				break
			}
			if lines++; string(line) != "a 1" {
				t.Errorf("line %q, want %q", line, "a 1")
			}
		}
		if want := 1 + strings.Count(tail, "a 1"); lines != want || len(warn.list) != 1 || warn.list[0].String() != "f:2: a line of more than 64 MiB is ignored" {
			t.Errorf("after %q: %d lines, warnings %q", tail, lines, warn.list)
		}
	}
}
