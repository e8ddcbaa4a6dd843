package check

import (
	"bufio"
	"encoding/binary"
	"io"
	"slices"
	"strings"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// Sizes of the parts of a file in memory.
const (
	bufferBytes  = 1 << 17
	maxLineBytes = 1 << 20
)

// scanner scans a classic file independently of the reader: its text line by line, and its header
// field by field. It only counts records.
type scanner struct {
	report  *Report
	in      *bufio.Reader
	off     int64
	lines   lineChecker
	version string // version in the text
	records int64  // num-method-calls; -1 if not stated
	grammar dmformat.KeySectionLines
	unknown bool // in a section that no reader recognizes
}

// classic scans a classic file. It returns errors of reading, not of content.
func (s *scanner) classic() error {
	s.records = -1
	s.lines = lineChecker{report: s.report, dense: true, tidMask: 0xffff}
	ended, err := s.key()
	if err != nil || !ended {
		return err
	}
	s.afterKey()
	return s.data()
}

// key scans the key section and reports whether it came to its *end.
func (s *scanner) key() (ended bool, err error) {
	for {
		at := s.off
		line, err := s.line()
		switch {
		case err == bufio.ErrBufferFull:
			s.report.add("E010", at, "%s", dmformat.LongLine(maxLineBytes))
			return false, nil
		case err == io.EOF:
			s.report.add("E006", at, "the file ends in the key section, after %d bytes", s.off)
			return false, nil
		case err != nil:
			return false, err
		}
		if at == 0 && strings.HasSuffix(line, "\r") {
			s.report.add("E004", 0, "the first line ends in CR LF")
			return false, nil
		}
		kind := s.grammar.Next(line)
		if kind == dmformat.KeySectionEnd {
			return true, nil
		}
		s.content(kind, at, line)
	}
}

// content checks a line that is of the given kind. A line that begins with a star but opens no
// section is reported. The lines after it are ignored up to the next section.
func (s *scanner) content(kind dmformat.KeyLine, at int64, line string) {
	switch {
	case kind == dmformat.KeyExtra:
		if at == 0 {
			s.report.add("W106", at, "unknown section %.60q", line)
		}
	case kind == dmformat.KeySection:
		if s.unknown = false; s.grammar.Begun(line) > 1 {
			s.report.add("E009", at, "a second section %s", line)
		}
	case strings.HasPrefix(line, "*"):
		s.unknown = true
		s.report.add("W106", at, "unknown section %.60q", line)
	case s.unknown:
	case kind == dmformat.KeyVersion:
		s.version = line
		s.checkVersion(at, line)
	case kind == dmformat.KeyOption:
		if key, value, _ := strings.Cut(line, "="); key == dmformat.KeyRecords {
			if n, ok := dmformat.OptionNumber(key, value); ok {
				s.records = n
			}
		}
		s.lines.option(at, line)
	case kind == dmformat.KeyThread:
		s.lines.thread(at, line)
	case kind == dmformat.KeyMethod:
		s.lines.method(at, line)
	}
}

func (s *scanner) checkVersion(at int64, line string) {
	switch line {
	case "1":
		s.lines.tidMask, s.lines.global = 0xff, true
	case "2", "3":
	default:
		s.report.add("E008", at, "unknown version %.20q", line)
	}
}

func (s *scanner) knownVersion() bool {
	return s.version == "1" || s.version == "2" || s.version == "3"
}

// afterKey checks properties of the whole key section.
func (s *scanner) afterKey() {
	want := []string{dmformat.SectionVersion, dmformat.SectionThreads, dmformat.SectionMethods}
	switch {
	case !slices.Contains(s.grammar.Sections, dmformat.SectionVersion), s.version == "":
		s.report.add("E007", -1, "the key section has no line %s followed by a number", dmformat.SectionVersion)
	case !slices.Equal(s.grammar.Sections, want):
		s.report.add("W105", -1, "the order of the sections is %s", strings.Join(s.grammar.Sections, " "))
	}
	s.lines.finish()
}

// data scans the data section and counts its bytes.
func (s *scanner) data() error {
	at, facts := s.off, &s.report.facts
	if head, err := s.peek(dmformat.HeaderSize); err == nil && len(head) == dmformat.HeaderSize {
		if h, err := dmformat.ParseHeader(head); err == nil {
			facts.Version, facts.RecordSize = int(h.Version), h.RecordSize
		}
	}
	if err := s.section(at); err != nil {
		return err
	}
	n, _ := io.Copy(io.Discard, s.in) // the reader of events meets the same error and reports it
	facts.DataBytes = s.off + n - at
	return nil
}

// section scans the header and counts the records.
func (s *scanner) section(at int64) error {
	head, err := s.peek(8)
	switch {
	case err != nil:
		return err
	case len(head) < 8:
		s.report.add("E011", at, "%d bytes follow the key section", len(head))
		return nil
	case string(head[:4]) != dmformat.Magic:
		s.report.add("E013", at, "%s", dmformat.WrongMagic(head[:4]))
		return nil
	}
	size := dmformat.HeaderLength(head)
	if head, err = s.peek(size); err != nil {
		return err
	}
	if size < 8 {
		s.report.add("E016", at+6, "%s", dmformat.ShortHeader(size))
		return nil
	}
	if len(head) < size {
		s.report.add("E015", at, "the file has only %d of the header's %d bytes", len(head), size)
		return nil
	}
	h, err := dmformat.ParseHeader(head)
	if err != nil {
		s.headerError(at, head, err)
		return nil
	}
	s.header(at, h, size)
	s.off += int64(size)
	if _, err := s.in.Discard(size); err != nil {
		return err
	}
	return s.countRecords(h)
}

// headerError reports a header that is too short, or one of an unknown version.
func (s *scanner) headerError(at int64, head []byte, err error) {
	version := binary.LittleEndian.Uint16(head[4:])
	if version >= 1 && version <= 3 {
		s.report.add("E016", at+6, "%v", err)
		return
	}
	if s.knownVersion() {
		s.report.add("E014", at+4, "version %s in the key section, %#x in the header", s.version, version)
	}
}

func (s *scanner) header(at int64, h dmformat.Header, size int) {
	f := &s.report.facts
	f.Version, f.RecordSize = int(h.Version), h.RecordSize
	if want := string([]byte{'0' + byte(h.Version)}); s.knownVersion() && s.version != want || h.Streaming {
		s.report.add("E014", at+4, "version %.20q in the key section, %d in the header", s.version, h.Version)
	}
	f.ShortHeader = h.Version == 1 && size == dmformat.HeaderSize1
	if size != dmformat.HeaderSize && !f.ShortHeader {
		s.report.add("W107", at+6, "the header has %d bytes", size)
	}
	clock, known := trace.ParseClock(s.lines.clock)
	switch {
	case !known:
	case clock == trace.Dual && h.Version < 3:
		s.report.add("E019", at+4, "clock=dual needs version 3, but the header has version %d", h.Version)
	case h.Version >= 3:
		if err := dmformat.LayoutFor(h.Version, clock).CheckSize(h.RecordSize, clock); err != nil {
			s.report.add("E012", at+16, "%v", err)
		}
	}
}

// countRecords reads to the end of the file and counts the records.
func (s *scanner) countRecords(h dmformat.Header) error {
	size := int64(h.RecordSize)
	if h.Version < 3 {
		size = int64(dmformat.LayoutFor(h.Version, trace.Wall).Size)
	}
	if s.report.Errors() > 0 || size == 0 {
		return nil // the record size is unreliable
	}
	start := s.off
	n, err := io.Copy(io.Discard, s.in)
	if err != nil {
		return nil // the reader of events meets the same error and reports it
	}
	s.off += n
	whole := n / size
	if rest := n % size; rest != 0 {
		clock, _ := trace.ParseClock(s.lines.clock)
		s.report.facts.CutBehind = rest >= int64(dmformat.LayoutFor(h.Version, clock).FieldBytes())
		s.report.add("E017", start+whole*size, "the file has only %d of the record's %d bytes", rest, size)
	}
	switch {
	case s.records < 0 || whole == s.records:
	case whole < s.records:
		s.report.add("E018", start+n, "%s", dmformat.RecordsMissing(whole, s.records))
	default:
		s.report.add("W122", start+s.records*size, "%s", dmformat.RecordCount(whole, s.records))
	}
	return nil
}

// peek returns up to n bytes without consuming them; fewer at the end of the file.
func (s *scanner) peek(n int) ([]byte, error) {
	b, err := s.in.Peek(n)
	if err == io.EOF {
		err = nil
	}
	return b, err
}

// line consumes a line and returns it without its line end. If the line is too long, it returns
// bufio.ErrBufferFull.
func (s *scanner) line() (string, error) {
	var line []byte
	for {
		b, err := s.in.ReadSlice('\n')
		s.off += int64(len(b))
		line = append(line, b...)
		switch {
		case len(line) > maxLineBytes:
			return "", bufio.ErrBufferFull
		case err == nil:
			return string(line[:len(line)-1]), nil
		case err != bufio.ErrBufferFull:
			return "", err
		}
	}
}
