package encode

import "encoding/binary"

// group contains the three digits of a number below 1000 in its low bytes, the first digit lowest,
// as in text. The fourth byte contains the number of leading zeros (at most two, as 0 is one digit)
// and, times 16, the number of trailing zeros (at most three).
//
// Digits are appended four bytes at a time and then truncated, because appending a constant length
// is one store.
type group uint32

// groups are the groups of all numbers below 1000.
var groups [1000]group

func init() {
	for i := range groups {
		a, b, c := i/100, i/10%10, i%10
		g := ('0' + group(a)) | ('0'+group(b))<<8 | ('0'+group(c))<<16
		if a == 0 {
			g += 1 << 24
			if b == 0 {
				g += 1 << 24
			}
		}
		if c == 0 {
			g += 1 << 28
			if b == 0 {
				g += 1 << 28
				if a == 0 {
					g += 1 << 28
				}
			}
		}
		groups[i] = g
	}
}

// digits returns the three digits.
func (g group) digits() uint32 { return uint32(g) & 0xffffff }

// leading and trailing return the number of insignificant zeros: before a number, and at the end
// of a fraction.
func (g group) leading() int  { return int(g >> 24 & 0xf) }
func (g group) trailing() int { return int(g >> 28) }

// AppendInt appends v as decimal text. Text formats of events consist mostly of numbers; three digits at
// a time take about half the time of strconv's digits (BenchmarkAppendInt compares the two).
func AppendInt(b []byte, v int64) []byte {
	if v < 0 {
		return AppendUint(append(b, '-'), -uint64(v))
	}
	return AppendUint(b, uint64(v))
}

// AppendUint appends v.
func AppendUint(b []byte, v uint64) []byte {
	if v < 1000 {
		g := groups[v]
		n := g.leading()
		return binary.LittleEndian.AppendUint32(b, g.digits()>>(8*n))[:len(b)+3-n]
	}
	if v < 1e6 {
		n := groups[v/1000].leading()
		return binary.LittleEndian.AppendUint64(b, six(uint32(v))>>(8*n))[:len(b)+6-n]
	}
	return AppendMillionths(AppendUint(b, v/1e6), uint32(v%1e6))
}

// AppendMillionths appends the six digits of a number of millionths, which must be below
// 1,000,000.
func AppendMillionths(b []byte, v uint32) []byte {
	return binary.LittleEndian.AppendUint64(b, six(v))[:len(b)+6]
}

// six returns the six digits of a number below 1,000,000.
func six(v uint32) uint64 {
	return uint64(groups[v/1000].digits()) | uint64(groups[v%1000].digits())<<24
}

// AppendFraction appends a point and the digits of a number of millionths, which must be below
// 1,000,000, without trailing zeros. It appends nothing for 0.
func AppendFraction(b []byte, v uint32) []byte {
	if v == 0 {
		return b
	}
	n := groups[v%1000].trailing()
	if n == 3 {
		n += groups[v/1000].trailing()
	}
	return binary.LittleEndian.AppendUint64(b, '.'|six(v)<<8)[:len(b)+7-n]
}
