package dmformat

// MaxLEB128 is the maximum length of a 64-bit number in LEB128, as defined by DWARF: seven bits
// per byte, low bits first, the top bit set in all bytes but the last.
const MaxLEB128 = 10

// AppendULEB appends v as ULEB128.
func AppendULEB(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// AppendSLEB appends v as SLEB128.
func AppendSLEB(b []byte, v int64) []byte {
	for v < -0x40 || v >= 0x40 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}

// ULEB reads a ULEB128. n is its number of bytes, 0 if b ends within the number, or -1 if the
// number does not end after MaxLEB128 bytes. short is false if fewer bytes would suffice.
func ULEB(b []byte) (v uint64, n int, short bool) {
	for i, c := range b {
		if i == MaxLEB128 {
			return 0, -1, false
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return v, i + 1, (c != 0 || i == 0) && (i < MaxLEB128-1 || c == 1)
		}
	}
	return 0, 0, false
}

// SLEB reads a SLEB128; see ULEB.
func SLEB(b []byte) (v int64, n int, short bool) {
	for i, c := range b {
		if i == MaxLEB128 {
			return 0, -1, false
		}
		v |= int64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if i < MaxLEB128-1 {
				shift := 64 - 7*(i+1)
				v = v << shift >> shift
			}
			// The last byte is redundant if it only repeats the sign, which bit 6 of the previous
			// byte contains.
			repeats := i > 0 && (c == 0 && b[i-1]&0x40 == 0 || c == 0x7f && b[i-1]&0x40 != 0)
			return v, i + 1, !repeats && (i < MaxLEB128-1 || c == 0 || c == 0x7f)
		}
	}
	return 0, 0, false
}
