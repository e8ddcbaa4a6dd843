package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

// TestDiskBuffer checks that every section is read as it was written, from memory, from disk and
// across both.
func TestDiskBuffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, most := range []int{1, 10, 64, 1000} {
		dir := t.TempDir()
		s := NewDiskBuffer(dir)
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
			t.Errorf("at most %d in memory: %d bytes, %d in memory and %d on disk; want %d", most, s.Size(), len(s.mem), s.disk, len(want))
		}
		for off := range want {
			for n := range len(want) - off + 1 {
				var got bytes.Buffer
				if err := s.CopySection(&got, int64(off), int64(n)); err != nil || !bytes.Equal(got.Bytes(), want[off:off+n]) {
					t.Fatalf("at most %d in memory: %d bytes from %d on: %x, error %v", most, n, off, got.Bytes(), err)
				}
			}
		}
		var got bytes.Buffer
		if err := s.CopyTo(&got); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("at most %d in memory: all bytes differ, error %v", most, err)
		}
		if err := iotest.TestReader(s.Reader(), want); err != nil {
			t.Errorf("at most %d in memory: %v", most, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("files remain: %q", left)
		}
	}
}

// TestDiskBufferFails checks that a missing folder and a failing writer are errors.
func TestDiskBufferFails(t *testing.T) {
	s := NewDiskBuffer(filepath.Join(t.TempDir(), "none"))
	s.most = 4
	s.Write([]byte("abcd"))
	if _, err := s.Write([]byte("e")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one of the missing folder", err)
	}
	s = NewDiskBuffer(t.TempDir())
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
	var none *DiskBuffer
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

// testOutput is a file that is rewritable or not.
type testOutput struct {
	*os.File
	rewritable bool
}

func (o testOutput) Rewritable() bool { return o.rewritable }

// TestInPlace checks that the output is the head followed by the bytes, whatever space was reserved
// for the head. A rewritable output needs no temporary file.
func TestInPlace(t *testing.T) {
	const head, body = 100, 3*moveBlock + 12345
	for _, room := range []int64{0, 1, head - 1, head, head + 1, 500, 2 * moveBlock} {
		for _, size := range []int{0, 10, 50, body} {
			t.Run(fmt.Sprintf("room %d, %d bytes", room, size), func(t *testing.T) {
				checkInPlace(t, room, pattern(1, head), pattern(2, size))
			})
		}
	}
}

// pattern returns n bytes without repeated sequences.
func pattern(seed, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(seed + i + i>>8 + i>>16)
	}
	return b
}

func checkInPlace(t *testing.T, room int64, head, body []byte) {
	t.Helper()
	for _, rewritable := range []bool{true, false} {
		dir := t.TempDir()
		if rewritable {
			dir = filepath.Join(dir, "none") // a temporary file would fail
		}
		file, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		out := testOutput{file, rewritable}
		s := NewDiskBuffer(dir)
		s.InPlace(out, func() int64 { return room })
		s.most = 20
		for rest := body; len(rest) > 0; {
			n := min(len(rest), 1+len(rest)/3)
			if _, err := s.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := s.CopyBehind(head, out); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		got, err := os.ReadFile(file.Name())
		if want := append(bytes.Clone(head), body...); err != nil || !bytes.Equal(got, want) {
			t.Errorf("rewritable %v: %d bytes, want %d; equal %v; error %v", rewritable, len(got), len(want), bytes.Equal(got, want), err)
		}
	}
}

// TestInPlaceFails checks that errors of the output are returned.
func TestInPlaceFails(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	s := NewDiskBuffer(t.TempDir())
	s.InPlace(testOutput{file, true}, func() int64 { return 0 })
	s.most = 4
	s.Write([]byte("abcdefg"))
	file.Close()
	if err := s.CopyBehind([]byte("head"), file); err == nil {
		t.Error("no error of a closed output, want one")
	}
	s = NewDiskBuffer(t.TempDir())
	s.InPlace(testOutput{file, true}, func() int64 { return 0 })
	s.most = 4
	s.Write([]byte("abc"))
	if _, err := s.Write([]byte("defg")); err == nil || err == fs.ErrNotExist {
		t.Errorf("error %v of a closed output, want one", err)
	}
}

func TestFileIsRemovedAfterClose(t *testing.T) {
	dir := t.TempDir()
	f, err := CreateFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("abc"), 5); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if _, err := f.ReadAt(got, 5); err != nil || string(got) != "abc" {
		t.Errorf("read %q, %v", got, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("files remain: %q", left)
	}
}

func TestCreateFileInMissingFolderFails(t *testing.T) {
	if _, err := CreateFile(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("error %v, want one of the missing folder", err)
	}
}

func TestCloseOfNil(t *testing.T) {
	var f *File
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
