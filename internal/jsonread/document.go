package jsonread

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Document reads JSON from a stream: objects and arrays member by member, so that only the value
// being read is in memory. Several documents may follow each other. A null in place of an object
// or array is empty. An error leaves the document at the character that caused it.
type Document struct {
	Limit int // bytes of one value in memory, default 64 MiB

	in      io.Reader
	inErr   error  // the error that ended reading of in
	text    []byte // text[at:] has not been read yet
	at      int
	offset  int64 // of text
	line    int   // number of line feeds before text[counted]
	counted int
	depth   int
	first   bool    // an object or array has just begun
	value   Scanner // for a Scannable; a field avoids an allocation
}

const (
	firstWindow  = 256 << 10
	defaultLimit = 64 << 20
	maxDepth     = 10_000 // as in encoding/json
)

// NewDocument returns a Document of in, which need not be buffered.
func NewDocument(in io.Reader) *Document {
	return &Document{Limit: defaultLimit, in: in, text: make([]byte, 0, firstWindow)}
}

// Offset returns the number of bytes read.
func (d *Document) Offset() int64 { return d.offset + int64(d.at) }

// Line returns the number of the line of the next character, from 1.
func (d *Document) Line() int {
	if d.counted < d.at {
		d.line += bytes.Count(d.text[d.counted:d.at], []byte("\n"))
		d.counted = d.at
	}
	return d.line + 1
}

// Window returns the following text that is in memory. It is valid until the next call of a method
// that reads.
func (d *Document) Window() []byte { return d.text[d.at:] }

// Discard skips n bytes of the window.
func (d *Document) Discard(n int) { d.at += n }

// fill adds text to the window. The window doubles when it is full.
func (d *Document) fill() error {
	if d.inErr != nil {
		return d.inErr
	}
	d.Line()
	d.offset += int64(d.at)
	d.text = d.text[:copy(d.text, d.text[d.at:])]
	d.at, d.counted = 0, 0
	if len(d.text) == cap(d.text) {
		if len(d.text) >= d.Limit {
			return fmt.Errorf("a value has more than %d bytes", d.Limit)
		}
		d.text = append(make([]byte, 0, min(2*len(d.text), max(d.Limit, firstWindow))), d.text...)
	}
	n, err := io.ReadAtLeast(d.in, d.text[len(d.text):cap(d.text)], 1)
	d.text = d.text[:len(d.text)+n]
	if d.inErr = err; n > 0 {
		return nil
	}
	return err
}

// Peek skips white space and returns the next character without reading it. At the end it returns
// io.EOF, or io.ErrUnexpectedEOF within an object or array, and the document remains before the
// white space.
func (d *Document) Peek() (byte, error) {
	for space := 0; ; {
		in := Scanner{text: d.text, at: d.at + space}
		in.Space()
		if in.at < len(d.text) {
			d.at = in.at
			return d.text[d.at], nil
		}
		if space = in.at - d.at; space >= firstWindow {
			d.at, space = in.at, 0
		}
		if err := d.fill(); err != nil {
			return 0, d.cut(err)
		}
	}
}

// cut returns the error for the end of the stream within a value.
func (d *Document) cut(err error) error {
	if err == io.EOF && d.depth > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}

// invalid returns the error for the next character.
func (d *Document) invalid(where string) error {
	return fmt.Errorf("invalid character %q %s", d.text[d.at], where)
}

// Open reads the beginning of an object or array. For a null it returns false.
func (d *Document) Open(begin byte) (present bool, err error) {
	c, err := d.Peek()
	switch {
	case err != nil:
		return false, err
	case c == begin:
		if d.depth++; d.depth > maxDepth {
			return false, errors.New("exceeded max depth")
		}
		d.at++
		d.first = true
		return true, nil
	case c == 'n':
		return false, d.Skip()
	case c == '{', c == '[':
		return false, fmt.Errorf("found %c instead of %c", c, begin)
	}
	value, err := d.Value()
	if err != nil {
		return false, err
	}
	d.at -= len(value)
	return false, fmt.Errorf("found %.30s instead of %c", value, begin)
}

// More reads up to the next member of an object or element of an array, or the end of it.
func (d *Document) More(end byte) (more bool, err error) {
	c, err := d.Peek()
	if err != nil {
		return false, err
	}
	switch first := d.first; {
	case c == end:
		d.at++
		d.depth--
		d.first = false
		return false, nil
	case first:
		d.first = false
		return true, nil
	case c != ',' && end == '}':
		return false, d.invalid("after object key:value pair")
	case c != ',':
		return false, d.invalid("after array element")
	}
	d.at++
	if c, err = d.Peek(); c == end && err == nil {
		return false, d.invalid("after a comma")
	}
	return true, err
}

// Key reads the key of a member and the colon.
func (d *Document) Key() (key string, err error) {
	c, err := d.Peek()
	if err != nil {
		return "", err
	}
	if c != '"' {
		return "", d.invalid("looking for beginning of object key string")
	}
	if key, err = d.Str(); err != nil {
		return "", err
	}
	if c, err = d.Peek(); err != nil {
		return "", err
	}
	if c != ':' {
		return "", d.invalid("after object key")
	}
	d.at++
	return key, nil
}

// Object calls member for each key of an object. Member reads the value.
func (d *Document) Object(member func(key string) error) error {
	present, err := d.Open('{')
	for more := present; more && err == nil; {
		if more, err = d.More('}'); !more || err != nil {
			return err
		}
		var key string
		if key, err = d.Key(); err == nil {
			err = member(key)
		}
	}
	return err
}

// Array calls element for each element of an array. Element reads it.
func (d *Document) Array(element func() error) error {
	present, err := d.Open('[')
	for more := present; more && err == nil; {
		if more, err = d.More(']'); more && err == nil {
			err = element()
		}
	}
	return err
}

// Skip reads a value without storing it.
func (d *Document) Skip() error {
	c, err := d.Peek()
	switch {
	case err != nil:
		return err
	case c == '{':
		return d.Object(func(string) error { return d.Skip() })
	case c == '[':
		return d.Array(d.Skip)
	}
	var ignored json.RawMessage
	return d.Decode(&ignored)
}

// Value reads a value of any kind and returns its text, which is valid until the next call. It
// checks only brackets and quotes.
func (d *Document) Value() ([]byte, error) {
	if _, err := d.Peek(); err != nil {
		return nil, err
	}
	var e extent
	for {
		n, ok := e.find(d.text[d.at:])
		if !ok {
			err := d.fill()
			if err == nil {
				continue
			}
			if err != io.EOF {
				return nil, err
			}
			if !isScalar(d.text[d.at:]) {
				return nil, io.ErrUnexpectedEOF
			}
			n = len(d.text) - d.at
		}
		if n == 0 {
			return nil, d.invalid("looking for beginning of value")
		}
		value := d.text[d.at : d.at+n]
		d.at += n
		return value, nil
	}
}
