package dmtrace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// keySection contains what the text of a trace states beyond its recording's Info and Source.
type keySection struct {
	Version  uint16      // of the format
	Records  int64       // num-method-calls; -1 if absent
	Clock    trace.Clock // the stated clock, if HasClock
	HasClock bool        // the file states its clock
}

// keyKind is the common part of the key sections of a family of formats.
type keyKind struct {
	versions string   // accepted version digits
	sections []string // in the order of writing
}

var (
	// classicKey describes the key sections of classic files and the summaries of streaming files.
	classicKey = keyKind{"123", []string{dmformat.SectionVersion, dmformat.SectionThreads, dmformat.SectionMethods}}
	// v2Key describes the summaries of format V2.
	v2Key = keyKind{"45", []string{dmformat.SectionVersion}}
)

// readKey reads a key section up to and including *end: at the beginning of a classic file, or in
// the summary of a streaming file. It stores the lines in f.Source, and the properties of the trace
// in f.Info.
func (f *File) readKey(in *input, kind keyKind) (k keySection, err error) {
	k.Records = -1
	var lines dmformat.KeySectionLines
	src := f.Source
	for {
		start := in.off
		line, err := in.line()
		if err != nil {
			return k, err
		}
		fail := func(msg string) error { return &trace.FormatError{Name: in.name, Offset: start, Msg: msg} }
		switch lines.Next(line) {
		case dmformat.KeySectionEnd:
			if !slices.Equal(lines.Sections, kind.sections) {
				f.warnf(trace.WarnSections, "the parts of the key section are in the order %s; expected %s", strings.Join(lines.Sections, " "), strings.Join(kind.sections, " "))
			}
			if k.Version == 0 {
				return k, in.errorf("the key section has no *version line")
			}
			return k, nil
		case dmformat.KeySection:
			if lines.Begun(line) > 1 {
				return k, fail("a second section " + line)
			}
		case dmformat.KeyExtra:
			src.Extra = append(src.Extra, line)
		case dmformat.KeyVersion:
			if len(line) != 1 || !strings.Contains(kind.versions, line) {
				return k, fail(fmt.Sprintf("unknown trace version %.20q (known here: %s)", line, strings.Join(strings.Split(kind.versions, ""), ", ")))
			}
			k.Version = uint16(line[0] - '0')
		case dmformat.KeyOption:
			src.Options = append(src.Options, line)
			f.option(&k, line)
		case dmformat.KeyThread:
			src.Threads = append(src.Threads, line)
		case dmformat.KeyMethod:
			src.Methods = append(src.Methods, line)
		default:
			return k, fail(wrongStart(line))
		}
	}
}

func wrongStart(line string) string {
	if strings.HasSuffix(line, "\r") {
		return "lines end in CR LF: the file was changed by a transfer as text; fetch it again as binary"
	}
	return fmt.Sprintf("the key section begins with %.40q; expected *version", line)
}

// option processes one key=value line. Unknown keys are ignored and kept in f.Source.
func (f *File) option(k *keySection, line string) {
	key, value, ok := strings.Cut(line, "=")
	if !ok {
		return
	}
	switch key {
	case dmformat.KeyOverflow:
		f.Info.Overflow = value == "true"
	case dmformat.KeyClock:
		k.Clock, k.HasClock = trace.ParseClock(value)
	case dmformat.KeyElapsed:
		f.Info.Elapsed = time.Duration(f.number(key, value)) * time.Microsecond
	case dmformat.KeyElapsedN:
		f.Info.Elapsed = time.Duration(f.number(key, value))
	case dmformat.KeyRecords:
		k.Records = f.number(key, value)
	case dmformat.KeyOverhead:
		f.Info.ClockOverhead = time.Duration(f.number(key, value))
	case dmformat.KeyVM:
		f.Info.VM = value
	case dmformat.KeyPID:
		f.Info.PID = int(f.number(key, value))
	case dmformat.KeyCompleted:
		parts := strings.Split(value, ",")
		f.noClass, f.noSignature = slices.Contains(parts, "class"), slices.Contains(parts, "signature")
	}
}

