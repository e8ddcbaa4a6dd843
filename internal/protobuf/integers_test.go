package protobuf

import (
	"bytes"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// FuzzIntegers checks that Integers and Next together decode the fields that package protowire
// decodes. If an integer field is repeated, the last value counts.
func FuzzIntegers(f *testing.F) {
	slots := NewSlots(1, 15, 16, 127)
	var long []byte
	for _, number := range []protowire.Number{1, 15, 16, 127, 128, 1, 127} {
		for shift := 0; shift < 64; shift += 13 {
			long = protowire.AppendTag(long, number, protowire.VarintType)
			long = protowire.AppendVarint(long, math.MaxUint64>>shift)
		}
	}
	f.Add(long)
	f.Add([]byte("\x08\x96\x01\x78\x07\x80\x01\x01\xf8\x07\x05\x0a\x02hi\x08\x01"))
	f.Add([]byte("\x88\x00\x01\x08\x80\x00\x78\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x78\x80"))
	f.Fuzz(func(t *testing.T, message []byte) {
		fields, wantEnd := theirFields(message)
		var want [16]uint64
		var has [16]bool
		for _, field := range fields {
			for slot, number := range []uint64{1: 1, 15, 16, 127} {
				if slot > 0 && field.Tag == number<<3 {
					want[slot], has[slot] = field.Value, true
				}
			}
		}
		for _, b := range [][]byte{bytes.Clone(message), append(bytes.Clone(message), bytes.Repeat([]byte{0x80}, 16)...)[:len(message)], append(bytes.Clone(message), make([]byte, 16)...)[:len(message)]} {
			var got Integers
			end := got.Read(slots, b, 0)
			for end >= 0 && end < len(b) {
				var tag, value uint64
				if tag, value, end = Next(b, end); end >= 0 {
					got.Set(slots, tag, value)
					end = got.Read(slots, b, end)
				}
			}
			if (end < 0) != (wantEnd < 0) {
				t.Fatalf("the end is %d, want %d", end, wantEnd)
			}
			for slot := uint(1); slot < 5; slot++ {
				if got.Has(slot) != has[slot] || got.Value[slot] != want[slot] {
					t.Fatalf("slot %d is %d, want %d", slot, got.Value[slot], want[slot])
				}
			}
		}
	})
}
