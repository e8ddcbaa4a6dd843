package view

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// Lines of systrace's page (output_generator.py of Catapult) by which Catapult's importer
// (ftrace_importer.html) and Perfetto's (systrace_trace_parser.cc) find the text: Catapult requires
// each alone on its line, with these blanks.
const (
	ftraceBegin = "<!-- BEGIN TRACE -->\n  <script class=\"trace-data\" type=\"application/text\">\n"
	ftraceEnd   = "  </script>\n<!-- END TRACE -->\n"
	bodyEnd     = "</body>\n"
)

// inScript makes text fit for an element of script, which ends at its own end tag, whatever is
// around that.
var inScript = strings.NewReplacer("</", "< /", "<!--", "< !--")

// writeFtrace writes the ftrace text.
func (p *Page) writeFtrace(w io.Writer) error {
	if _, err := io.WriteString(w, ftraceBegin); err != nil {
		return err
	}
	lines := lineWriter{to: bufio.NewWriterSize(w, 1<<16)}
	if err := errors.Join(p.Ftrace(&lines), lines.flush()); err != nil {
		return err
	}
	_, err := io.WriteString(w, ftraceEnd)
	return err
}

// lineWriter writes text as inScript has it, line by line.
type lineWriter struct {
	to   *bufio.Writer
	line []byte // the beginning of one
}

// Write implements [io.Writer].
func (l *lineWriter) Write(p []byte) (int, error) {
	n := len(p)
	for {
		at := bytes.IndexByte(p, '\n')
		if at < 0 {
			l.line = append(l.line, p...)
			return n, nil
		}
		l.line = append(l.line, p[:at+1]...)
		if _, err := inScript.WriteString(l.to, string(l.line)); err != nil {
			return 0, err
		}
		l.line, p = l.line[:0], p[at+1:]
	}
}

// flush writes what is left.
func (l *lineWriter) flush() error {
	_, err := inScript.WriteString(l.to, string(l.line))
	return errors.Join(err, l.to.Flush())
}
