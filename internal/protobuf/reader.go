package protobuf

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
)

// Reader decodes a message of protocol buffers field by field.
type Reader struct {
	Field  int    // number of the field
	Number uint64 // of an integer or a fixed-size value
	Body   []byte // of a message or text, not nil; otherwise nil

	rest []byte
	err  error
}

// NewReader returns a reader before the first field.
func NewReader(b []byte) Reader { return Reader{rest: b} }

// Next decodes the next field. It returns false at the end and on an error; see [Reader.Err].
func (r *Reader) Next() bool {
	if len(r.rest) == 0 {
		return false
	}
	tag, value, n := Next(r.rest, 0)
	if n < 0 {
		r.err = Err(n)
		return false
	}
	r.Field, r.Number, r.Body = int(tag>>3), value, nil
	if tag&7 == Bytes {
		r.Number, r.Body = 0, r.rest[n-int(value):n]
	}
	r.rest = r.rest[n:]
	return true
}

// field decodes the field of n bytes at the beginning of b; see [ReadFields].
func field(b []byte) (tag, value uint64, n int) {
	if tag, n = varint(b); n < 0 {
		return 0, 0, n
	}
	if tag>>3 == 0 || tag>>3 > uint64(protowire.MaxValidNumber) {
		_, _, n = protowire.ConsumeTag([]byte{0}) // the error for the number 0, because ConsumeTag accepts some that are too large
		return 0, 0, n
	}
	rest, size := b[n:], 0
	switch kind := protowire.Type(tag & 7); kind {
	case protowire.VarintType:
		value, size = varint(rest)
	case protowire.BytesType:
		value, size = varint(rest)
		if size >= 0 && value > uint64(len(rest)-size) {
			_, size = protowire.ConsumeBytes(rest)
		} else if size >= 0 {
			size += int(value)
		}
	case protowire.Fixed64Type:
		value, size = protowire.ConsumeFixed64(rest)
	case protowire.Fixed32Type:
		var short uint32
		short, size = protowire.ConsumeFixed32(rest)
		value = uint64(short)
	default:
		size = protowire.ConsumeFieldValue(protowire.Number(tag>>3), kind, rest)
	}
	if size < 0 {
		return 0, 0, size
	}
	return tag, value, n + size
}

// varint decodes a varint. Most are short.
func varint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return longVarint(b)
}

func longVarint(b []byte) (v uint64, n int) {
	if len(b) > 1 && b[1] < 0x80 {
		return uint64(b[0]&0x7f) | uint64(b[1])<<7, 2
	}
	return protowire.ConsumeVarint(b)
}

// Err returns the error that ended the message, or nil at its end.
func (r *Reader) Err() error { return r.err }

// Fields calls f for each field of a message, with the fields of [Reader].
func Fields(b []byte, f func(field int, number uint64, body []byte) error) error {
	m := NewReader(b)
	for m.Next() {
		if err := f(m.Field, m.Number, m.Body); err != nil {
			return err
		}
	}
	return m.Err()
}

// Err returns the error of a negative length.
func Err(n int) error { return malformed{protowire.ParseError(n)} }

// malformed is the error of an invalid encoding.
type malformed struct{ error }

func (m malformed) Unwrap() error { return m.error }

// Malformed reports whether an error is that of an invalid encoding.
func Malformed(err error) bool { return errors.As(err, new(malformed)) }

// ReadVarint decodes the varint at the beginning of b and returns its length; a negative length is
// the code of an error ([Err]).
func ReadVarint(b []byte) (v uint64, n int) { return varint(b) }
