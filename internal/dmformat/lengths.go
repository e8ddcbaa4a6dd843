package dmformat

import (
	"encoding/binary"
	"math/bits"
)

// Lengths contains the lengths in bytes of the numbers at the beginning of twelve bytes, in four
// bits each: the first number, the second, the third, and the first two together. The length is 0
// for a number that does not end in these bytes or is longer than eight bytes.
type Lengths uint

// LengthsOf returns the lengths of the numbers that begin with first and continue with then: eight
// bytes and the following four, in little-endian order. Decoding numbers one by one is a
// dependency chain, because each begins where the previous one ends; that chain takes longer than
// all other work on them.
func LengthsOf(first uint64, then uint32) Lengths {
	// The multiplications move the continuation bits, the top bits of the bytes, next to each
	// other.
	ends := ^first & 0x8080808080808080 * 0x0002040810204081 >> 56
	more := ^then & 0x80808080 * 0x00204081 >> 28
	return Lengths(lengths[ends|uint64(more)<<8])
}

// First is the length of the first number.
func (l Lengths) First() uint { return uint(l & 15) }

// Second is the length of the second number.
func (l Lengths) Second() uint { return uint(l >> 4 & 15) }

// Third is the length of the third number.
func (l Lengths) Third() uint { return uint(l >> 8 & 15) }

// Two is the length of the first two numbers together.
func (l Lengths) Two() uint { return uint(l >> 12 & 15) }

// lengths is indexed by a bit for each of the twelve bytes: 1 if a number ends there. It is filled
// in place, and by length, because every start of the program waits for it. A function that
// returned it would need a larger stack, and a loop over indexes takes eight times the
// instructions.
var lengths [1 << 12]uint16

func init() {
	fill := func(ends, bytes, value int) { // for all indexes with these low bits
		for ; ends < len(lengths); ends += 1 << bytes {
			lengths[ends] = uint16(value)
		}
	}
	const bytes, longest = 12, 8
	for first := 1; first <= longest; first++ {
		ends := 1 << (first - 1)
		fill(ends, first, first|first<<12)
		for second := 1; second <= min(longest, bytes-first); second++ {
			two := first + second
			ends := ends | 1<<(two-1)
			fill(ends, two, first|second<<4|two<<12)
			for third := 1; third <= min(longest, bytes-two); third++ {
				fill(ends|1<<(two+third-1), two+third, first|second<<4|third<<8|two<<12)
			}
		}
	}
}

// sized contains constants for numbers of a given number of bytes.
type sized struct {
	mask  uint64 // payload bits
	sign  uint64 // the sign bit of a signed number
	least uint64 // the smallest unsigned number that needs this length; 0 for one byte
}

// NoNumber is a length for which SLEB8 returns 0, whatever the bytes are.
const NoNumber = 15

// upTo returns the constants by length, for numbers of at most longest bytes. For other lengths,
// least exceeds every number, so that decoding fails.
func upTo(longest uint) (all [16]sized) {
	for n := range uint(len(all)) {
		switch width := 7 * n; {
		case n == NoNumber:
		case n == 0 || n > longest:
			all[n].least = 1<<64 - 1
		case n == 1:
			all[n] = sized{mask: 0x7f, sign: 1 << 6}
		default:
			all[n] = sized{mask: 0x7f7f7f7f7f7f7f7f & (1<<(8*n) - 1), sign: 1 << (width - 1), least: 1 << (width - 7)}
		}
	}
	return all
}

var upTo4, upTo8 = upTo(4), upTo(8)

// SLEB8 reads an SLEB128 of n bytes without a branch on n. word is the eight bytes that begin with
// it, as in LengthsOf. ok is false if n is 0 or if fewer bytes would suffice.
func SLEB8(word uint64, n uint) (v int64, ok bool) {
	s := &upTo8[n&15]
	word &= s.mask
	word -= word & 0x7f007f007f007f00 >> 1
	word = word&0x00003fff00003fff | word&0x3fff00003fff0000>>2
	word = word&0x000000000fffffff | word>>32<<28
	word = word ^ s.sign - s.sign
	return int64(word), word+s.least>>1 >= s.least
}

// SLEB4 is SLEB8 for numbers of up to four bytes, in half the time. ok is also false for longer
// numbers.
func SLEB4(word uint32, n uint) (v int64, ok bool) {
	s := &upTo4[n]
	x := sevens4(word, s) ^ s.sign - s.sign
	return int64(x), x+s.least>>1 >= s.least
}

// ULEB4 is SLEB4 for a ULEB128.
func ULEB4(word uint32, n uint) (v uint64, ok bool) {
	s := &upTo4[n]
	v = sevens4(word, s)
	return v, v >= s.least
}

// sevens4 concatenates the seven payload bits of each byte.
func sevens4(word uint32, s *sized) uint64 {
	word &= uint32(s.mask)
	word -= word & 0x7f007f00 >> 1
	return uint64(word&0x3fff | word>>16<<14)
}

// CountLEB returns the number of LEB128 numbers that end in b.
func CountLEB(b []byte) (n int) {
	for ; len(b) >= 8; b = b[8:] {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(b) & 0x8080808080808080)
	}
	for _, c := range b {
		if c < 0x80 {
			n++
		}
	}
	return n
}
