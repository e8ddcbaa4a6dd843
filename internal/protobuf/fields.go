package protobuf

import (
	"encoding/binary"
	"math/bits"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field is a field of a message as it stands there.
type Field struct {
	Tag   uint64 // its number times eight and its kind
	Value uint64 // of a message or text its length: it ends where the field does
	End   int    // where the field ends
}

// Kinds of fields, which the low three bits of their tags tell.
const (
	Varint = uint64(protowire.VarintType)
	Bytes  = uint64(protowire.BytesType)
)

// Body returns the message or text that a field of b has.
func (f *Field) Body(b []byte) []byte { return b[f.End-int(f.Value) : f.End] }

// mostShort is how many bytes a tag and a number have at most that ReadFields reads
// without a look at each byte.
const mostShort = 2 + 8

// ReadFields reads the fields of the message b from the one at a place on, as many as
// there is room for. It returns how many these are and where the last one ends; a negative
// end is the code of an error ([Err]). [Reader] is simpler: this is for
// messages that there are millions of.
func ReadFields(b []byte, at int, fields []Field) (n, end int) {
	all := b[:cap(b)] // a number is taken out of eight bytes, of which the last ones may lie behind b
	for n := range fields {
		if at >= len(b) {
			return n, at
		}
		if at <= len(all)-mostShort {
			tag, i := uint64(all[at]), at+1
			if tag >= 0x80 {
				tag = tag&0x7f | uint64(all[i])<<7
				i++
			}
			value, size := uint64(all[i]), 1
			if value >= 0x80 {
				if value, size = sevens(binary.LittleEndian.Uint64(all[i : i+8])); size > 8 {
					tag = 0
				}
			}
			end := uint64(i + size)
			switch tag & 7 {
			case Varint:
			case Bytes:
				end += value // less than 1<<56
			default:
				tag = 0
			}
			if 8 <= tag && tag < 1<<14 && end <= uint64(len(b)) {
				fields[n] = Field{tag, value, int(end)}
				at = int(end)
				continue
			}
		}
		tag, value, size := field(b[at:])
		if size < 0 {
			return n, size
		}
		at += size
		fields[n] = Field{tag, value, at}
	}
	return len(fields), at
}

// sevens takes the low seven bits of each byte of word up to the first whose top bit
// is not set: a number of variable length, with no branch on how many bytes it has. n is
// how many these are, 9 when all have it set.
func sevens(word uint64) (v uint64, n int) {
	last := ^word & 0x8080808080808080
	n = bits.TrailingZeros64(last)>>3 + 1
	v = word & (last ^ (last - 1)) & 0x7f7f7f7f7f7f7f7f
	v = v&0x007f007f007f007f | v&0x7f007f007f007f00>>1
	v = v&0x00003fff00003fff | v&0x3fff00003fff0000>>2
	return v&0x000000000fffffff | v&0x0fffffff00000000>>4, n
}
