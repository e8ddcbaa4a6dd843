// Package protobuf encodes and decodes the wire format of protocol buffers, without generated code
// and without building messages in memory. The field numbers of each schema are in the packages
// that use it: format/internal/perfetto, format/internal/simpleperf and profileproto.
package protobuf

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Message is an encoded protocol buffer under construction. Fields are in the order of appending.
type Message []byte

// Number appends an integer field. It omits 0, the default.
func (m *Message) Number(field int, v int64) {
	if v != 0 {
		m.Uint(field, uint64(v))
	}
}

// Uint appends an integer field, even if it is 0.
func (m *Message) Uint(field int, v uint64) {
	b := *m
	if field < 16 { // the tag is a byte
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

// Text appends a string field. It omits "", the default.
func (m *Message) Text(field int, s string) {
	if s != "" {
		*m = append(AppendHead(*m, field, len(s)), s...)
	}
}

// AppendHead appends the tag and length that precede the n bytes of a field.
func AppendHead(b []byte, field, n int) []byte {
	if field < 16 && n < 0x80 { // a byte each
		return append(b, byte(field)<<3|2, byte(n))
	}
	b = protowire.AppendTag(b, protowire.Number(field), protowire.BytesType)
	return protowire.AppendVarint(b, uint64(n))
}

// Open begins a message field; its fields are appended next. It returns the argument for Shut.
func (m *Message) Open(field int) (at int) {
	*m = AppendHead(*m, field, 0)
	return len(*m)
}

// Shut ends the field that Open began. Open reserves one byte for the length, because most
// messages are short; longer ones are moved.
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

// AppendVarint appends a varint.
func AppendVarint(b []byte, v uint64) []byte { return protowire.AppendVarint(b, v) }

// SizeVarint returns the length of a varint in bytes.
func SizeVarint(v uint64) int { return protowire.SizeVarint(v) }

// SizeBytes returns the size of a text or message of n bytes including its length.
func SizeBytes(n int) int { return protowire.SizeBytes(n) }
