package stackdump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"artifice/trace"
)

// JSON walks a JSON document token by token, so that a large one need not
// be in memory at once.
type JSON struct {
	Input
	Decoder *json.Decoder
	index   *lineIndex
}

func NewJSON(in Input, r io.Reader) JSON {
	index := &lineIndex{r: r, line: 1}
	return JSON{in, json.NewDecoder(index), index}
}

// Here makes the line of the decoder's place the one that warnings name.
func (j *JSON) Here() { j.Lines.Line = j.index.lineAt(j.Decoder.InputOffset()) }

// Fail gives an error its place. A document that ends too early is
// io.ErrUnexpectedEOF.
func (j *JSON) Fail(err error) error {
	if err == nil {
		return nil
	}
	if _, done := err.(*trace.FormatError); done {
		return err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	j.Here()
	return BadLine(j.Name, j.Lines.Line, "the JSON cannot be read on; it may be cut", err)
}

// Delim reads the delimiter want. A null in its place is taken for nothing.
func (j *JSON) Delim(want json.Delim) (present bool, err error) {
	token, err := j.Decoder.Token()
	if err != nil || token == nil {
		return false, err
	}
	if token != want {
		return false, fmt.Errorf("found %v instead of %v", token, want)
	}
	return true, nil
}

// Object calls member for each key of an object; member reads the value.
func (j *JSON) Object(member func(key string) error) error {
	if ok, err := j.Delim('{'); !ok {
		return err
	}
	for j.Decoder.More() {
		key, err := j.Decoder.Token()
		if err != nil {
			return err
		}
		if err := member(key.(string)); err != nil {
			return err
		}
	}
	_, err := j.Delim('}')
	return err
}

// Array calls element for each element of an array; element reads it.
func (j *JSON) Array(element func() error) error {
	if ok, err := j.Delim('['); !ok {
		return err
	}
	for j.Decoder.More() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := j.Delim(']')
	return err
}

// Skip reads a value that is of no use.
func (j *JSON) Skip() error {
	var ignored json.RawMessage
	return j.Decoder.Decode(&ignored)
}

// lineIndex finds the line of an offset in what it has read, when asked for
// growing offsets.
type lineIndex struct {
	r        io.Reader
	read     int64
	newlines []int64 // offsets of line feeds that were not passed yet
	line     int     // of the last offset asked for
}

// Read implements io.Reader.
func (x *lineIndex) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	for from := 0; ; {
		i := bytes.IndexByte(p[from:n], '\n')
		if i < 0 {
			break
		}
		x.newlines = append(x.newlines, x.read+int64(from+i))
		from += i + 1
	}
	x.read += int64(n)
	return n, err
}

// lineAt returns the number of the line that offset is in.
func (x *lineIndex) lineAt(offset int64) int {
	passed := 0
	for passed < len(x.newlines) && x.newlines[passed] < offset {
		passed++
	}
	x.newlines = append(x.newlines[:0], x.newlines[passed:]...)
	x.line += passed
	return x.line
}
