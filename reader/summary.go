package reader

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	"artifice/internal/dmformat"
)

// summaryOptions looks for the summary at the end of a file and returns its
// options; none where there is no summary. head is what stands in front of its
// text: a code and the text's length, in a streaming file 7 bytes of which the
// length has 4, in format V2 3 of which it has 2.
func summaryOptions(r io.ReaderAt, size int64, head int) (map[string]string, error) {
	const most = 16 << 20 // a summary with 100000 methods is smaller
	mark := []byte(dmformat.SectionVersion + "\n")
	buf := make([]byte, bufferSize)
	for end := size; size-end < most; {
		start := max(0, end-bufferSize)
		b := buf[:end-start]
		if _, err := r.ReadAt(b, start); err != nil && err != io.EOF {
			return nil, err
		}
		for i := bytes.LastIndex(b, mark); i >= 0; i = bytes.LastIndex(b[:i+len(mark)-1], mark) {
			if i >= head && isSummaryHead(b[i-head:i], size-start-int64(i)) {
				return readOptions(r, start+int64(i))
			}
		}
		if start == 0 {
			break
		}
		end = start + int64(head+len(mark)) // they may straddle two blocks
	}
	return nil, nil
}

// isSummaryHead reports whether b announces a summary of n bytes.
func isSummaryHead(b []byte, n int64) bool {
	if len(b) == 3 {
		return b[0] == dmformat.PacketSummary && int64(binary.LittleEndian.Uint16(b[1:])) == n
	}
	return b[0]|b[1] == 0 && b[2] == dmformat.ItemSummary && int64(binary.LittleEndian.Uint32(b[3:])) == n
}

// readOptions returns the options of the key section at off.
func readOptions(r io.ReaderAt, off int64) (map[string]string, error) {
	b := make([]byte, 4096) // they are a few lines
	n, err := r.ReadAt(b, off)
	if err != nil && err != io.EOF {
		return nil, err
	}
	options := map[string]string{}
	for line := range strings.SplitSeq(string(b[:n]), "\n") {
		if line == dmformat.SectionThreads || line == dmformat.SectionEnd {
			break
		}
		if key, value, ok := strings.Cut(line, "="); ok {
			options[key] = value
		}
	}
	return options, nil
}
