package profileproto

import (
	"bufio"
	"io"

	"artifice/internal/protobuf"
)

// Writer writes a Profile field by field, so that it needs no list of stacks in memory: there can
// be millions, each as long as it is deep. Strings come last. An error of the underlying writer is
// returned by every later call, so callers need to check errors only before much work.
type Writer struct {
	*bufio.Writer // receives complete fields
	strings       *stringTable
	head          protobuf.Message // reused
}

// NewWriter returns a writer of a profile to w.
func NewWriter(w io.Writer) *Writer {
	p := &Writer{Writer: bufio.NewWriterSize(w, 1<<16), strings: newStringTable()}
	p.Text("") // string 0 is empty
	return p
}

// Text returns the number of the concatenation of parts. Strings of protocol buffers are valid
// UTF-8, so invalid bytes are replaced.
func (p *Writer) Text(parts ...string) int64 { return p.strings.number(parts...) }

// Field writes a field that has a message or packed integers.
func (p *Writer) Field(field int, b []byte) error {
	p.head = protobuf.AppendHead(p.head[:0], field, len(b))
	p.Write(p.head)
	_, err := p.Write(b)
	return err
}

// Number writes an integer field. It omits 0, the default.
func (p *Writer) Number(field int, v int64) {
	var m protobuf.Message
	m.Number(field, v)
	p.Write(m)
}

// ValueType writes the meaning of a column of numbers, or of the period.
func (p *Writer) ValueType(field int, typ, unit string) {
	var m protobuf.Message
	m.Number(ValueTypeType, p.Text(typ))
	m.Number(ValueTypeUnit, p.Text(unit))
	p.Field(field, m)
}

// Close writes the strings. It does not close the underlying writer.
func (p *Writer) Close() error {
	p.strings.write(p.Writer)
	return p.Flush()
}
