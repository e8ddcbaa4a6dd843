package ftrace

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"artifice/format/internal/timeline"
	"artifice/internal/decode"
)

// processList reads the list of processes and threads that systrace adds to a page, as ps prints
// it: a table of processes (USER PID PPID … NAME) and one of threads (USER PID TID CMD).
type processList struct {
	pid, tid, name int  // columns of the current table; tid is -1 in a table of processes
	last           bool // the name is the last column, and can contain spaces
	inside         bool // a table has begun
}

// read reads a line that is not an event: the head of a table or one of its rows. Any other line
// ends the table.
func (l *processList) read(marks *timeline.Marks, line []byte) {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, []byte("USER ")) {
		l.head(line)
		return
	}
	if !l.inside {
		return
	}
	pid, ok := l.number(line, l.pid)
	if l.inside = ok; !ok {
		return
	}
	name, rest := column(line, l.name)
	if l.last {
		name = rest
	}
	if len(name) == 0 {
		return
	}
	if l.tid < 0 {
		marks.Calls.NameProcess(pid, string(name))
		return
	}
	if tid, ok := l.number(line, l.tid); ok {
		marks.DescribeThread(timeline.Thread{Pid: pid, Tid: tid}, string(name))
	}
}

// head reads the titles of a table's columns.
func (l *processList) head(line []byte) {
	titles := strings.Fields(string(line))
	l.pid, l.tid = slices.Index(titles, "PID"), slices.Index(titles, "TID")
	l.name = slices.IndexFunc(titles, func(title string) bool { return title == "CMD" || title == "NAME" })
	l.last = l.name == len(titles)-1
	l.inside = l.pid >= 0 && l.name > max(l.pid, l.tid)
}

// number returns the id in a column.
func (l *processList) number(line []byte, at int) (uint32, bool) {
	word, _ := column(line, at)
	n, ok := decode.Uint(word)
	return uint32(n), ok && n <= math.MaxUint32
}

// column returns the word in a column, and the line from there on; nil if there are fewer columns.
func column(line []byte, at int) (word, rest []byte) {
	for ; at > 0; at-- {
		end := bytes.IndexByte(line, ' ')
		if end < 0 {
			return nil, nil
		}
		line = bytes.TrimLeft(line[end:], " ")
	}
	word, _, _ = bytes.Cut(line, []byte(" "))
	return word, line
}
