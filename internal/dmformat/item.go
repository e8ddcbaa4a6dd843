package dmformat

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Codes of the items of a streaming file, after two bytes of 0.
const (
	ItemMethod  = 1 // u2 length, method line with its line end
	ItemThread  = 2 // u2 tid, u2 length, name
	ItemSummary = 3 // u4 length, key section; ends the file
)

// AppendMethodItem appends the announcement of a method. line is its line in the table, including
// the line end.
func AppendMethodItem(b []byte, line string) ([]byte, error) {
	if len(line) > math.MaxUint16 {
		return b, fmt.Errorf("method line of %d bytes; a streaming file allows at most 65535: %.60q…", len(line), line)
	}
	b = append(b, 0, 0, ItemMethod)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(line)))
	return append(b, line...), nil
}

// AppendThreadItem appends the announcement of a thread.
func AppendThreadItem(b []byte, tid uint16, name string) ([]byte, error) {
	if len(name) > math.MaxUint16 {
		return b, fmt.Errorf("name of thread %d has %d bytes; a streaming file allows at most 65535", tid, len(name))
	}
	b = append(b, 0, 0, ItemThread)
	b = binary.LittleEndian.AppendUint16(b, tid)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	return append(b, name...), nil
}

// AppendSummaryHead appends the bytes that precede a summary of size bytes.
func AppendSummaryHead(b []byte, size int) ([]byte, error) {
	if uint64(size) > math.MaxUint32 {
		return b, fmt.Errorf("the summary has %d bytes; a streaming file allows at most 4 GiB", size)
	}
	b = append(b, 0, 0, ItemSummary)
	return binary.LittleEndian.AppendUint32(b, uint32(size)), nil
}
