package decode

import (
	"math"
	"strconv"
	"time"
)

// Uint reads a number of decimal digits and nothing else, below 10^18.
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

// farthest bounds the times that Time returns: 73 years.
const farthest = 1 << 61

// Time reads a number of units, a power of ten of nanoseconds, as text has it: an
// optional "-", digits, and perhaps "." with more digits. It is exact, and rounded to
// nanoseconds where there are more digits than that. Numbers with an exponent, as in
// JSON, are as exact as a float64. Anything else is not ok, and so are times of more
// than 73 years.
func Time(b []byte, unit time.Duration) (t time.Duration, ok bool) {
	digits := b
	if len(b) > 0 && b[0] == '-' {
		digits = b[1:]
	}
	n, i, whole := int64(0), 0, unit
	for ; i < len(digits) && digits[i]-'0' <= 9; i++ {
		if n > farthest/10 {
			return 0, false
		}
		n = 10*n + int64(digits[i]-'0')
	}
	if i == 0 || n > farthest/int64(unit) {
		return 0, false
	}
	n *= int64(unit)
	if i < len(digits) && digits[i] == '.' {
		first := i + 1
		for i++; i < len(digits) && digits[i]-'0' <= 9; i++ {
			if unit >= 10 {
				unit /= 10
				n += int64(digits[i]-'0') * int64(unit)
			} else if unit == 1 {
				n += int64(digits[i]-'0') / 5 // the first digit too many rounds
				unit = 0
			}
		}
		if i == first {
			return 0, false
		}
	}
	switch {
	case i < len(digits) && (digits[i] == 'e' || digits[i] == 'E'):
		return floating(b, whole)
	case i < len(digits):
		return 0, false
	case len(digits) < len(b):
		n = -n
	}
	return time.Duration(n), true
}

// floating reads a number with an exponent.
func floating(b []byte, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(math.Abs(f) <= float64(farthest/unit)) {
		return 0, false
	}
	left, right := math.Modf(f)
	return time.Duration(left)*unit + time.Duration(math.Round(right*float64(unit))), true
}
