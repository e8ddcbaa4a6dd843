package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestAsyncWriter checks that a file has the contents of a byte slice after the same calls, with
// overlapping writes of any size.
func TestAsyncWriter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3*asyncBlockBytes)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	b, want, end := &asyncWriter{file: file}, []byte{}, 0
	for range 500 {
		p := noise[random.IntN(100):][:random.IntN([]int{10, 1000, 2 * asyncBlockBytes}[random.IntN(3)])]
		at := end
		if random.IntN(3) == 0 {
			at = random.IntN(len(want) + 100)
			_, err = b.WriteAt(p, int64(at))
		} else {
			end += len(p)
			_, err = b.Write(p)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(p) > 0 && at+len(p) > len(want) {
			want = append(want, make([]byte, at+len(p)-len(want))...)
		}
		copy(want[min(at, len(want)):], p)
		if random.IntN(100) == 0 {
			if err := b.wait(); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(file.Name()); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("in the middle, the file differs: %d bytes, want %d; error %v", len(got), len(want), err)
			}
		}
	}
	if err := b.close(); err != nil {
		t.Fatal(err)
	}
	if len(want) < 2*syncBytes {
		t.Errorf("%d bytes are too few for the test to reach the disk", len(want))
	}
	if got, err := os.ReadFile(file.Name()); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the file differs: %d bytes, want %d; error %v", len(got), len(want), err)
	}
}

// TestAsyncWriterFails checks that Commit or an earlier call reports an error of the file with the
// user's file name, and that no part of the output remains.
func TestAsyncWriterFails(t *testing.T) {
	for _, n := range []int{1, asyncBlockBytes, 20 * asyncBlockBytes} {
		dir := t.TempDir()
		name := filepath.Join(dir, "out")
		f, err := Create(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		readOnly, err := os.Open(f.temp.Name())
		if err != nil {
			t.Fatal(err)
		}
		f.temp.Close()
		f.temp, f.async.file = readOnly, readOnly
		wrote := 0
		for err == nil && wrote < n {
			var k int
			k, err = f.Write(make([]byte, min(1000, n-wrote)))
			wrote += k
		}
		if n > 2*asyncBlocks*asyncBlockBytes && err == nil {
			t.Errorf("writing %d bytes succeeds, want an error", n)
		}
		var wrong *WriteError
		for what, err := range map[string]error{"Write": err, "Commit": f.Commit()} {
			if (what == "Commit" || err != nil) && (!errors.As(err, &wrong) || wrong.Name != name || errors.As(err, new(*fs.PathError))) {
				t.Errorf("%d bytes: %s has the error %v, want one that names only %s", n, what, err, name)
			}
		}
		f.Abort()
		if got := list(t, dir); got != "" {
			t.Errorf("%d bytes: %q remains", n, got)
		}
	}
}
