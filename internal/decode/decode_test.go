package decode

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestText(t *testing.T) {
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
			r, err := Text(in, 0)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != test.want {
				t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
			}
		}
	}
	if _, err := Text(strings.NewReader("\x1f\x8bnonsense"), 0); err == nil {
		t.Error("a damaged gzip header: no error, want one")
	}
}
