package decode

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/iotest"
	"time"
)

// TestReadAhead checks that output and final error are those of the underlying reader, for any
// sizes of its pieces and of the caller's buffers.
func TestReadAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	bad := errors.New("bad")
	for _, size := range []int{0, 1, aheadBytes - 1, aheadBytes, aheadBytes + 1, 3*aheadBlocks*aheadBytes + 7} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(r.Uint32())
		}
		for name, in := range map[string]io.Reader{
			"whole":            bytes.NewReader(want),
			"halves":           iotest.HalfReader(bytes.NewReader(want)),
			"data with errors": iotest.DataErrReader(io.MultiReader(bytes.NewReader(want), iotest.ErrReader(bad))),
		} {
			a := NewAhead(in)
			var got bytes.Buffer
			var err error
			for buf := make([]byte, 70_000); err == nil; {
				var n int
				n, err = a.Read(buf[:r.IntN(len(buf))])
				got.Write(buf[:n])
			}
			end := io.EOF
			if name == "data with errors" {
				end = bad
			}
			if !bytes.Equal(got.Bytes(), want) || err != end {
				t.Errorf("%s, %d bytes: %d bytes, %v", name, size, got.Len(), err)
			}
			if _, again := a.Read(make([]byte, 1)); again != end {
				t.Errorf("%s, %d bytes: second error %v, want %v", name, size, again, end)
			}
			a.Close()
		}
	}
}

// TestReadAheadClose checks that Close ends reading and leaves no goroutine, whether everything, a
// part or nothing was read. The underlying reader is read no further than the capacity of the
// blocks.
func TestReadAheadClose(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, taken := range []int64{0, 1, 10 * aheadBytes, 1 << 24} {
		in := NewCounter(io.LimitReader(zeroReader{}, 1<<24))
		a := NewAhead(in)
		if n, err := io.CopyN(io.Discard, a, taken); n != taken || err != nil {
			t.Fatalf("%d bytes: %d, %v", taken, n, err)
		}
		a.Close()
		if most := (taken + (aheadBlocks+1)*aheadBytes); in.n < taken || in.n > most {
			t.Errorf("%d bytes taken: %d read, want at most %d", taken, in.n, most)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines after Close, %d before", runtime.NumGoroutine(), before)
		}
	}
}
