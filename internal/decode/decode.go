// Package decode turns the bytes of a file into UTF-8 text: it decompresses gzip and converts
// UTF-16. It also parses numbers, quickly and without allocations.
//
// It is independent of formats; the packages below package format interpret the content. Package
// protobuf decodes protocol buffers, and package encode is the counterpart for writing.
package decode

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns the text of r as UTF-8. It decompresses gzip (one member or several) within the
// limit of [Gunzip], and transcodes UTF-16, detected by a byte order mark or by the zero bytes of
// the first characters. It removes the byte order mark of UTF-8.
func Text(r io.Reader, ratio int) (*bufio.Reader, error) {
	in, err := Bytes(r, ratio)
	if err != nil {
		return nil, err
	}
	return UTF8(in), nil
}

// UTF8 is [Text] for uncompressed text.
func UTF8(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(3)
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		in.Discard(2)
		return bufio.NewReader(&utf16Reader{r: in, order: binary.LittleEndian})
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		in.Discard(2)
		return bufio.NewReader(&utf16Reader{r: in, order: binary.BigEndian})
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		in.Discard(3)
	default:
		if order := unmarked(in); order != nil {
			return bufio.NewReader(&utf16Reader{r: in, order: order})
		}
	}
	return in
}

// Bytes returns the content of r, decompressed if it is gzip, within the limit of [Gunzip].
func Bytes(r io.Reader, ratio int) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if head, _ := in.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return in, nil
	}
	z, err := Gunzip(in, ratio)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 64<<10), nil
}

// unmarked returns the byte order of UTF-16 without a mark, if the first eight characters are
// ASCII, each with a zero byte; otherwise nil.
func unmarked(in *bufio.Reader) binary.ByteOrder {
	head, _ := in.Peek(16)
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		wide := len(head) == 16
		for i := 0; wide && i < len(head); i += 2 {
			c := order.Uint16(head[i:])
			wide = c >= ' ' && c < 0x7f || c == '\t' || c == '\r' || c == '\n'
		}
		if wide {
			return order
		}
	}
	return nil
}

// utf16Reader reads UTF-16 as UTF-8. Invalid units (an unpaired surrogate, an odd last byte)
// become U+FFFD.
type utf16Reader struct {
	r     *bufio.Reader
	order binary.ByteOrder
	out   []byte // transcoded but not yet delivered
}

// Read implements io.Reader.
func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if err := u.char(); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// char transcodes the next character.
func (u *utf16Reader) char() error {
	unit, err := u.unit()
	if err != nil {
		return err
	}
	c := rune(unit)
	if utf16.IsSurrogate(c) {
		c = utf8.RuneError
		if next, _ := u.r.Peek(2); len(next) == 2 {
			if pair := utf16.DecodeRune(rune(unit), rune(u.order.Uint16(next))); pair != utf8.RuneError {
				u.r.Discard(2)
				c = pair
			}
		}
	}
	u.out = utf8.AppendRune(u.out[:0], c)
	return nil
}

// unit reads one 16-bit unit. An odd last byte counts as an invalid unit.
func (u *utf16Reader) unit() (uint16, error) {
	var b [2]byte
	switch n, err := io.ReadFull(u.r, b[:]); {
	case n == 1 && err == io.ErrUnexpectedEOF:
		return 0xdc00, nil
	case err != nil:
		return 0, err
	}
	return u.order.Uint16(b[:]), nil
}

// ReadN appends n bytes to b. Memory grows with the bytes read, because a stated length can be
// wrong.
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
