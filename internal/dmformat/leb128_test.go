package dmformat

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// TestLEB128 checks examples of the DWARF standard (version 5, section 7.6, figures of appendix C),
// and the ends of the range.
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

// TestLEB128Random checks that every number in its shortest form is written as it was read, and the
// reverse.
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
