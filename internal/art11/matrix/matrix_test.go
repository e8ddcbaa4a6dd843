package matrix

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"artifice/internal/art11"
	"artifice/internal/testdata"
	"artifice/trace"
)

// open returns ART. Where it is not installed the test is skipped; in CI that is a failure.
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

// known returns the reason for which a cell's bytes are known to differ, or none. A cell that
// has one and is equal is an error too.
func known(c *Cell) string {
	if c.Name == "scroll.txt" && c.Way.Sampled && c.Way.Clock.HasCPU() {
		return "a thread of a recorded trace has its CPU zero at its first event's in ART, and at the first sample that finds it in it in ours"
	}
	return ""
}

// report fails the test unless what came of a cell is what is known of it.
func report(t *testing.T, c *Cell, o *Outcome, err error) {
	t.Helper()
	switch {
	case err != nil:
		t.Error(err)
	case o.Differs != nil && known(c) == "":
		t.Errorf("%s: %v", c, o.Differs)
	case o.Differs == nil && known(c) != "":
		t.Errorf("%s: is equal, and listed: %s", c, known(c))
	}
}

// TestMatrix: ART 11 itself writes the same bytes as the emulation.
func TestMatrix(t *testing.T) {
	a := open(t)
	var cells []*Cell
	truths := Truths(testdata.Root())
	for _, truth := range testdata.Some(t, truths, 6) {
		opened, err := truth.Open()
		if err != nil {
			t.Fatalf("%s: %v", truth.Name, err)
		}
		for _, w := range testdata.Some(t, Ways(opened.Clock()), 5) {
			cells = append(cells, &Cell{truth.Name, w, opened})
		}
	}
	Each(a, len(cells), func(i int) (*Cell, error) { return cells[i], nil }, func(_ int, c *Cell, o *Outcome, err error) {
		report(t, c, o, err)
	})
}

// TestRandom does the same with truths and ways at random. The seeds that are tried in
// CI are always the same.
func TestRandom(t *testing.T) {
	a := open(t)
	first := rand.Uint64N(1 << 32)
	if testdata.Exhaustive() {
		first = 0
	}
	t.Logf("from seed %d on", first)
	Each(a, testdata.Times(20, 1000), func(i int) (*Cell, error) { return Random(first + uint64(i)) }, func(_ int, c *Cell, o *Outcome, err error) {
		if err != nil && c == nil {
			t.Fatal(err)
		}
		report(t, c, o, err)
	})
}

// TestCompare: a difference anywhere is told, but for the four bytes that ART does not set.
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
		t.Error("a shorter file is as good")
	}
}
