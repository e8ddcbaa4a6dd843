package decode

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"time"
)

// Uint parses a number of decimal digits only, below 10^18.
func Uint(b []byte) (n uint64, ok bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	for _, c := range b {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = 10*n + uint64(c)
	}
	return n, true
}

// farthest is the maximum absolute value that Time returns: 73 years.
const farthest = 1 << 61

// Time parses a number of units, where unit is a power of ten of nanoseconds: an optional "-",
// digits, and optionally "." with more digits. The result is exact, or rounded to nanoseconds if
// there are more digits than that. Numbers with an exponent, as in JSON, have the precision of a
// float64. ok is false for any other text, and for times of more than 73 years.
func Time(b []byte, unit time.Duration) (t time.Duration, ok bool) {
	if unit == time.Second {
		if t, ok = micros(b); ok {
			return t, true
		}
	}
	return timeOf(b, unit)
}

// micros parses seconds with exactly six digits after the point, as in a kernel's log, and up to
// eight before it. ok is false for other numbers, even if Time accepts them.
func micros(b []byte) (t time.Duration, ok bool) {
	point := len(b) - 7
	if point < 1 || point > 8 || b[point] != '.' {
		return 0, false
	}
	missing := 8 * (8 - point) // bits; zeros replace the bytes before the number
	whole, isNumber := eightDigits(binary.LittleEndian.Uint64(b)<<missing | zeros>>(64-missing))
	part, ok := eightDigits(binary.LittleEndian.Uint64(b[point-1:])&^0xffff | zeros&0xffff)
	return time.Duration(whole)*time.Second + time.Duration(part)*time.Microsecond, ok && isNumber
}

// zeros is eight digits.
const zeros = '0' * 0x0101010101010101

// eightDigits parses a number of eight digits, the first in the lowest byte. It combines digits to
// pairs, pairs to fours, and fours to eight.
func eightDigits(text uint64) (n uint64, ok bool) {
	const highs, aboveNine = 0x8080808080808080, 0x7676767676767676
	n = text ^ zeros
	if (n|(n+aboveNine))&highs != 0 { // a byte above 9 has its high bit set now or after the addition
		return 0, false
	}
	n = n*10 + n>>8
	const twoDigits = 0x000000ff000000ff
	return (n&twoDigits*(1000000<<32+100) + n>>16&twoDigits*(10000<<32+1)) >> 32, true
}

// timeOf is Time for any text.
func timeOf(b []byte, unit time.Duration) (t time.Duration, ok bool) {
	digits := b
	if len(b) > 0 && b[0] == '-' {
		digits = b[1:]
	}
	n, i := uint64(0), 0
	for ; i < len(digits) && digits[i]-'0' <= 9; i++ {
		n = 10*n + uint64(digits[i]-'0')
	}
	if i == 0 || i > 19 && len(bytes.TrimLeft(digits[:i], "0")) > 19 || n > farthest/uint64(unit) {
		return 0, false
	}
	t = time.Duration(n) * unit
	if i < len(digits) && digits[i] == '.' {
		part, length := fraction(digits[i+1:], unit)
		if length == 0 {
			return 0, false
		}
		t += part
		i += 1 + length
	}
	switch {
	case i < len(digits) && (digits[i] == 'e' || digits[i] == 'E'):
		return floating(b, unit)
	case i < len(digits):
		return 0, false
	case len(digits) < len(b):
		t = -t
	}
	return t, true
}

// powers are the powers of ten up to a second in nanoseconds.
var powers = [...]time.Duration{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// fraction parses the digits after a point and returns their number, length.
func fraction(b []byte, unit time.Duration) (part time.Duration, length int) {
	places := bits.Len64(uint64(unit)) * 1233 >> 12 // zeros of a power of ten, by log10 of 2
	i := 0
	for ; i < len(b) && i < places && b[i]-'0' <= 9; i++ {
		part = 10*part + time.Duration(b[i]-'0')
	}
	part *= powers[places-i]
	if i == places && i < len(b) && b[i]-'0' <= 9 {
		part += time.Duration(b[i]-'0') / 5 // the first excess digit rounds
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
		}
	}
	return part, i
}

// floating parses a number with an exponent.
func floating(b []byte, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(math.Abs(f) <= float64(farthest/unit)) {
		return 0, false
	}
	left, right := math.Modf(f)
	return time.Duration(left)*unit + time.Duration(math.Round(right*float64(unit))), true
}
