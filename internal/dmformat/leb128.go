package dmformat

// LEB128 as in DWARF: seven bits a byte, the low ones first, the top bit set in
// all bytes but the last. An unsigned number of 64 bits has at most 10 bytes.
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

// ULEB reads a ULEB128. n is how many bytes it has; 0 when b ends within it, -1
// when it does not end after MaxLEB128 bytes. short is false when fewer bytes
// would have done.
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
			// A last byte is too much when it only repeats the sign that the
			// byte before it has in its bit 6.
			repeats := i > 0 && (c == 0 && b[i-1]&0x40 == 0 || c == 0x7f && b[i-1]&0x40 != 0)
			return v, i + 1, !repeats && (i < MaxLEB128-1 || c == 0 || c == 0x7f)
		}
	}
	return 0, 0, false
}
