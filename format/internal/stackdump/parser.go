package stackdump

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"artifice/internal/words"
	"artifice/trace"
)

// Parser reads the dumps of one format from one file.
type Parser interface {
	// Next stores the next dump in d, which has been reset. It returns io.EOF after the last dump.
	Next(d *Dump) error
}

// Input is the common part of parsers of text formats.
type Input struct {
	Name   string
	Lines  *Lines
	Frames *Frames
	Warn   *Warnings
	Locks  bool // locks are read
	Depth  int  // maximum number of frames of a stack, of [trace.Limits]
}

// ComplainDepth warns that the last line read adds frames to a stack with the maximum depth.
func (in *Input) ComplainDepth() {
	in.Complain(trace.WarnDumpCut, fmt.Sprintf("a stack has more than %d frames; further frames are dropped (--limit depth=N keeps more)", in.Depth), "")
}

// Complain warns about the last line read.
func (in *Input) Complain(code trace.WarningCode, what, detail string) {
	in.Warn.Add(code, in.Name, in.Lines.Line, what, detail)
}

// Frame returns the number of the frame with this text in syntax s.
func (in *Input) Frame(s Syntax, text []byte) FrameID {
	id := in.Frames.intern(s, text)
	in.CheckText(text)
	return id
}

// Text returns a name as a string.
func (in *Input) Text(name []byte) string {
	s := in.Frames.Name(name)
	in.CheckText(name)
	return s
}

// CheckText warns if a new text cannot be used in tables unchanged.
func (in *Input) CheckText(text []byte) {
	if in.Frames.spoiled {
		in.Frames.spoiled = false
		in.Complain(trace.WarnDumpText, "invalid UTF-8 or a control character is replaced", words.Quote(text))
	}
}

// BadLine returns an error about a line of a file, or about the file if line is 0.
func BadLine(name string, line int, msg string, err error) error {
	return &trace.FormatError{Name: name, Offset: -1, Line: line, Msg: msg, Err: err}
}

// Failed returns the error of a stream that failed, or nil at a proper end.
func (in *Input) Failed() error {
	err := in.Lines.Failure()
	if err == nil {
		return nil
	}
	return BadLine(in.Name, in.Lines.Line, "cannot be read further", err)
}

// End returns the error of a stream that failed, or io.EOF at a proper end.
func (in *Input) End() error {
	if err := in.Failed(); err != nil {
		return err
	}
	return io.EOF
}

// Reset empties d and keeps the memory of its stacks.
func (d *Dump) Reset() {
	*d = Dump{Threads: d.Threads[:0]}
}

// Begin records the position of d.
func (d *Dump) Begin(in *Input) { d.File, d.Line = in.Name, in.Lines.Line }

// AddThread appends a thread with an empty stack and a count of 1.
func (d *Dump) AddThread(line int) *Thread {
	n := len(d.Threads)
	if n == cap(d.Threads) {
		d.Threads = append(d.Threads, Thread{})
	}
	d.Threads = d.Threads[:n+1]
	t := &d.Threads[n]
	*t = Thread{Line: line, Count: 1, Stack: t.Stack[:0]}
	return t
}

// Push adds the next outer frame to t, unless t has the maximum depth.
func (t *Thread) Push(in *Input, f FrameID) {
	if len(t.Stack) == in.Depth {
		if !t.cut {
			t.cut = true
			in.ComplainDepth()
		}
		return
	}
	t.Stack = append(t.Stack, f)
}

// Number parses the decimal or 0x-hexadecimal number at the beginning of s.
func Number(s []byte) (n int64, ok bool) {
	base := 10
	if rest, hex := bytes.CutPrefix(s, []byte("0x")); hex {
		s, base = rest, 16
	}
	end := 0
	for end < len(s) && (isDigit(s[end]) || base == 16 && s[end]|0x20 >= 'a' && s[end]|0x20 <= 'f') {
		end++
	}
	n, err := strconv.ParseInt(string(s[:end]), base, 64)
	return n, err == nil
}

// NumberAfter returns the number after key, such as "sysTid=", in line.
func NumberAfter(line []byte, key string) (n int64, ok bool) {
	i := bytes.Index(line, []byte(key))
	if i < 0 {
		return 0, false
	}
	return Number(line[i+len(key):])
}

// maxLine is the maximum length of a line in bytes: a folded stack of half a million frames fits. A
// longer line is skipped with a warning, so that a file without line ends cannot use all memory.
const maxLine = 64 << 20

