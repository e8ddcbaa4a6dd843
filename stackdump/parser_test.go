package stackdump

import (
	"strings"
	"testing"
	"testing/iotest"
)

// Lines of every length around the buffer's come out whole, with either line
// end, and can be read again.
func TestLines(t *testing.T) {
	var want []string
	for n := range 40 {
		want = append(want, strings.Repeat("x", n*n*100+n))
	}
	for _, end := range []string{"\n", "\r\n"} {
		for _, last := range []string{"", end} {
			l := newLineReader(iotest.HalfReader(strings.NewReader(strings.Join(want, end) + last)))
			for i, line := range want {
				got, ok := l.next()
				if i%3 == 0 && ok {
					l.back()
					got, ok = l.next()
				}
				if !ok || string(got) != line || l.line != i+1 {
					t.Fatalf("line %d: %d bytes as number %d, want %d", i+1, len(got), l.line, len(line))
				}
			}
			if got, ok := l.next(); ok || l.failure() != nil {
				t.Errorf("behind the last line: %q, %v", got, l.failure())
			}
		}
	}
}
