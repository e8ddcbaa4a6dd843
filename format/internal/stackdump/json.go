package stackdump

import (
	"io"

	"artifice/internal/jsonread"
	"artifice/trace"
)

// JSON is the part of a parser that reads JSON documents.
type JSON struct {
	Input
	*jsonread.Document
}

// NewJSON returns a JSON of the text r.
func NewJSON(in Input, r io.Reader) JSON { return JSON{in, jsonread.NewDocument(r)} }

// Here makes the line that is read the one that warnings name.
func (j *JSON) Here() { j.Lines.Line = j.Line() }

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
	return BadLine(j.Name, j.Lines.Line, "the rest of the JSON cannot be read; it may be cut off", err)
}
