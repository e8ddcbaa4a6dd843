package writer

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

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
	if v < 0x80 {
		*m = append(b, byte(v))
		return
	}
	*m = protowire.AppendVarint(b, v)
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

// open begins a field with a message, whose fields are appended next, and returns what
// shut has to know of it.
func (m *message) open(field int) (at int) {
	*m = appendHead(*m, field, 0)
	return len(*m)
}

// shut ends the field that open began. Most messages are short: there is room for a
// length of one byte, and those that need more are moved.
func (m *message) shut(at int) {
	b := *m
	n := len(b) - at
	if n >= 0x80 {
		b = slices.Insert(b, at, make([]byte, protowire.SizeVarint(uint64(n))-1)...)
		protowire.AppendVarint(b[:at-1], uint64(n))
		*m = b
		return
	}
	b[at-1] = byte(n)
}
