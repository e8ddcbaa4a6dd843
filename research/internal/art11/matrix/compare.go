package matrix

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"artifice/research/internal/art11"
	"artifice/trace"
)

// Compare returns the first difference of two files, or nil.
func Compare(art, ours []byte, w art11.Way) error {
	if w.Streaming && w.Clock != trace.Dual {
		art, ours = masked(art), masked(ours)
	}
	if bytes.Equal(art, ours) {
		return nil
	}
	a, b := split(art), split(ours)
	var text []string
	if a.table != b.table {
		text = append(text, differingLines(a.table, b.table))
	}
	if !bytes.Equal(a.data, b.data) {
		n := 0
		for n < min(len(a.data), len(b.data)) && a.data[n] == b.data[n] {
			n++
		}
		size := recordSize(w)
		text = append(text, fmt.Sprintf("data of %d and %d bytes differ from byte %d on, about event %d: %x and %x",
			len(a.data), len(b.data), n, n/size, around(a.data, n, size), around(b.data, n, size)))
	}
	return fmt.Errorf("ART and we: %s", strings.Join(text, "; "))
}

// recordSize returns the size of a record.
func recordSize(w art11.Way) int {
	if w.Streaming || w.Clock == trace.Dual {
		return 14
	}
	return 10
}

// around returns the record that contains byte n, in records that follow a header of 32 bytes.
func around(data []byte, n, size int) []byte {
	const header = 32
	from := max(0, n)
	if n >= header {
		from = header + (n-header)/size*size
	}
	return data[min(from, len(data)):min(from+size, len(data))]
}

// parts are a file's text and its records.
type parts struct {
	table string
	data  []byte
}

// split splits a file: in output mode file the text is first, in a stream last.
func split(file []byte) parts {
	if at := bytes.Index(file, []byte("*end\nSLOW")); at >= 0 {
		return parts{string(file[:at+5]), file[at+5:]}
	}
	if at := bytes.LastIndex(file, []byte("*version\n")); at >= 0 {
		return parts{string(file[at:]), file[:at]}
	}
	return parts{data: file}
}

// differingLines returns the first lines in which two texts differ.
func differingLines(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d is %q and %q", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// Announcements in a stream, in the place of a record's thread.
const (
	announcedMethod = 1
	announcedThread = 2
	summary         = 3
)

// masked returns a stream with one clock in which the last four bytes of each record are 0: ART 11
// writes 14 bytes and sets ten.
func masked(stream []byte) []byte {
	const header, record, set = 32, 14, 10
	out := bytes.Clone(stream)
	for at := header; at+record <= len(out); {
		b := out[at:]
		if binary.LittleEndian.Uint16(b) != 0 {
			clear(b[set:record])
			at += record
			continue
		}
		switch b[2] {
		case announcedMethod:
			at += 5 + int(binary.LittleEndian.Uint16(b[3:]))
		case announcedThread:
			at += 7 + int(binary.LittleEndian.Uint16(b[5:]))
		default:
			return out
		}
	}
	return out
}
