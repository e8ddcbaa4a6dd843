package stackdump

import (
	"bytes"
	"io"
)

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

// fill reads more of the stream behind the unread part, which it moves to the
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
