package protobuf

import (
	"bytes"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// readFields returns the fields of b. It decodes up to some fields at a time.
func readFields(b []byte, some int) (all []Field, end int) {
	room := make([]Field, some)
	for end < len(b) {
		var n int
		if n, end = ReadFields(b, end, room); end < 0 {
			return all, end
		}
		all = append(all, room[:n]...)
	}
	return all, end
}

// theirFields returns the fields of b as package protowire decodes them. It rejects some too large
// numbers that protowire accepts, but parsers of the format reject.
func theirFields(b []byte) (all []Field, end int) {
	for end < len(b) {
		number, kind, n := protowire.ConsumeTag(b[end:])
		if n < 0 || number > protowire.MaxValidNumber {
			return all, -1
		}
		end += n
		f := Field{Tag: protowire.EncodeTag(number, kind)}
		switch rest := b[end:]; kind {
		case protowire.VarintType:
			f.Value, n = protowire.ConsumeVarint(rest)
		case protowire.BytesType:
			var body []byte
			body, n = protowire.ConsumeBytes(rest)
			f.Value = uint64(len(body))
		case protowire.Fixed64Type:
			f.Value, n = protowire.ConsumeFixed64(rest)
		case protowire.Fixed32Type:
			var short uint32
			short, n = protowire.ConsumeFixed32(rest)
			f.Value = uint64(short)
		default:
			n = protowire.ConsumeFieldValue(number, kind, rest)
		}
		if n < 0 {
			return all, n
		}
		end += n
		f.End = end
		all = append(all, f)
	}
	return all, end
}

// FuzzReadFields compares fields with those of package protowire, whatever bytes follow the
// message.
func FuzzReadFields(f *testing.F) {
	var long []byte
	for shift := range 64 {
		long = protowire.AppendTag(long, protowire.Number(1)<<min(shift, 28), protowire.VarintType)
		long = protowire.AppendVarint(long, math.MaxUint64>>shift)
	}
	long = protowire.AppendTag(long, 2047, protowire.BytesType)
	long = protowire.AppendBytes(long, make([]byte, 300))
	f.Add(long, []byte{0xff})
	f.Add([]byte("\x08\x96\x01\x12\x07testing\x1d\x01\x02\x03\x04\x21\x01\x02\x03\x04\x05\x06\x07\x08"), []byte("\x80"))
	f.Add([]byte("\x0b\x08\x01\x0c\x88\x00\x01\x88\x80\x00\x01"), []byte{}) // a group, and unnecessarily long tags
	f.Add([]byte("\x96\xf6\xd0\xfd0\x00"), []byte{})                        // a field number of more than 29 bits
	f.Add([]byte("\x0a\xff\xff\xff\xff\xff\xff\xff\x7f"), []byte{})
	f.Add([]byte("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00\x01"), []byte{})
	f.Fuzz(func(t *testing.T, message, after []byte) {
		want, wantEnd := theirFields(message)
		for _, b := range [][]byte{bytes.Clone(message), append(bytes.Clone(message), after...)[:len(message)], append(bytes.Clone(message), make([]byte, 16)...)[:len(message)]} {
			for some := 1; some < 4; some++ {
				got, end := readFields(b, some)
				if end >= 0 && (len(got) != len(want) || end != wantEnd) || (end < 0) != (wantEnd < 0) {
					t.Fatalf("%d fields and the end %d, want %d and %d", len(got), end, len(want), wantEnd)
				}
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("field %d is %+v, want %+v", i, got[i], want[i])
					}
				}
			}
		}
	})
}

// TestReadFieldsCut checks that the fields before the cut of a truncated message are read.
func TestReadFieldsCut(t *testing.T) {
	whole := []byte("\x08\x96\x01\x12\x07testing\xf8\x01\xff\xff\xff\x7f\x40\x80\x80\x80\x80\x80\x80\x80\x01")
	ends := map[int]int{0: 0, 3: 1, 12: 2, 18: 3, 27: 4} // number of fields that end at this byte
	for n := range len(whole) + 1 {
		got, end := readFields(whole[:n], 8)
		if fields, ok := ends[n]; ok != (end == n) || ok && len(got) != fields {
			t.Errorf("cut at %d: %d fields, the end %d", n, len(got), end)
		}
	}
}
