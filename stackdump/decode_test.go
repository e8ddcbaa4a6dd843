package stackdump

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestDecoded(t *testing.T) {
	pack := func(s string) string {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		io.WriteString(z, s)
		z.Close()
		return out.String()
	}
	for _, test := range []struct{ name, data, want string }{
		{"plain", "a;b 1\n", "a;b 1\n"},
		{"empty", "", ""},
		{"UTF-8 with mark", "\xef\xbb\xbfa", "a"},
		{"gzip", pack("a;b 1\n"), "a;b 1\n"},
		{"two members of gzip", pack("a") + pack("b"), "ab"},
		{"gzip of UTF-16", pack("\xff\xfea\x00"), "a"},
		{"little endian", "\xff\xfea\x00\xe9\x00\x3d\xd8\x00\xde", "aé😀"},
		{"big endian", "\xfe\xff\x00a\x00\xe9\xd8\x3d\xde\x00", "aé😀"},
		{"unpaired surrogates", "\xfe\xff\xd8\x3d\x00a\xde\x00", "\ufffda\ufffd"},
		{"odd last byte", "\xff\xfea\x00b", "a\ufffd"},
	} {
		for _, in := range []io.Reader{strings.NewReader(test.data), iotest.OneByteReader(strings.NewReader(test.data))} {
			r, err := decoded(in)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != test.want {
				t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
			}
		}
	}
	if _, err := decoded(strings.NewReader("\x1f\x8bnonsense")); err == nil {
		t.Error("a spoiled gzip header: no error")
	}
}

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
