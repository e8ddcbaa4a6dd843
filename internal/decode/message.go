package decode

import (
	"io"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Message is a message of protocol buffers being read, field after field.
type Message struct {
	Field  int    // number of the field
	Number uint64 // of an integer, or of one of fixed size
	Body   []byte // of a message or text, not nil; else nil

	rest []byte
	err  error
}

// NewMessage returns a message in front of its first field.
func NewMessage(b []byte) Message { return Message{rest: b} }

// Next reads the next field. It reports false at the end, and where the message
// cannot be read on; see [Message.Err].
func (m *Message) Next() bool {
	b := m.rest
	if len(b) == 0 {
		return false
	}
	tag, n := uint64(b[0]), 1
	if tag >= 0x80 {
		tag, n = varint(b)
	}
	if n < 0 || tag>>3 == 0 || tag>>3 > uint64(protowire.MaxValidNumber) {
		_, _, n = protowire.ConsumeTag(b)
		return m.fail(n)
	}
	b = b[n:]
	m.Field, m.Number, m.Body = int(tag>>3), 0, nil
	switch kind := protowire.Type(tag & 7); kind {
	case protowire.VarintType:
		m.Number, n = varint(b)
	case protowire.BytesType:
		var size uint64
		if size, n = varint(b); n >= 0 {
			if size > uint64(len(b)-n) {
				m.err = io.ErrUnexpectedEOF // as protowire has it
				return false
			}
			m.Body = b[n : n+int(size)]
			n += int(size)
		}
	case protowire.Fixed64Type:
		m.Number, n = protowire.ConsumeFixed64(b)
	case protowire.Fixed32Type:
		var short uint32
		short, n = protowire.ConsumeFixed32(b)
		m.Number = uint64(short)
	default:
		n = protowire.ConsumeFieldValue(protowire.Number(tag>>3), kind, b)
	}
	if n < 0 {
		return m.fail(n)
	}
	m.rest = b[n:]
	return true
}

// fail ends the reading with the error that protowire returned as a length.
func (m *Message) fail(code int) bool {
	m.err = protowire.ParseError(code)
	return false
}

// varint reads a number of variable length. Most have few bytes.
func varint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	if len(b) > 1 && b[1] < 0x80 {
		return uint64(b[0]&0x7f) | uint64(b[1])<<7, 2
	}
	return protowire.ConsumeVarint(b)
}

// Err returns why the message could not be read on, nil at its end.
func (m *Message) Err() error { return m.err }

// Fields calls f for each field of a message, with what [Message] has of it.
func Fields(b []byte, f func(field int, number uint64, body []byte) error) error {
	m := NewMessage(b)
	for m.Next() {
		if err := f(m.Field, m.Number, m.Body); err != nil {
			return err
		}
	}
	return m.Err()
}

// ReadN appends n bytes to b. It takes memory as they come: a length can lie.
func ReadN(in io.Reader, b []byte, n int) ([]byte, error) {
	for n > 0 {
		more := min(n, 1<<20)
		at := len(b)
		b = slices.Grow(b, more)[:at+more]
		if _, err := io.ReadFull(in, b[at:]); err != nil {
			return b, io.ErrUnexpectedEOF
		}
		n -= more
	}
	return b, nil
}
