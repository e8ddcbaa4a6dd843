package writer

import "google.golang.org/protobuf/encoding/protowire"

// message is a protocol buffer message being put together, the fields in the
// order in which they are appended.
type message []byte

// number appends a field with an integer; 0 is what an absent one means.
func (m *message) number(field int, v int64) {
	if v != 0 {
		m.uint(field, uint64(v))
	}
}

// uint appends a field with an integer, 0 as well.
func (m *message) uint(field int, v uint64) {
	b := *m
	if field < 16 { // it is a byte
		b = append(b, byte(field)<<3)
	} else {
		b = protowire.AppendTag(b, protowire.Number(field), protowire.VarintType)
	}
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	*m = append(b, byte(v))
}

// bytes appends a field with a message or packed integers.
func (m *message) bytes(field int, b []byte) {
	*m = append(appendHead(*m, field, len(b)), b...)
}

// text appends a field with a string; "" is what an absent one means.
func (m *message) text(field int, s string) {
	if s != "" {
		*m = append(appendHead(*m, field, len(s)), s...)
	}
}

// appendHead appends what stands in front of the n bytes of a field.
func appendHead(b []byte, field, n int) []byte {
	if field < 16 && n < 0x80 { // a byte each
		return append(b, byte(field)<<3|2, byte(n))
	}
	b = protowire.AppendTag(b, protowire.Number(field), protowire.BytesType)
	return protowire.AppendVarint(b, uint64(n))
}
