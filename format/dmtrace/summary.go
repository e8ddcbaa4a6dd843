package dmtrace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// RecordsMissing is the message of a file with fewer records than its text says.
func RecordsMissing(n, want int64) string {
	return fmt.Sprintf("the file ends after %d records of the %d that num-method-calls says", n, want)
}

// SummaryOptions looks for the summary at the end of a file and returns its
// options; none where there is no summary. head is what stands in front of its
// text: a code and the text's length, in a streaming file 7 bytes of which the
// length has 4, in format V2 3 of which it has 2.
func SummaryOptions(r io.ReaderAt, size int64, head int) (map[string]string, error) {
	const most = 16 << 20 // a summary with 100000 methods is smaller
	mark := []byte(dmformat.SectionVersion + "\n")
	buf := make([]byte, BufferSize)
	for end := size; size-end < most; {
		start := max(0, end-BufferSize)
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

// TrimLineEnd returns a line without its end.
func TrimLineEnd(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		return s[:n-1]
	}
	return s
}

// InPart notes in an error which part of the file it is in.
func InPart(p trace.Part, err error) error {
	var format *trace.FormatError
	if errors.As(err, &format) {
		format.Part = p
	}
	return err
}

// VersionsDiffer is the message of a text and a header that say different versions.
func VersionsDiffer(text, header uint16) string {
	return fmt.Sprintf("the key section says version %d, the header %d", text, header)
}

// EndOfSummary checks that the file ends where the summary does, which was read
// from sub.
func (f *File) EndOfSummary(in, sub *Input, limited *io.LimitedReader) error {
	if rest := int64(sub.Bytes.Buffered()) + limited.N; rest > 0 {
		f.Warnf(trace.WarnAfterSummary, "the summary continues for %d bytes after its *end; they are ignored", rest)
		if _, err := io.Copy(io.Discard, sub.Bytes); err != nil {
			return sub.Cut("reading the summary", err)
		}
	}
	in.Off = sub.Off
	switch _, err := in.Window(1, "the end of the file"); err {
	case io.EOF:
		return io.EOF
	case nil:
		f.Warnf(trace.WarnAfterSummary, "the bytes after the summary, from offset %d on, are ignored", in.Off)
		return io.EOF
	default:
		return err
	}
}
