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
	// Next fills d, which is reset, with the next dump. It returns io.EOF when
	// there is none.
	Next(d *Dump) error
}

// Input is the part that the parsers of text formats share.
type Input struct {
	Name   string
	Lines  *Lines
	Frames *Frames
	Warn   *Warnings
	Locks  bool // they are asked for
	Depth  int  // frames of one stack that are kept, of [trace.Limits]
}

// ComplainDepth warns that the last line read adds frames to a stack with the maximum depth.
func (in *Input) ComplainDepth() {
	in.Complain(trace.WarnDumpCut, fmt.Sprintf("a stack of more than %d frames is cut off there (--limit depth=N keeps more)", in.Depth), "")
}

// Complain warns about the last line read.
func (in *Input) Complain(code trace.WarningCode, what, detail string) {
	in.Warn.Add(code, in.Name, in.Lines.Line, what, detail)
}

// Frame returns the number of the frame that text writes in syntax s.
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

// CheckText warns when a new text was not fit for a table.
func (in *Input) CheckText(text []byte) {
	if in.Frames.spoiled {
		in.Frames.spoiled = false
		in.Complain(trace.WarnDumpText, "invalid UTF-8 or a control character is replaced", words.Quote(text))
	}
}

// BadLine returns what is wrong with a line of a file; with line 0, with the
// file.
func BadLine(name string, line int, msg string, err error) error {
	return &trace.FormatError{Name: name, Offset: -1, Line: line, Msg: msg, Err: err}
}

// Failed returns the error of a stream that broke off, nil at a proper end.
func (in *Input) Failed() error {
	err := in.Lines.Failure()
	if err == nil {
		return nil
	}
	return BadLine(in.Name, in.Lines.Line, "cannot be read on", err)
}

// End returns the error of a stream that broke off, io.EOF at a proper end.
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

// Begin records where d was found.
func (d *Dump) Begin(in *Input) { d.File, d.Line = in.Name, in.Lines.Line }

// AddThread appends a thread with an empty stack that was seen once.
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

// Push adds the next outer frame to t, unless it is already too deep.
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

// Number reads the decimal or 0x-hexadecimal number that s begins with.
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

// maxLine is the longest line that is read, in bytes: a folded stack of half a
// million frames fits. A longer one is skipped with a warning, so that a file
// without line ends cannot take all memory.
const maxLine = 64 << 20

// Lines cuts a stream into lines without copying them.
type Lines struct {
	r          io.Reader
	buf        []byte
	start, end int // unread part of buf
	from       int // where the last line began in buf, for back
	Line       int // number of the last line, from 1
	err        error
	Max        int       // longest line; 0 means maxLine
	name       string    // of the file, for warnings
	warn       *Warnings // nil: none is added
}

func NewLines(r io.Reader) *Lines {
	return &Lines{r: r, buf: make([]byte, 64<<10), Max: maxLine}
}

// Next returns the next line without its line end (LF or CRLF), valid until the
// call after it. ok is false at the end of the stream or on an error, see
// lineReader.failure.
func (l *Lines) Next() (line []byte, ok bool) {
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

// Back makes next return the last line again. It may follow next once.
func (l *Lines) Back() {
	l.start = l.from
	l.Line--
}

// fill reads more of the stream after the unread part, which it moves to the
// front of the buffer.
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

// Failure returns why the stream ended, nil when it simply did.
func (l *Lines) Failure() error {
	if l.err == io.EOF {
		return nil
	}
	return l.err
}

// maxPerKind is how many warnings of one kind are spelled out per file; the
// rest are counted, so that a spoiled file cannot fill memory with complaints.
const maxPerKind = 5

// Warnings collects what was wrong with the files but did not stop their
// reading.
type Warnings struct {
	list  []trace.Warning
	kinds map[complaint]int
	order []complaint // kinds in the order of their first warning
}

// complaint is one sort of complaint about one file.
type complaint struct {
	code       trace.WarningCode
	file, what string
}

// Add records the fault what of a line of a file, or with line 0 of the file; detail, which may be
// empty, adds to it.
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

// flush adds how many more warnings of each kind there were. It is called once,
// at the end.
func (w *Warnings) flush() {
	for _, k := range w.order {
		if more := w.kinds[k] - maxPerKind; more > 0 {
			w.list = append(w.list, trace.Warnf(k.code, k.file, "%d more: %s", more, k.what))
		}
	}
	w.order, w.kinds = nil, nil
}
