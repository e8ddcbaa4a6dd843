package protobuf

import (
	"encoding/binary"
	"math/bits"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field is a field of an encoded message.
type Field struct {
	Tag   uint64 // its number times eight and its kind
	Value uint64 // of a message or text its length; its body ends at End
	End   int    // offset of the end of the field
}

// Kinds of fields, the low three bits of their tags.
const (
	Varint = uint64(protowire.VarintType)
	Bytes  = uint64(protowire.BytesType)
)

// maxShort is the maximum number of bytes of a tag and a number that Next decodes at once.
const maxShort = 2 + 8

// ReadFields decodes the fields of the message b, beginning at the offset at, until b or fields
// ends. It returns the number of fields and the end of the last one; a negative end is the code of
// an error ([Err]).
func ReadFields(b []byte, at int, fields []Field) (n, end int) {
	for n := range fields {
		if at >= len(b) {
			return n, at
		}
		tag, value, end := Next(b, at)
		if end < 0 {
			return n, end
		}
		fields[n] = Field{tag, value, end}
		at = end
	}
	return len(fields), at
}

// Next decodes the field of the message b that begins at the offset at, which is below the length
// of b. See [Field] for its results; a negative end is the code of an error ([Err]). [Reader] is
// simpler; this function is for messages that occur by the million.
func Next(b []byte, at int) (tag, value uint64, end int) {
	all := b[:cap(b)] // a number is extracted from eight bytes, which may extend beyond b
	if at <= len(all)-maxShort {
		tag, i := uint64(all[at]), at+1
		if tag >= 0x80 {
			tag = tag&0x7f | uint64(all[i])<<7
			i++
		}
		value, size := uint64(all[i]), 1
		if value >= 0x80 {
			if value, size = Sevens(binary.LittleEndian.Uint64(all[i : i+8])); size > 8 {
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
			return tag, value, int(end)
		}
	}
	tag, value, size := field(b[at:])
	if size < 0 {
		return 0, 0, size
	}
	return tag, value, at + size
}

// Sevens extracts the low seven bits of each byte of word up to the first byte without the top
// bit: a varint, with no branch on its length. n is its length, or 9 if all bytes have the top
// bit.
func Sevens(word uint64) (v uint64, n int) {
	last := ^word & 0x8080808080808080
	n = bits.TrailingZeros64(last)>>3 + 1
	v = word & (last ^ (last - 1)) & 0x7f7f7f7f7f7f7f7f
	v = v&0x007f007f007f007f | v&0x7f007f007f007f00>>1
	v = v&0x00003fff00003fff | v&0x3fff00003fff0000>>2
	return v&0x000000000fffffff | v&0x0fffffff00000000>>4, n
}
