package jsonread

import (
	"encoding/binary"
	"math/bits"
)

// thousandsMax is the maximum number of characters that thousands reads.
const thousandsMax = 24

// thousands parses the number at the beginning of b, in thousandths, and returns its length n in
// characters. ok is false if the number has a sign, more than 15 digits before the point, or none
// or more than three after it.
func thousands(b *[thousandsMax]byte) (x int64, n int, ok bool) {
	whole, n := digits(binary.LittleEndian.Uint64(b[:]))
	if n == 8 {
		low, more := digits(binary.LittleEndian.Uint64(b[8:]))
		if more == 8 {
			return 0, 0, false
		}
		whole, n = whole*powers[more]+low, 8+more
	}
	if n == 0 {
		return 0, 0, false
	}
	x = int64(whole) * 1000
	if b[n] == '.' {
		part, places := digits(uint64(binary.LittleEndian.Uint32(b[n+1:])))
		if places == 0 || places > 3 {
			return 0, 0, false
		}
		x += int64(part * powers[3-places])
		n += 1 + places
	}
	return x, n, b[n] != '.' && b[n] != '-'
}

// digits returns the value and the number n of the decimal digits at the beginning of chars. The
// first of its eight characters is the lowest byte. Three steps combine digits to pairs, pairs to
// fours, and fours to the value.
func digits(chars uint64) (x uint64, n int) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	chars ^= '0' * ones                                              // digits are 0 to 9 now
	n = bits.TrailingZeros64((chars+(0x80-10)*ones|chars)&highs) / 8 // other characters have the high bit set
	x = chars << (64 - 8*n)                                          // leading zeros
	x = x * (10<<8 + 1) >> 8 & 0x00ff00ff00ff00ff
	x = x * (100<<16 + 1) >> 16 & 0x0000ffff0000ffff
	return x * (10000<<32 + 1) >> 32, n
}

// powers are the powers of ten up to seven digits.
var powers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// isDecimal reports whether b is a number without an exponent.
func isDecimal(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	whole := digitsOf(b)
	switch {
	case whole == 0, whole > 1 && b[0] == '0':
		return false
	case whole == len(b):
		return true
	}
	places := digitsOf(b[whole+1:])
	return b[whole] == '.' && places > 0 && whole+1+places == len(b)
}

// digitsOf returns the number of digits at the beginning of b.
func digitsOf(b []byte) (n int) {
	for n < len(b) && b[n]-'0' <= 9 {
		n++
	}
	return n
}