// Lines splits a stream into lines without copying them.
type Lines struct {
	r          io.Reader
	buf        []byte
	start, end int // unread part of buf
	from       int // start of the last line in buf, for Back
	Line       int // number of the last line, from 1
	err        error
	Max        int       // maximum length of a line; 0 means maxLine
	prefix     logPrefix // removed from each line; empty if the file is not a log
	Prefix     []byte    // the prefix of the last line
	name       string    // name of the file, for warnings
	warn       *Warnings // nil: no warning is added
}

func NewLines(r io.Reader) *Lines {
	return &Lines{r: r, buf: make([]byte, 64<<10), Max: maxLine}
}

// Next returns the next line without its line end (LF or CRLF) and without the prefix that a log
// adds. The line is valid until the next call. ok is false at the end of the stream or after an
// error, see Failure.
func (l *Lines) Next() (line []byte, ok bool) {
	line, ok = l.next()
	if ok && len(l.prefix.text) > 0 {
		l.Prefix, line = l.prefix.cut(line)
	}
	return line, ok
}

// next returns the next line of the file.
func (l *Lines) next() (line []byte, ok bool) {
	scanned := 0
	for {
		if i := bytes.IndexByte(l.buf[l.start+scanned:l.end], '\n'); i >= 0 {
			return l.take(scanned+i, 1), true
		}
		scanned = l.end - l.start
		if scanned >= l.Max {
			l.skipLine()
			scanned = 0
			continue
		}
		if l.err != nil {
			if scanned == 0 {
				return nil, false
			}
			return l.take(scanned, 0), true
		}
		l.fill()
	}
}

// take consumes n bytes of a line and the eol bytes of its end.
func (l *Lines) take(n, eol int) []byte {
	line := l.buf[l.start : l.start+n]
	l.from = l.start
	l.start += n + eol
	l.Line++
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// Back makes Next return the last line again. It may be called once after each call of Next.
func (l *Lines) Back() {
	l.start = l.from
	l.Line--
}

// fill moves the unread part to the front of the buffer and reads more of the stream after it.
func (l *Lines) fill() {
	if l.start > 0 {
		copy(l.buf, l.buf[l.start:l.end])
		l.end -= l.start
		l.start = 0
	}
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	l.err = err
}

// skipLine drops the rest of a line that is too long.
func (l *Lines) skipLine() {
	l.Line++
	if l.warn != nil {
		l.warn.Add(trace.WarnDumpLine, l.name, l.Line, fmt.Sprintf("a line of more than %d MiB is ignored", maxLine>>20), "")
	}
	for {
		if i := bytes.IndexByte(l.buf[l.start:l.end], '\n'); i >= 0 {
			l.start += i + 1
			return
		}
		l.start, l.end = 0, 0
		if l.err != nil {
			return
		}
		l.fill()
	}
}

// Failure returns the error that ended the stream, or nil at a proper end.
func (l *Lines) Failure() error {
	if l.err == io.EOF {
		return nil
	}
	return l.err
}

// maxPerKind is the maximum number of separate warnings of one kind per file. Further ones are only
// counted, so that the warnings about a damaged file cannot fill memory.
const maxPerKind = 5

// Warnings collects the problems of files that did not end the reading.
type Warnings struct {
	list  []trace.Warning
	kinds map[complaint]int
	order []complaint // kinds in the order of their first warning
}

// complaint is one kind of problem in one file.
type complaint struct {
	code       trace.WarningCode
	file, what string
}

// Add records the problem what in a line of a file, or in the whole file if line is 0. detail,
// which may be empty, describes it further.
func (w *Warnings) Add(code trace.WarningCode, file string, line int, what, detail string) {
	if w.kinds == nil {
		w.kinds = map[complaint]int{}
	}
	k := complaint{code, file, what}
	w.kinds[k]++
	switch n := w.kinds[k]; {
	case n > maxPerKind:
		return
	case n == 1:
		w.order = append(w.order, k)
	}
	if detail != "" {
		what += ": " + detail
	}
	w.list = append(w.list, trace.Warning{Code: code, Name: file, Offset: -1, Line: line, Text: what})
}

// flush adds a warning with the number of suppressed warnings of each kind. It is called once, at
// the end.
func (w *Warnings) flush() {
	for _, k := range w.order {
		if more := w.kinds[k] - maxPerKind; more > 0 {
			w.list = append(w.list, trace.Warnf(k.code, k.file, "%s: %s", words.Count(more, "more such warning"), k.what))
		}
	}
	w.order, w.kinds = nil, nil
}
