package decode

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"artifice/trace"
)

// TestGunzip checks the limit of the compression ratio. Zeros are compressed to a thousandth. The
// first 64 MiB are allowed at any ratio; further data is rejected unless the ratio allows it.
func TestGunzip(t *testing.T) {
	zeros := func(n int64) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.CopyN(z, zeroReader{}, n)
		z.Close()
		return b.Bytes()
	}
	for _, c := range []struct {
		size  int64
		ratio int
		fails bool
	}{{freeBytes, 1, false}, {freeBytes + 1<<20, 0, true}, {freeBytes + 1<<20, 1100, false}} {
		r, err := Gunzip(bytes.NewReader(zeros(c.size)), c.ratio)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		var le *trace.LimitError
		if got := errors.As(err, &le); got != c.fails || !got && (err != nil || n != c.size) || got && (le.Limit != "ratio" || n < freeBytes) {
			t.Errorf("%d bytes, ratio %d: %d bytes, %v", c.size, c.ratio, n, err)
		}
	}
	if _, err := Gunzip(bytes.NewReader([]byte("\x1f\x8bnonsense")), 0); err == nil {
		t.Error("data that is not gzip: no error, want one")
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestGunzipBroken checks that a damaged file is an error with a readable message that wraps its
// cause.
func TestGunzipBroken(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, "a trace")
	z.Close()
	whole := b.Bytes()
	for _, c := range []struct {
		file  []byte
		words string
		cut   bool
	}{
		{whole[:5], "the gzip file is cut off", true},
		{whole[:len(whole)-3], "the gzip file is cut off", true},
		{append(bytes.Clone(whole[:10]), 7), "the gzip file is damaged", false}, // block type 3 does not exist
		{append(bytes.Clone(whole[:len(whole)-1]), 9), "the gzip file is damaged", false},
		{append([]byte{0x1f, 0x8b, 9}, whole[3:]...), "the gzip file is damaged", false}, // compression method 9; 8 is deflate
	} {
		r, err := Gunzip(bytes.NewReader(c.file), 0)
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.words) || errors.Is(err, io.ErrUnexpectedEOF) != c.cut {
			t.Errorf("% x: %v, want %s", c.file, err, c.words)
		}
	}
}
