package dmformat

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// numberBytes returns numbers of size bytes, one for each combination of first and last byte.
func numberBytes(size int) (all [][]byte) {
	for _, first := range []byte{0, 1, 0x3f, 0x40, 0x7f} {
		for _, last := range []byte{0, 1, 0x3f, 0x40, 0x7f} {
			b := bytes.Repeat([]byte{first | 0x80}, size)
			b[size-1] = last
			all = append(all, b)
		}
	}
	return all
}

// TestKnownLengths checks that the functions for a known length read the same numbers as ULEB and
// SLEB. They reject numbers that are longer than necessary or too long.
func TestKnownLengths(t *testing.T) {
	for _, tail := range []byte{0, 0x7f, 0x80, 0xff} { // bytes after the number
		for size := 1; size <= 10; size++ {
			for _, b := range numberBytes(size) {
				b = append(b, bytes.Repeat([]byte{tail}, 10)...)
				word := binary.LittleEndian.Uint64(b)
				u, _, shortU := ULEB(b)
				s, _, shortS := SLEB(b)
				if v, ok := ULEB4(uint32(word), uint(size)); ok != (size <= 4 && shortU) || ok && v != u {
					t.Errorf("% x: ULEB4 %d, %t, want %d", b[:size], v, ok, u)
				}
				if v, ok := SLEB4(uint32(word), uint(size)); ok != (size <= 4 && shortS) || ok && v != s {
					t.Errorf("% x: SLEB4 %d, %t, want %d", b[:size], v, ok, s)
				}
				if v, ok := SLEB8(word, uint(size)); ok != (size <= 8 && shortS) || ok && v != s {
					t.Errorf("% x: SLEB8 %d, %t, want %d", b[:size], v, ok, s)
				}
				if v, ok := SLEB8(word, NoNumber); v != 0 || !ok {
					t.Errorf("% x: length 0 is %d, %t", b[:size], v, ok)
				}
			}
		}
	}
	for _, read := range []func() bool{
		func() bool { _, ok := ULEB4(0, 0); return ok },
		func() bool { _, ok := SLEB4(0, 0); return ok },
		func() bool { _, ok := SLEB8(0, 0); return ok },
	} {
		if read() {
			t.Error("a number without bytes is accepted")
		}
	}
}

// TestLengthsOf compares the lengths of three numbers with those that ULEB returns one by one.
func TestLengthsOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 3))
	for range 100000 {
		var b [12]byte
		often := 1 + rng.IntN(9)
		for i := range b {
			b[i] = byte(rng.IntN(128))
			if rng.IntN(10) < often {
				b[i] |= 0x80
			}
		}
		var want [3]uint
		for i, at := 0, 0; i < len(want); i++ {
			_, n, _ := ULEB(b[at:])
			if n < 1 || n > 8 {
				break
			}
			want[i] = uint(n)
			at += n
		}
		got := LengthsOf(binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint32(b[8:]))
		if got.First() != want[0] || got.Second() != want[1] || got.Third() != want[2] || got.Two() != want[0]+want[1] {
			t.Fatalf("% x: lengths %d, %d, %d; two have %d, want %d", b, got.First(), got.Second(), got.Third(), got.Two(), want)
		}
	}
}

// TestCountLEB checks that the count is the number of bytes without the top bit.
func TestCountLEB(t *testing.T) {
	b := bytes.Repeat([]byte{0x80, 0, 0xff, 0x7f, 1}, 20)
	for n := range b {
		if got, want := CountLEB(b[:n]), n-bytes.Count(b[:n], []byte{0x80})-bytes.Count(b[:n], []byte{0xff}); got != want {
			t.Errorf("%d bytes: %d numbers, want %d", n, got, want)
		}
	}
}
