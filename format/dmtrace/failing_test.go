package dmtrace_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"artifice/format/dmtrace"
	"artifice/internal/testdata/tracetest"

	"artifice/internal/dmformat"
	"artifice/internal/testdata"
	"artifice/trace"
)

// limited is a writer that fails after n bytes, like a full disk.
type limited struct {
	n   int
	err error
}

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.n {
		n := l.n
		l.n = 0
		return n, l.err
	}
	l.n -= len(p)
	return len(p), nil
}

// TestFailingWriters checks that a write error at any position is returned by WriteEvents or Close.
func TestFailingWriters(t *testing.T) {
	full := errors.New("no space left on device")
	step := testdata.Times(15, 1) // distance of the positions, from a random one on
	for name, data := range madeFiles(t) {
		for n := rand.IntN(step); n < len(data); n += step {
			f := read(t, data)
			d, err := dmtrace.NewWriter(&limited{n, full}, &f.Recording, dmtrace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = trace.Copy(d, f.Events)
			closeErr := d.Close()
			if !errors.Is(errors.Join(err, closeErr), full) || closeErr == nil {
				t.Fatalf("%s, writer that fails after %d bytes: errors %v, %v", name, n, err, closeErr)
			}
			f.Close()
		}
	}
	out, _, err := portable(fromText(t, smallText("dual")))
	if err != nil {
		t.Fatal(err)
	}
	for n := rand.IntN(step); n < len(out); n += step {
		rec := fromText(t, smallText("dual"))
		p, err := dmtrace.NewWriter(&limited{n, full}, rec, dmtrace.Options{Portable: true})
		if err != nil {
			t.Fatal(err)
		}
		trace.Copy(p, rec.Events)
		if err := p.Close(); !errors.Is(err, full) {
			t.Fatalf("portable, writer that fails after %d bytes: error %v", n, err)
		}
	}
}

// TestFailingWritersRealFiles checks the same for real files: small ones at every byte, large ones
// at every eighth byte of their first and last 4 KiB and at 500 random positions.
func TestFailingWritersRealFiles(t *testing.T) {
	full := errors.New("no space left on device")
	for _, name := range completeFiles {
		step, places := 1, 500
		first, seed := 0, uint64(5)
		if !strings.HasPrefix(name, "tiny") {
			step = 8
		}
		if testing.Short() || !testdata.Exhaustive() {
			step, places = 997, 5
			first, seed = rand.IntN(step), rand.Uint64()
			t.Log("seed", seed)
		}
		f, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		list := tracetest.Events(t, f.Events)
		size := 0
		try := func(n int) {
			f.Events = trace.NewSliceReader(list)
			w := &limited{n, full}
			d, err := dmtrace.NewWriter(w, &f.Recording, dmtrace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = trace.Copy(d, f.Events)
			if closeErr := d.Close(); n < size && (!errors.Is(errors.Join(err, closeErr), full) || closeErr == nil) {
				t.Fatalf("%s, writer that fails after %d of %d bytes: errors %v, %v", name, n, size, err, closeErr)
			}
			if size == 0 {
				size = n - w.n
			}
		}
		try(1 << 30)
		for n := first; n < min(4096, size); n += step {
			try(n)
			try(size - 1 - n)
		}
		rng := rand.New(rand.NewPCG(seed, uint64(size)))
		for range places {
			try(rng.IntN(size))
		}
	}
}

func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	for _, format := range dmformat.Names() {
		rec := fromText(t, tinyText)
		d, err := dmtrace.NewWriter(full, rec, dmtrace.Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		trace.Copy(d, rec.Events)
		if err := d.Close(); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("%s to a full disk: %v", format, err)
		}
	}
}
