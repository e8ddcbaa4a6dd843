package profileproto

import (
	"bufio"
	"io"

	"artifice/internal/protobuf"
)

// Writer writes a Profile field by field, so that no list of its stacks is held: there can
// be millions, each as long as it is deep. Its strings come last. An error of what lies
// below comes again at every later call, so that only who has much left to write looks at it.
type Writer struct {
	*bufio.Writer // takes whole fields
	strings       *stringTable
	head          protobuf.Message // reused
}

// NewWriter returns a writer of a profile to w.
func NewWriter(w io.Writer) *Writer {
	p := &Writer{Writer: bufio.NewWriterSize(w, 1<<16), strings: newStringTable()}
	p.Text("") // string 0 is the empty one
	return p
}

// Text returns the number of the string that the parts make together. A protocol buffer's
// string is valid UTF-8, so what is not is replaced.
func (p *Writer) Text(parts ...string) int64 { return p.strings.number(parts...) }

// Field writes a field that has a message or packed integers.
func (p *Writer) Field(field int, b []byte) error {
	p.head = protobuf.AppendHead(p.head[:0], field, len(b))
	p.Write(p.head)
	_, err := p.Write(b)
	return err
}

// Number writes a field that has an integer; 0 is what an absent one means.
func (p *Writer) Number(field int, v int64) {
	var m protobuf.Message
	m.Number(field, v)
	p.Write(m)
}

// ValueType writes what a column of numbers, or the period, means.
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
