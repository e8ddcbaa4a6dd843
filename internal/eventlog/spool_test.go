package eventlog

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"testing/iotest"
)

// TestSpool: every section comes back as it was written, be it in memory, on disk
// or in both.
func TestSpool(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, most := range []int{1, 10, 64, 1000} {
		dir := t.TempDir()
		s := NewSpool(dir)
		s.most = most
		var want []byte
		for len(want) < 300 {
			b := make([]byte, rng.IntN(20))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			want = append(want, b...)
			if n, err := s.Write(b); n != len(b) || err != nil {
				t.Fatal(n, err)
			}
		}
		if s.Size() != int64(len(want)) || (s.disk > 0) != (most < 300) || len(s.mem) > max(most, 20) {
			t.Errorf("%d in memory at most: %d bytes, %d in memory and %d on disk; want %d", most, s.Size(), len(s.mem), s.disk, len(want))
		}
		for off := range want {
			for n := range len(want) - off + 1 {
				var got bytes.Buffer
				if err := s.CopySection(&got, int64(off), int64(n)); err != nil || !bytes.Equal(got.Bytes(), want[off:off+n]) {
					t.Fatalf("%d in memory at most: %d bytes from %d on: %x, error %v", most, n, off, got.Bytes(), err)
				}
			}
		}
		var got bytes.Buffer
		if err := s.CopyTo(&got); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%d in memory at most: all bytes differ, error %v", most, err)
		}
		if err := iotest.TestReader(s.Reader(), want); err != nil {
			t.Errorf("%d in memory at most: %v", most, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

// TestSpoolFails: a folder that is not there and a writer that fails are
// reported.
func TestSpoolFails(t *testing.T) {
	s := NewSpool(filepath.Join(t.TempDir(), "none"))
	s.most = 4
	s.Write([]byte("abcd"))
	if _, err := s.Write([]byte("e")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want that the folder is not there", err)
	}
	s = NewSpool(t.TempDir())
	s.most = 4
	s.Write([]byte("abcd"))
	s.Write([]byte("e"))
	defer s.Close()
	r, w := io.Pipe()
	r.Close()
	for off := range int64(5) {
		if err := s.CopySection(w, off, 1); err != io.ErrClosedPipe {
			t.Errorf("section at %d into a closed pipe: error %v", off, err)
		}
	}
	var none *Spool
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}
