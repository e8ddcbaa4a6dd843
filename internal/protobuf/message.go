// Package protobuf encodes and decodes the wire format of protocol buffers, without generated code and
// without building messages in memory. The field numbers of each schema are in the packages that use it:
// format/internal/perfetto, format/internal/simpleperf and profileproto.
package protobuf

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Message is a message of protocol buffers being put together, the fields in the
// order in which they are appended.
type Message []byte

// Number appends a field with an integer; 0 is what an absent one means.
func (m *Message) Number(field int, v int64) {
	if v != 0 {
		m.Uint(field, uint64(v))
	}
}

// Uint appends a field with an integer, 0 as well.
func (m *Message) Uint(field int, v uint64) {
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

// Bytes appends a field with a message or packed integers.
func (m *Message) Bytes(field int, b []byte) {
	*m = append(AppendHead(*m, field, len(b)), b...)
}

// Text appends a field with a string; "" is what an absent one means.
func (m *Message) Text(field int, s string) {
	if s != "" {
		*m = append(AppendHead(*m, field, len(s)), s...)
	}
}

// AppendHead appends what stands in front of the n bytes of a field.
func AppendHead(b []byte, field, n int) []byte {
	if field < 16 && n < 0x80 { // a byte each
		return append(b, byte(field)<<3|2, byte(n))
	}
	b = protowire.AppendTag(b, protowire.Number(field), protowire.BytesType)
	return protowire.AppendVarint(b, uint64(n))
}

// Open begins a field with a message, whose fields are appended next, and returns what
// Shut has to know of it.
func (m *Message) Open(field int) (at int) {
	*m = AppendHead(*m, field, 0)
	return len(*m)
}

// Shut ends the field that Open began. Most messages are short: there is room for a
// length of one byte, and those that need more are moved.
func (m *Message) Shut(at int) {
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

// AppendVarint appends a number of variable length.
func AppendVarint(b []byte, v uint64) []byte { return protowire.AppendVarint(b, v) }

// SizeVarint returns how many bytes a number has.
func SizeVarint(v uint64) int { return protowire.SizeVarint(v) }

// SizeBytes returns how many bytes a text or message of n bytes has with its length.
func SizeBytes(n int) int { return protowire.SizeBytes(n) }
