package view

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// Lines of systrace's page (output_generator.py of Catapult) by which the importers of Catapult
// (ftrace_importer.html) and Perfetto (systrace_trace_parser.cc) find the text. Catapult requires
// each of them alone on its line, with these blanks.
const (
	ftraceBegin = "<!-- BEGIN TRACE -->\n  <script class=\"trace-data\" type=\"application/text\">\n"
	ftraceEnd   = "  </script>\n<!-- END TRACE -->\n"
	bodyEnd     = "</body>\n"
)

// inScript escapes text for a script element, which ends at the first end tag in any context.
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

// lineWriter writes text escaped by inScript, line by line.
type lineWriter struct {
	to   *bufio.Writer
	line []byte // the beginning of a line
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

// flush writes the remaining text.
func (l *lineWriter) flush() error {
	_, err := inScript.WriteString(l.to, string(l.line))
	return errors.Join(err, l.to.Flush())
}
