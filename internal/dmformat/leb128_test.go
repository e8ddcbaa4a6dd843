package dmformat

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// The examples of the DWARF standard (version 5, section 7.6, figures of
// appendix C), and the ends of the range.
func TestLEB128(t *testing.T) {
	for v, want := range map[uint64][]byte{
		2: {2}, 127: {0x7f}, 128: {0x80, 1}, 129: {0x81, 1}, 12857: {0xb9, 0x64}, 0: {0},
		math.MaxUint64: {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
	} {
		b := AppendULEB(nil, v)
		got, n, short := ULEB(b)
		if !bytes.Equal(b, want) || got != v || n != len(b) || !short {
			t.Errorf("ULEB %d: % x, read %d, %d bytes, shortest %v", v, b, got, n, short)
		}
	}
	for v, want := range map[int64][]byte{
		2: {2}, -2: {0x7e}, 127: {0xff, 0}, -127: {0x81, 0x7f}, 128: {0x80, 1}, -128: {0x80, 0x7f}, 129: {0x81, 1}, -129: {0xff, 0x7e},
		math.MaxInt64: {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0},
		math.MinInt64: {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f},
	} {
		b := AppendSLEB(nil, v)
		got, n, short := SLEB(b)
		if !bytes.Equal(b, want) || got != v || n != len(b) || !short {
			t.Errorf("SLEB %d: % x, read %d, %d bytes, shortest %v", v, b, got, n, short)
		}
	}
}

// Whatever is read as the shortest form is written back alike, and the other
// way round.
func TestLEB128Random(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200000 {
		b := make([]byte, 1+rng.IntN(11))
		for i := range b {
			b[i] = byte(rng.Uint32())
			if rng.IntN(3) == 0 {
				b[i] |= 0x80
			}
			if rng.IntN(4) == 0 {
				b[i] &= 0x81
			}
		}
		if v, n, short := ULEB(b); n > 0 && short != bytes.Equal(AppendULEB(nil, v), b[:n]) {
			t.Fatalf("ULEB % x: %d, shortest %v", b[:n], v, short)
		}
		if v, n, short := SLEB(b); n > 0 && short != bytes.Equal(AppendSLEB(nil, v), b[:n]) {
			t.Fatalf("SLEB % x: %d, shortest %v", b[:n], v, short)
		}
	}
}

func TestLEB128WithoutEnd(t *testing.T) {
	endless := bytes.Repeat([]byte{0x80}, 11)
	if _, n, _ := ULEB(endless); n != -1 {
		t.Errorf("ULEB of 11 bytes: %d", n)
	}
	if _, n, _ := SLEB(endless); n != -1 {
		t.Errorf("SLEB of 11 bytes: %d", n)
	}
	if _, n, _ := ULEB(endless[:5]); n != 0 {
		t.Errorf("cut ULEB: %d", n)
	}
	if _, n, _ := SLEB(nil); n != 0 {
		t.Errorf("empty SLEB: %d", n)
	}
}

// TestShortLEB: of numbers of every length, those of up to eight bytes that are no
// longer than they need are read as ULEB and SLEB read them, and no others.
func TestShortLEB(t *testing.T) {
	for _, tail := range []byte{0, 0x7f, 0x80, 0xff} { // what stands behind the number
		for size := 1; size <= 10; size++ {
			for _, first := range []byte{0, 1, 0x3f, 0x40, 0x7f} {
				for _, last := range []byte{0, 1, 0x3f, 0x40, 0x7f} {
					b := bytes.Repeat([]byte{first | 0x80}, size)
					b[size-1] = last
					b = append(b, bytes.Repeat([]byte{tail}, 10)...)
					word := binary.LittleEndian.Uint64(b)
					u, un, short := ULEB(b)
					if un > 8 || !short {
						u, un = 0, 0
					}
					if v, n := ShortULEB(word); n != un || n > 0 && v != u {
						t.Errorf("% x: unsigned %d of %d bytes, want %d of %d", b[:size], v, n, u, un)
					}
					s, sn, short := SLEB(b)
					if sn > 8 || !short {
						s, sn = 0, 0
					}
					if v, n := ShortSLEB(word); n != sn || n > 0 && v != s {
						t.Errorf("% x: signed %d of %d bytes, want %d of %d", b[:size], v, n, s, sn)
					}
				}
			}
		}
	}
}
