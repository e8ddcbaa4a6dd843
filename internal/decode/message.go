package decode

import (
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields calls f for each field of a message: number is that of an integer (or of
// fixed size), body that of a message or text, not nil.
func Fields(b []byte, f func(field int, number uint64, body []byte) error) error {
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		var number uint64
		var body []byte
		switch kind {
		case protowire.VarintType:
			number, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			number, n = protowire.ConsumeFixed64(b)
		case protowire.Fixed32Type:
			var short uint32
			short, n = protowire.ConsumeFixed32(b)
			number = uint64(short)
		case protowire.BytesType:
			body, n = protowire.ConsumeBytes(b)
			if body == nil {
				body = []byte{}
			}
		default:
			n = protowire.ConsumeFieldValue(field, kind, b)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		if err := f(int(field), number, body); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// ReadN appends n bytes to b. It takes memory as they come: a length can lie.
func ReadN(in io.Reader, b []byte, n int) ([]byte, error) {
	for n > 0 {
		more := min(n, 1<<20)
		at := len(b)
		b = append(b, make([]byte, more)...)
		if _, err := io.ReadFull(in, b[at:]); err != nil {
			return b, io.ErrUnexpectedEOF
		}
		n -= more
	}
	return b, nil
}
