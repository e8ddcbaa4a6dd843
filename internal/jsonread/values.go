package jsonread

import (
	"encoding/json"
	"errors"
	"io"
)

// Scannable is a value that can read itself if it has the usual form.
type Scannable interface {
	// Scan reads the value. It sets in.Bad and changes nothing if encoding/json must read it.
	Scan(in *Scanner)
}

// Decode reads a value like [json.Unmarshal]; a [Scannable] reads itself if possible. The error
// for invalid JSON leaves the document at the character that caused it, any other before the
// value.
func (d *Document) Decode(v any) error {
	text, err := d.Value()
	if err != nil {
		return err
	}
	if usual, ok := v.(Scannable); ok {
		d.value = NewScanner(text)
		if usual.Scan(&d.value); !d.value.Bad && d.value.Done() {
			return nil
		}
	}
	return d.unmarshal(text, v)
}

// unmarshal decodes the value read last.
func (d *Document) unmarshal(text []byte, v any) error {
	err := Unmarshal(text, v)
	if err == nil {
		return nil
	}
	atEnd := d.inErr == io.EOF && d.at == len(d.text)
	d.at -= len(text)
	syntax := (*json.SyntaxError)(nil)
	switch {
	case !errors.As(err, &syntax):
	case atEnd && isScalar(text):
		return io.ErrUnexpectedEOF // the text may be truncated
	default:
		d.at += max(int(syntax.Offset)-1, 0)
	}
	return err
}

// Unmarshal decodes a value as [json.Unmarshal] does. The error of a value of another type contains
// the path of the field in the file, and no types of Go.
func Unmarshal(text []byte, v any) error {
	err := json.Unmarshal(text, v)
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		return errors.New(WrongType(kind))
	}
	return err
}

// WrongType describes a value of the wrong type, with the path of its field if there is one.
func WrongType(e *json.UnmarshalTypeError) string {
	text := "a value of the wrong type: " + e.Value
	if e.Field != "" {
		text = e.Field + " has " + text
	}
	return text
}

// Str reads a string, or a null as "".
func (d *Document) Str() (s string, err error) {
	text, err := d.Value()
	if err != nil {
		return "", err
	}
	if n := len(text); n >= 2 && text[0] == '"' && Plain(text[1:n-1]) {
		return string(text[1 : n-1]), nil
	}
	return s, d.unmarshal(text, &s)
}

// Int reads a whole number. For a null it returns the parameter null.
func Int[T int32 | int64](d *Document, null T) (n T, err error) {
	text, err := d.Value()
	if err != nil {
		return 0, err
	}
	in := NewScanner(text)
	if x := in.Number(); !in.Bad && in.Done() && int64(T(x)) == x {
		return T(x), nil
	}
	n = null
	return n, d.unmarshal(text, &n)
}

// Number returns the text of a number. It is valid until the next call. A null is empty.
func (d *Document) Number() ([]byte, error) {
	text, err := d.Value()
	if err != nil || isDecimal(text) {
		return text, err
	}
	var n json.Number
	err = d.unmarshal(text, &n)
	return []byte(n), err
}

// Text is a string, or the text of another value: some versions of a format quote numbers.
type Text string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *Text) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, (*string)(t))
	}
	*t = Text(b)
	return nil
}
