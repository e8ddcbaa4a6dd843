package profile

import (
	"bufio"

	"artifice/internal/encode"
	"artifice/internal/profileproto"
)

// file is a profile on its way out. Errors of w come again when it is closed.
type file struct {
	w       *bufio.Writer
	strings map[string]int64
	list    []string
	head    encode.Message
}

// text returns the number of a string.
func (f *file) text(s string) int64 {
	n, ok := f.strings[s]
	if !ok {
		n = int64(len(f.list))
		f.strings[s], f.list = n, append(f.list, s)
	}
	return n
}

// field writes a field of the profile.
func (f *file) field(field int, b []byte) {
	f.head = encode.AppendHead(f.head[:0], field, len(b))
	f.w.Write(f.head)
	f.w.Write(b)
}

// valueType writes what a column of numbers, or the period, means.
func (f *file) valueType(field int, typ, unit string) {
	var m encode.Message
	m.Number(profileproto.ValueTypeType, f.text(typ))
	m.Number(profileproto.ValueTypeUnit, f.text(unit))
	f.field(field, m)
}

// close writes the strings.
func (f *file) close() error {
	for _, s := range f.list {
		f.field(profileproto.StringTable, []byte(s))
	}
	return f.w.Flush()
}
