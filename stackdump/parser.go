package stackdump

import (
	"bytes"
	"fmt"
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
		in.complain(trace.WarnDumpCut, fmt.Sprintf("a stack of more than %d frames is cut there", maxDepth), "")
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

// field returns the number behind key, such as "sysTid=", in line.
func field(line []byte, key string) (n int64, ok bool) {
	i := bytes.Index(line, []byte(key))
	if i < 0 {
		return 0, false
	}
	return number(line[i+len(key):])
}
