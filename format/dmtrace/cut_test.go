package dmtrace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"artifice/internal/testdata"
	"artifice/trace"
)

// cutFile has the number of events of each prefix of a file.
type cutFile struct {
	data   []byte
	events []trace.Event // of the whole file
	ends   []int         // offset at which each record ends
	items  []int         // offsets at which a streaming file can end without damage
	start  int           // offset of the first record or item
	batch  [trace.BatchSize]trace.Event
}

// newCutFile finds the records according to the description of the format.
func newCutFile(t testing.TB, data []byte) *cutFile {
	t.Helper()
	f, err := New(bytes.NewReader(data), "whole", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := &cutFile{data: data, events: readAll(t, f.Events)}
	at := bytes.Index(data, []byte("SLOW"))
	version := int(data[at+4])
	size := map[int]int{1: 9, 2: 10, 3: 14, 0xf2: 10, 0xf3: 14}[version]
	at += 32
	c.start = at
	for at < len(data) {
		if version > 0xf0 {
			c.items = append(c.items, at)
		}
		switch {
		case version < 0xf0 || data[at] != 0 || data[at+1] != 0:
			at += size
			c.ends = append(c.ends, at)
		case data[at+2] == 1:
			at += 5 + int(binary.LittleEndian.Uint16(data[at+3:]))
		case data[at+2] == 2:
			at += 7 + int(binary.LittleEndian.Uint16(data[at+5:]))
		default:
			at += 7 + int(binary.LittleEndian.Uint32(data[at+3:]))
		}
	}
	if len(c.ends) != len(c.events) || at != len(data) {
		t.Fatalf("the reader returned %d events, want %d", len(c.events), len(c.ends))
	}
	return c
}

// check reads the first n bytes and compares the events, the warnings and the error with those
// expected.
func (c *cutFile) check(t testing.TB, n int) {
	t.Helper()
	f, err := New(bytes.NewReader(c.data[:n]), "cut", ReadOptions{})
	if err != nil {
		c.checkError(t, n, err)
		if n >= c.start {
			t.Fatalf("cut at %d: cannot be opened: %v", n, err)
		}
		return
	}
	defer f.Close()
	if n < c.start {
		t.Fatalf("cut at %d: no error, although the header is incomplete", n)
	}
	got, same := 0, true
	for got < len(c.events) {
		k, readErr := f.Events.ReadEvents(c.batch[:])
		if err = readErr; k == 0 {
			break
		}
		same = same && slices.EqualFunc(c.batch[:k], c.events[got:][:k], func(a, b trace.Event) bool {
			// Without its summary, a file with one clock does not identify the clock.
			return a == b || f.Info.Clock == trace.Wall && a.Time(trace.Wall) == b.Time(trace.ThreadCPU) && a.Method == b.Method
		})
		got += k
	}
	if want, _ := slices.BinarySearch(c.ends, n+1); got != want || !same {
		t.Fatalf("cut at %d: %d events, want the first %d; equal: %v", n, got, want, same)
	}
	if err == nil {
		_, err = f.Events.ReadEvents(c.batch[:])
	}
	if err == io.EOF {
		err = nil
	}
	if _, whole := slices.BinarySearch(c.items, n); whole || n == len(c.data) {
		if err != nil {
			t.Fatalf("cut at %d, between two items: %v", n, err)
		}
		if hasSummary := n == len(c.data); f.Source.HasSummary != hasSummary || !hasSummary && !hasWarning(f, "no summary") {
			t.Fatalf("cut at %d: summary %v, warnings %q", n, f.Source.HasSummary, f.Warnings)
		}
		return
	}
	c.checkError(t, n, err)
}

func (c *cutFile) checkError(t testing.TB, n int, err error) {
	t.Helper()
	var fe *trace.FormatError
	if !errors.As(err, &fe) || !errors.Is(err, io.ErrUnexpectedEOF) || fe.Offset > int64(n) || !strings.HasPrefix(err.Error(), "cut: offset ") {
		t.Fatalf("cut at %d: error %v, want a FormatError at or before that offset that wraps %v", n, err, io.ErrUnexpectedEOF)
	}
}

func hasWarning(f *File, part string) bool {
	return slices.ContainsFunc(f.Warnings, func(w trace.Warning) bool { return strings.Contains(w.String(), part) })
}

func TestCutAtEveryByte(t *testing.T) {
	files := madeFiles()
	for _, name := range []string{"tiny-basic.trace", "tiny-basic-api10.trace", "tiny-exception.trace", "tiny-mismatched.trace"} {
		b, err := os.ReadFile(testdata.Path(t, "traces", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			c := newCutFile(t, data)
			for n := range len(data) + 1 {
				c.check(t, n)
			}
		})
	}
}

// TestCutLargeFiles checks large files that are truncated at their first and last bytes, and at
// random positions.
func TestCutLargeFiles(t *testing.T) {
	testdata.Seldom(t, 4)
	edge, step, places := 4096, 1, 1000
	first, seed := 0, uint64(2)
	if testing.Short() || !testdata.Exhaustive() {
		step, places = 101, 20
		first, seed = rand.IntN(step), rand.Uint64()
		t.Log("seed", seed)
	}
	for _, name := range []string{"sampled-art-file.trace", "sampled-host-file.trace", "sampled-streaming.trace", "instrumented-art-file.trace"} {
		data, err := os.ReadFile(testdata.Path(t, "traces", name))
		if err != nil {
			t.Fatal(err)
		}
		c := newCutFile(t, data)
		for n := first; n < edge; n += step {
			c.check(t, n)
			c.check(t, len(data)-n)
		}
		rng := rand.New(rand.NewPCG(seed, uint64(len(data))))
		for range places {
			c.check(t, rng.IntN(len(data)))
		}
	}
}
