package encode

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
)

// kinds are the kinds of compressed streams, with the standard library's readers.
var kinds = []struct {
	name string
	open func(io.Writer) *Compressor
	read func(io.Reader) (io.ReadCloser, error)
}{
	{"gzip", NewGzip, func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{"zlib", NewZlib, zlib.NewReader},
}

// text returns n bytes, which are partly compressible.
func text(n int) []byte {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	var b []byte
	for len(b) < n {
		b = fmt.Appendf(b, "line %d of %d\n", random.Uint32N(1000), random.Uint64())
	}
	return b[:n]
}

// TestCompressor checks that data written in pieces of any size is read back unchanged, with nothing
// after it, and that the bytes do not depend on the number of cores.
func TestCompressor(t *testing.T) {
	lengths := []int{0, 1, blockBytes - 1, blockBytes, blockBytes + 1, 10*blockBytes + 17}
	pieces := []int{1, 4096, blockBytes, 3*blockBytes + 1}
	for _, kind := range kinds {
		for _, length := range lengths {
			want := text(length)
			var first []byte
			for i, piece := range pieces[min(1, length/(2*blockBytes)):] {
				packed := packedBy(t, kind.open, want, piece, i+1)
				if first == nil {
					first = packed
				} else if !bytes.Equal(packed, first) {
					t.Errorf("%s of %d bytes in pieces of %d: output differs from that of other pieces", kind.name, length, piece)
				}
			}
			in := bytes.NewReader(first)
			r, err := kind.read(in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, want) || in.Len() > 0 {
				t.Errorf("%s of %d bytes: %d bytes read back, error %v, %d bytes after the end", kind.name, length, len(got), err, in.Len())
			}
		}
	}
}

// packedBy returns b, written in pieces and compressed on the given number of cores.
func packedBy(t *testing.T, open func(io.Writer) *Compressor, b []byte, piece, cores int) []byte {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	var packed bytes.Buffer
	p := open(&packed)
	for len(b) > 0 {
		n := min(piece, len(b))
		if k, err := p.Write(b[:n]); k != n || err != nil {
			t.Fatal(k, err)
		}
		b = b[n:]
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// disk accepts a limited number of writes.
type disk struct{ room int }

var errFull = errors.New("no room")

func (d *disk) Write(b []byte) (int, error) {
	if d.room == 0 {
		return 0, errFull
	}
	d.room--
	return len(b), nil
}

// TestFull checks that Write or Close returns the error of a full disk, and that every later Close
// returns it again.
func TestFull(t *testing.T) {
	const blocks = 10
	b := text(blocks * blockBytes)
	for _, kind := range kinds {
		for room := range blocks + 2 { // the blocks, the last block and the checksum
			p := kind.open(&disk{room})
			n, err := p.Write(b)
			if err != errFull && (err != nil || n != len(b)) || room == 0 && err == nil {
				t.Errorf("%s, room for %d: Write returns %d and %v", kind.name, room, n, err)
			}
			if err := p.Close(); err != errFull {
				t.Errorf("%s, room for %d: Close returns %v", kind.name, room, err)
			}
		}
		p := kind.open(&disk{blocks + 2})
		if _, err := p.Write(b); err != nil {
			t.Errorf("%s: Write with enough room: error %v", kind.name, err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("%s: Close with enough room: error %v", kind.name, err)
		}
	}
}
