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
	if len(m.rest) == 0 {
		return false
	}
	tag := uint64(m.rest[0])
	n := 1
	if tag < 8 || tag >= 0x80 { // not a valid tag of one byte, as nearly all are
		field, kind, length := protowire.ConsumeTag(m.rest)
		if length < 0 {
			m.err = protowire.ParseError(length)
			return false
		}
		tag, n = protowire.EncodeTag(field, kind), length
	}
	field, kind := protowire.Number(tag>>3), protowire.Type(tag&7)
	m.rest = m.rest[n:]
	m.Field, m.Number, m.Body = int(field), 0, nil
	switch kind {
	case protowire.VarintType:
		if len(m.rest) > 0 && m.rest[0] < 0x80 {
			m.Number, n = uint64(m.rest[0]), 1
		} else {
			m.Number, n = protowire.ConsumeVarint(m.rest)
		}
	case protowire.Fixed64Type:
		m.Number, n = protowire.ConsumeFixed64(m.rest)
	case protowire.Fixed32Type:
		var short uint32
		short, n = protowire.ConsumeFixed32(m.rest)
		m.Number = uint64(short)
	case protowire.BytesType:
		m.Body, n = protowire.ConsumeBytes(m.rest)
		if m.Body == nil {
			m.Body = []byte{}
		}
	default:
		n = protowire.ConsumeFieldValue(field, kind, m.rest)
	}
	if n < 0 {
		m.err = protowire.ParseError(n)
		return false
	}
	m.rest = m.rest[n:]
	return true
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
