package reader

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

// stream reads the items of a streaming file.
type stream struct {
	in      *input
	f       *File
	recs    *records
	ahead   *ahead[*recordWorker]
	version uint16
	n       int64 // events so far
	err     error
}

// openStream reads the header of a streaming file.
func (f *File) openStream(in *input) error {
	f.Source = &trace.Source{Format: dmformat.ARTStream}
	f.Info.Events = -1
	f.Info.VM = "art"
	h, err := f.readHeader(in)
	if err != nil {
		return err
	}
	fail := func(err error) error { return &trace.FormatError{Name: in.name, Msg: err.Error()} }
	if h.Version == 1 {
		return fail(errors.New("streaming trace of version 1; only versions 2 and 3 exist"))
	}
	if h.Version == 3 {
		f.Info.Clock = trace.Dual
	} else if in, err = f.singleClock(in); err != nil {
		return err
	}
	l := dmformat.LayoutFor(h.Version, f.Info.Clock)
	if err := checkSize(h.RecordSize, l, f.Info.Clock); err != nil {
		return fail(err)
	}
	f.Source.RecordSize = h.RecordSize
	l.Size = f.recordSize(in, h.RecordSize)
	t := newTables(f, l.TIDBytes)
	t.streaming = true
	recs := &records{tables: t, layout: l, clock: f.Info.Clock}
	f.Events = &stream{in: in, f: f, version: h.Version, recs: recs, ahead: recs.newAhead()}
	return nil
}

// singleClock finds out whether the one clock of the file is wall or thread
// CPU, which only the summary at its end says, and returns where to read on.
func (f *File) singleClock(in *input) (*input, error) {
	in, err := f.spool(in)
	if err != nil {
		return nil, err
	}
	options, err := summaryOptions(f.plain, f.size, 7)
	if err != nil {
		return nil, in.cut("looking for the summary", err)
	}
	clock, ok := trace.ParseClock(options[dmformat.KeyClock])
	if !ok || clock == trace.Dual {
		f.warnf(trace.WarnClockAssumed, "there is no summary to say which clock was used; times are read as wall time")
		clock = trace.Wall
	}
	f.Info.Clock = clock
	return in, nil
}

// ReadEvents implements [trace.Reader].
func (s *stream) ReadEvents(p []trace.Event) (n int, err error) {
	if len(p) == 0 {
		return 0, s.err
	}
	for n == 0 && s.err == nil {
		if n, s.err = s.read(p); s.err == nil {
			s.err = s.f.checkMethods(s.in)
		}
		s.n += int64(n)
	}
	if n > 0 {
		return n, nil
	}
	return 0, s.err
}

// read reads one item that is no record, or a run of records.
func (s *stream) read(p []trace.Event) (int, error) {
	s.ahead.turn(s.in, s.f.Symbols)
	if n := s.recs.ready(s.ahead, s.in, p); n > 0 {
		return n, nil
	}
	raw, err := s.in.window(2, "an item")
	if err != nil {
		if err == io.EOF {
			s.f.warnf(trace.WarnNoSummary, "the file has no summary, because its writer did not finish; events may be missing at the end")
			s.recs.warn()
		}
		return 0, err
	}
	if raw[0] == 0 && raw[1] == 0 {
		return 0, s.item()
	}
	size := s.recs.layout.Size
	if raw, err = s.in.window(size, "a record"); err != nil {
		return 0, err
	}
	n, err := s.recs.decode(p[:min(len(p), len(raw)/size)], raw)
	s.in.skip(n * size)
	if err != nil {
		err = s.recs.fail(err, s.in, &p[n], s.n+int64(n))
	}
	return n, err
}

func recordsMissing(n, want int64) string {
	return fmt.Sprintf("the file ends after %d records of the %d that num-method-calls says", n, want)
}

// recordSize returns the size of the records that follow. ART up to 13 writes
// 14 bytes also for one clock, while its header says 10: the last four are
// junk. Both sizes are tried on the first block.
func (f *File) recordSize(in *input, size int) int {
	const single, dual = 10, 14
	if size != single {
		return size
	}
	b := in.head(bufferSize)
	whole := len(b) < bufferSize
	if walk(b, dual, whole) <= walk(b, single, whole) {
		return size
	}
	f.warnf(trace.WarnRecordSize, "records have %d bytes where the header says %d, as ART up to 13 writes them for one clock; "+
		"written back they have %[2]d", dual, single)
	return dual
}

// How well a size of records fits what a file begins with.
const (
	fitsNot  = iota
	fitsPart // as far as the file goes, which has no summary or ends within an item
	fits
)

// walk tells how well b, or the whole file, is a sequence of items if records
// have that size: each record's thread was announced, codes are known, method
// lines end and a summary begins as such.
func walk(b []byte, size int, whole bool) int {
	known := map[uint16]bool{}
	for len(b) >= 7 {
		tid := binary.LittleEndian.Uint16(b)
		n := size
		if tid == 0 {
			n = itemLength(b)
		}
		switch {
		case tid != 0 && !known[tid], n < 0:
			return fitsNot
		case tid != 0:
		case b[2] == dmformat.ItemThread:
			known[binary.LittleEndian.Uint16(b[3:])] = true
		case b[2] == dmformat.ItemMethod && n <= len(b) && b[n-1] != '\n',
			b[2] == dmformat.ItemSummary && !isPrefix(b[7:], dmformat.SectionVersion):
			return fitsNot
		case b[2] == dmformat.ItemSummary && n == len(b):
			return fits
		}
		if n > len(b) {
			break
		}
		b = b[n:]
	}
	if whole {
		return fitsPart
	}
	return fits
}

// isPrefix reports whether b begins with text, or text with b.
func isPrefix(b []byte, text string) bool {
	n := min(len(b), len(text))
	return string(b[:n]) == text[:n]
}

// itemLength returns the length of the item that b begins with, which is no
// record and of which at least 7 bytes are there; -1 for an unknown code.
func itemLength(b []byte) int {
	switch b[2] {
	case dmformat.ItemMethod:
		return 5 + int(binary.LittleEndian.Uint16(b[3:]))
	case dmformat.ItemThread:
		return 7 + int(binary.LittleEndian.Uint16(b[5:]))
	case dmformat.ItemSummary:
		return 7 + int(binary.LittleEndian.Uint32(b[3:]))
	}
	return -1
}

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
