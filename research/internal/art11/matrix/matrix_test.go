package matrix

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/research/internal/art11"
	"artifice/trace"
)

// open returns ART. If it is not installed, the test is skipped; in CI it fails.
func open(t *testing.T) *art11.ART {
	t.Helper()
	a, err := art11.Open()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return a
}

// report fails the test unless a cell is equal.
func report(t *testing.T, c *Cell, o *Outcome, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	} else if o.Differs != nil {
		t.Errorf("%s: %v", c, o.Differs)
	}
}

// compare runs cells.
func compare(t *testing.T, a *art11.ART, cells []*Cell) {
	t.Helper()
	Each(a, len(cells), func(i int) (*Cell, error) { return cells[i], nil }, func(_ int, c *Cell, o *Outcome, err error) {
		t.Helper()
		report(t, c, o, err)
	})
}

// cellsOf returns a truth's cells, with n of the tracing options.
func cellsOf(t *testing.T, truth Truth, n int) (cells []*Cell) {
	t.Helper()
	opened, err := truth.Open()
	if err != nil {
		t.Fatalf("%s: %v", truth.Name, err)
	}
	for _, w := range testdata.Some(t, Ways(opened), n) {
		cells = append(cells, &Cell{Name: truth.Name, Way: w, Truth: opened})
	}
	return cells
}

// TestMatrix checks that ART 11 and the emulation write the same bytes.
func TestMatrix(t *testing.T) {
	a := open(t)
	var cells []*Cell
	for _, truth := range testdata.Some(t, Truths(testdata.Root()), 3) {
		cells = append(cells, cellsOf(t, truth, 4)...)
	}
	compare(t, a, cells)
}

// TestTraces checks the same as TestMatrix, for recorded traces.
func TestTraces(t *testing.T) {
	a := open(t)
	for _, name := range Traces {
		path := testdata.Path(t, "traces", name)
		compare(t, a, cellsOf(t, Truth{name, func() (*art11.Truth, error) { return OpenTrace(path) }}, 3))
	}
}

// TestCommand checks the same as TestMatrix, for files that the program writes.
func TestCommand(t *testing.T) {
	a := open(t)
	command, err := NewCommand()
	if err != nil {
		t.Fatal(err)
	}
	defer command.Remove()
	var cells []*Cell
	for _, truth := range Truths(testdata.Root()) {
		if slices.Contains([]string{"cold-start", "gc-storm", "tid-reuse", "w7-deep-shallow", "scroll.txt"}, truth.Name) {
			cells = append(cells, cellsOf(t, truth, 4)...)
		}
	}
	cells = slices.DeleteFunc(cells, func(c *Cell) bool { return !command.Takes(c.Truth, c.Way) })
	for _, c := range cells {
		c.By = command.Emulate
	}
	compare(t, a, cells)
}

// exactBuffer is the size of a buffer that a header of 32 bytes and records of 10 or 14 bytes
// fill exactly.
const exactBuffer = 32 + 57*70

// insideRuntime is the seed of a random truth with a thread that is in the runtime's own code,
// called by an interpreted method, when the trace starts. One in two hundred has such a thread.
const insideRuntime = 652

// TestSubset is sufficient to detect the faults of research/faults. Its cases are fixed if all are
// tried, as there: a part of the matrix, buffers that records fill exactly, and random truths of
// all kinds.
func TestSubset(t *testing.T) {
	a := open(t)
	var cells []*Cell
	for _, truth := range Truths(testdata.Root()) {
		if !slices.Contains([]string{"cold-start", "gc-storm", "tid-reuse", "scroll.txt"}, truth.Name) {
			continue
		}
		opened, err := truth.Open()
		if err != nil {
			t.Fatalf("%s: %v", truth.Name, err)
		}
		for i, w := range Ways(opened) {
			if i%3 == 0 || w.Costs != (art11.Costs{}) {
				cells = append(cells, &Cell{Name: truth.Name, Way: w, Truth: opened})
			}
		}
		for _, clock := range []trace.Clock{trace.Dual, trace.Wall} {
			w := art11.Way{Clock: clock, Buffer: exactBuffer}
			cells = append(cells, &Cell{Name: truth.Name, Way: w, Truth: opened})
			w.Sampled, w.Interval = true, time.Millisecond
			cells = append(cells, &Cell{Name: truth.Name, Way: w, Truth: opened})
		}
	}
	random := func(cell func(uint64) (*Cell, error), seeds ...uint64) {
		for _, seed := range seeds {
			c, err := cell(seed)
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, c)
		}
	}
	random(Random, insideRuntime)
	for seed := range uint64(300) {
		if seed < 100 {
			random(Random, seed)
		}
		random(RandomWide, seed)
		if seed < 60 {
			random(RandomRare, seed)
		}
	}
	for some := range slices.Chunk(testdata.Some(t, cells, 15), 50) {
		if compare(t, a, some); t.Failed() {
			return // enough to detect a fault
		}
	}
}

// TestRandom does the same with random truths and options. The seeds used in CI are fixed.
func TestRandom(t *testing.T) {
	a := open(t)
	first := rand.Uint64N(1 << 32)
	if testdata.Exhaustive() {
		first = 0
	}
	t.Logf("from seed %d on", first)
	Each(a, testdata.Times(20, 1000), func(i int) (*Cell, error) {
		kinds := []func(uint64) (*Cell, error){Random, RandomWide, RandomRare}
		return kinds[i%3](first + uint64(i))
	}, func(_ int, c *Cell, o *Outcome, err error) {
		if err != nil && c == nil {
			t.Fatal(err)
		}
		report(t, c, o, err)
	})
}

// TestCompare: any difference is reported, except in the four bytes that ART does not set.
func TestCompare(t *testing.T) {
	header := append([]byte("SLOW\xf2\x00\x20\x00"), make([]byte, 24)...)
	record := []byte{7, 0, 4, 0, 0, 0, 9, 0, 0, 0, 1, 2, 3, 4}
	method := append([]byte{0, 0, announcedMethod, 3, 0}, "abc"...)
	stream := slices.Concat(header, method, record)
	w := art11.Way{Streaming: true, Clock: trace.Wall}
	for i := range stream {
		other := bytes.Clone(stream)
		other[i] ^= 0x10
		err := Compare(stream, other, w)
		if unset := i >= len(stream)-4; unset != (err == nil) {
			t.Errorf("byte %d of %d: %v", i, len(stream), err)
		}
	}
	if binary.LittleEndian.Uint16(stream[len(header):]) != 0 || Compare(stream, stream[:len(stream)-1], w) == nil {
		t.Error("a shorter file is reported as equal")
	}
}