// number parses the value of an option. A value that is not a number counts as 0, or as absent for
// num-method-calls, with a warning.
func (f *File) number(key, value string) int64 {
	n, ok := dmformat.OptionNumber(key, value)
	if ok {
		return n
	}
	limit, _ := dmformat.OptionLimit(key)
	f.warnf(trace.WarnOption, "option %.60q: the value is not a number from 0 to %d", key+"="+value, limit)
	if key == dmformat.KeyRecords {
		return -1
	}
	return 0
}

// summaryOptions searches for the summary at the end of a file and returns its options, or none if
// there is no summary. head is the length of the summary's prefix, which consists of a code and the
// length of the text. It has 7 bytes in a streaming file, 4 of them for the length, and 3 bytes in
// format V2, 2 of them for the length.
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
		end = start + int64(head+len(mark)) // the prefix and the text may be in two blocks
	}
	return nil, nil
}

// isSummaryHead reports whether b is the prefix of a summary of n bytes.
func isSummaryHead(b []byte, n int64) bool {
	if len(b) == 3 {
		return b[0] == dmformat.PacketSummary && int64(binary.LittleEndian.Uint16(b[1:])) == n
	}
	return b[0]|b[1] == 0 && b[2] == dmformat.ItemSummary && int64(binary.LittleEndian.Uint32(b[3:])) == n
}

// readOptions returns the options of the key section at off.
func readOptions(r io.ReaderAt, off int64) (map[string]string, error) {
	b := make([]byte, 4096) // the options are a few lines
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

// trimLineEnd returns a line without its line end.
func trimLineEnd(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		return s[:n-1]
	}
	return s
}

// inPart adds the part of the file to an error.
func inPart(p string, err error) error {
	var format *trace.FormatError
	if errors.As(err, &format) {
		format.Part = p
	}
	return err
}

// versionsDiffer is the message for different versions in text and header.
func versionsDiffer(text, header uint16) string {
	return fmt.Sprintf("the key section states version %d, but the header states version %d", text, header)
}

// summary is the key section at the end of a file.
type summary struct {
	keySection
	text    *input
	limited *io.LimitedReader // limits the text
}

// readSummary reads a summary of length bytes at the position of in. version is the version in the
// file's header.
func (f *File) readSummary(in *input, length int64, kind keyKind, version uint16) (s summary, err error) {
	s.limited = &io.LimitedReader{R: in.r, N: length}
	s.text = newInput(s.limited, in.name, in.off)
	s.keySection, err = f.readKey(s.text, kind)
	if err == nil && s.Version != version {
		err = &trace.FormatError{Name: in.name, Offset: in.off, Msg: versionsDiffer(s.Version, version)}
	}
	if err != nil {
		return s, inPart("summary", err)
	}
	if s.HasClock && s.Clock != f.Info.Clock {
		f.warnf(warnClockContested, "the summary states clock=%s, but the times were read as %s", s.Clock, f.Info.Clock)
	}
	if s.Records >= 0 {
		f.Info.Events = s.Records
	}
	return s, nil
}

// end checks that the file ends with the summary. It returns io.EOF in that case.
func (s *summary) end(f *File, in *input) error {
	if rest := int64(s.text.r.Buffered()) + s.limited.N; rest > 0 {
		f.warnf(warnAfterSummary, "the summary continues for %d bytes after its *end; these bytes are ignored", rest)
		if _, err := io.Copy(io.Discard, s.text.r); err != nil {
			return s.text.cut("reading the summary", err)
		}
	}
	in.off = s.text.off
	switch _, err := in.window(1, "the end of the file"); err {
	case io.EOF:
		return io.EOF
	case nil:
		f.warnf(warnAfterSummary, "the bytes after the summary, from offset %d on, are ignored", in.off)
		return io.EOF
	default:
		return err
	}
}

// warnNoSummary is called at the end of a file that lacks its summary.
func (f *File) warnNoSummary() {
	f.warnf(trace.WarnNoSummary, "the file has no summary, because its writer did not finish; events may be missing at the end")
}

// singleClock returns the clock of a file with one clock, given the options of its summary.
func (f *File) singleClock(options map[string]string) trace.Clock {
	clock, ok := trace.ParseClock(options[dmformat.KeyClock])
	if !ok || clock == trace.Dual {
		f.warnf(trace.WarnClockAssumed, "no summary states the clock; times are read as wall time")
		return trace.Wall
	}
	return clock
}
