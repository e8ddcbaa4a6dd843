package stackdump

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"artifice/trace"
)

// maxDepth is how many frames of one stack are kept: more than any runtime's
// stack holds, and what "... repeated N times" may not exceed.
const maxDepth = 1 << 20

// parser reads the dumps of one format from one file.
type parser interface {
	// next fills d, which is reset, with the next dump. It returns io.EOF when
	// there is none.
	next(d *Dump) error
}

// input is what the parsers of text formats share.
type input struct {
	name   string
	lines  *lineReader
	frames *Frames
	warn   *warnings
	locks  bool // they are asked for
}

// complain warns about the last line read.
func (in *input) complain(code trace.WarningCode, what, detail string) {
	in.warn.add(code, in.name, in.lines.line, what, detail)
}

// frame returns the number of the frame that text writes in syntax s.
func (in *input) frame(s syntax, text []byte) FrameID {
	id := in.frames.intern(s, text)
	in.checkText(text)
	return id
}

// text returns a name as a string.
func (in *input) text(name []byte) string {
	s := in.frames.name(name)
	in.checkText(name)
	return s
}

// checkText warns when a new text was not fit for a table.
func (in *input) checkText(text []byte) {
	if in.frames.spoiled {
		in.frames.spoiled = false
		in.complain(trace.WarnDumpText, "invalid UTF-8 or a control character is replaced", quoted(text))
	}
}

// formatError returns what is wrong with a line of a file; with line 0, with the
// file.
func formatError(name string, line int, msg string, err error) error {
	return &trace.FormatError{Name: name, Offset: -1, Line: line, Msg: msg, Err: err}
}

// failed returns the error of a stream that broke off, nil at a proper end.
func (in *input) failed() error {
	err := in.lines.failure()
	if err == nil {
		return nil
	}
	return formatError(in.name, in.lines.line, "cannot be read on", err)
}

// end returns the error of a stream that broke off, io.EOF at a proper end.
func (in *input) end() error {
	if err := in.failed(); err != nil {
		return err
	}
	return io.EOF
}

// reset empties d and keeps the memory of its stacks.
func (d *Dump) reset() {
	*d = Dump{Threads: d.Threads[:0]}
}

// begin says where d was found.
func (d *Dump) begin(in *input) { d.File, d.Line = in.name, in.lines.line }

// addThread appends a thread with an empty stack that was seen once.
func (d *Dump) addThread(line int) *Thread {
	n := len(d.Threads)
	if n == cap(d.Threads) {
		d.Threads = append(d.Threads, Thread{})
	}
	d.Threads = d.Threads[:n+1]
	t := &d.Threads[n]
	*t = Thread{Line: line, Count: 1, Stack: t.Stack[:0]}
	return t
}

// push adds the next outer frame to t, unless it is already too deep.
func (t *Thread) push(in *input, f FrameID) {
	if len(t.Stack) == maxDepth {
		in.complain(trace.WarnDumpCut, fmt.Sprintf("a stack of more than %d frames is cut off there", maxDepth), "")
		return
	}
	t.Stack = append(t.Stack, f)
}

// number reads the decimal or 0x-hexadecimal number that s begins with.
func number(s []byte) (n int64, ok bool) {
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

// field returns the number after key, such as "sysTid=", in line.
func field(line []byte, key string) (n int64, ok bool) {
	i := bytes.Index(line, []byte(key))
	if i < 0 {
		return 0, false
	}
	return number(line[i+len(key):])
}

// maxLine is the longest line that is read, in bytes: a folded stack of half a
// million frames fits. A longer one is skipped with a warning, so that a file
// without line ends cannot take all memory.
const maxLine = 64 << 20

// lineReader cuts a stream into lines without copying them.
type lineReader struct {
	r          io.Reader
	buf        []byte
	start, end int // unread part of buf
	from       int // where the last line began in buf, for back
	line       int // number of the last line, from 1
	err        error
	max        int // longest line; 0 means maxLine
	tooLong    func(line int)
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: r, buf: make([]byte, 64<<10), max: maxLine}
}

// next returns the next line without its line end (LF or CRLF), valid until the
// call after it. ok is false at the end of the stream or on an error, see
// lineReader.failure.
func (l *lineReader) next() (line []byte, ok bool) {
	scanned := 0
	for {
		if i := bytes.IndexByte(l.buf[l.start+scanned:l.end], '\n'); i >= 0 {
			return l.take(scanned+i, 1), true
		}
		scanned = l.end - l.start
		if scanned >= l.max {
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
func (l *lineReader) take(n, eol int) []byte {
	line := l.buf[l.start : l.start+n]
	l.from = l.start
	l.start += n + eol
	l.line++
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// back makes next return the last line again. It may follow next once.
func (l *lineReader) back() {
	l.start = l.from
	l.line--
}

// fill reads more of the stream after the unread part, which it moves to the
// front of the buffer.
func (l *lineReader) fill() {
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
func (l *lineReader) skipLine() {
	l.line++
	if l.tooLong != nil {
		l.tooLong(l.line)
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

// failure returns why the stream ended, nil when it simply did.
func (l *lineReader) failure() error {
	if l.err == io.EOF {
		return nil
	}
	return l.err
}

// maxPerKind is how many warnings of one kind are spelled out per file; the
// rest are counted, so that a spoiled file cannot fill memory with complaints.
const maxPerKind = 5

// warnings collects what was wrong with the files but did not stop their
// reading.
type warnings struct {
	list  []trace.Warning
	kinds map[complaint]int
	order []complaint // kinds in the order of their first warning
}

// complaint is one sort of complaint about one file.
type complaint struct {
	code       trace.WarningCode
	file, what string
}

// add notes that the line of a file, or with line 0 the file, has the fault what;
// detail, which may be empty, tells more.
func (w *warnings) add(code trace.WarningCode, file string, line int, what, detail string) {
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
func (w *warnings) flush() {
	for _, k := range w.order {
		if more := w.kinds[k] - maxPerKind; more > 0 {
			w.list = append(w.list, trace.Warnf(k.code, k.file, "%d more: %s", more, k.what))
		}
	}
	w.order, w.kinds = nil, nil
}

// quoted returns the beginning of a line for a message.
func quoted(line []byte) string {
	const most = 60
	if len(line) > most {
		return fmt.Sprintf("%.*q…", most, line)
	}
	return fmt.Sprintf("%q", line)
}
