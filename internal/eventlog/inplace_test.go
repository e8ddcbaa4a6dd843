package eventlog

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// testOutput is a file that may be rewritten or not.
type testOutput struct {
	*os.File
	rewritable bool
}

func (o testOutput) Rewritable() bool { return o.rewritable }

// TestInPlace: the output is the head and the bytes behind it, whatever room was left
// for the head, and no other file is made where the output is rewritable.
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

// pattern returns n bytes, no two places alike.
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
		s := NewSpool(dir)
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

// TestInPlaceFails: what the output says comes back.
func TestInPlaceFails(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	s := NewSpool(t.TempDir())
	s.InPlace(testOutput{file, true}, func() int64 { return 0 })
	s.most = 4
	s.Write([]byte("abcdefg"))
	file.Close()
	if err := s.CopyBehind([]byte("head"), file); err == nil {
		t.Error("no error though the output is closed")
	}
	s = NewSpool(t.TempDir())
	s.InPlace(testOutput{file, true}, func() int64 { return 0 })
	s.most = 4
	s.Write([]byte("abc"))
	if _, err := s.Write([]byte("defg")); err == nil || err == fs.ErrNotExist {
		t.Errorf("error %v, though the output is closed", err)
	}
}
