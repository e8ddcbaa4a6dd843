package timeline

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"fmt"
	"html"
	"io"
	"math"
	"time"

	"artifice/internal/decode"
)

// ftraceFormat is the text of the Linux kernel's ftrace with the marks that
// android.os.Trace writes, alone, as atrace prints it (with a line TRACE: in front,
// packed behind that with -z) and in the page that systrace makes.
var ftraceFormat = Format{
	Name: "ftrace", Description: "ftrace text with tracing marks: atrace, systrace and its HTML",
	Sniff:  sniffFtrace,
	binary: true, // it may be packed by zlib behind its first line
	read:   readFtrace,
}

var atraceHead = []byte("TRACE:\n")

func sniffFtrace(head []byte) bool {
	switch trimmed := bytes.TrimLeft(head, " \t\r\n"); {
	case bytes.HasPrefix(trimmed, atraceHead), bytes.HasPrefix(trimmed, []byte("# tracer:")):
		return true
	case bytes.HasPrefix(bytes.ToLower(trimmed[:min(len(trimmed), 20)]), []byte("<!doctype html")), bytes.HasPrefix(trimmed, []byte("<html")):
		return true
	default:
		line, _, _ := bytes.Cut(trimmed, []byte("\n"))
		_, ok := ftraceLine(line)
		return ok
	}
}

func readFtrace(s *source) error {
	head, _ := s.in.Peek(len(atraceHead) + 2)
	if bytes.HasPrefix(head, atraceHead) && len(head) > len(atraceHead) && head[len(atraceHead)] == 0x78 { // zlib's first byte
		s.in.Discard(len(atraceHead))
		unpacked, err := zlib.NewReader(s.in)
		if err != nil {
			return err
		}
		s.in = bufio.NewReaderSize(io.LimitReader(unpacked, 1<<36), 64<<10)
	}
	marks := marks{source: s, clocked: true}
	page := false // within the HTML of systrace
	err := s.eachLine(func(line []byte) error {
		if s.line < 10 && bytes.HasPrefix(bytes.TrimSpace(line), []byte("<")) {
			page = true
		}
		if page {
			line = unescaped(line)
		}
		m, ok := ftraceLine(line)
		switch {
		case !ok:
			return nil
		case m.isSwitch:
			marks.change(m.text, m.at)
			return nil
		}
		return marks.add(&m)
	})
	s.calls.cpu = s.calls.cpu && marks.switched
	return err
}

// unescaped returns a line of systrace's page as it was: newer pages have the text
// in a script element, older ones in a string whose lines end in \n\.
func unescaped(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte(`\n\`))
	if bytes.IndexByte(line, '&') >= 0 {
		line = []byte(html.UnescapeString(string(line)))
	}
	return line
}

// ftraceMark is a line of ftrace that is a tracing mark, or a switch of threads.
type ftraceMark struct {
	isSwitch bool
	comm     []byte
	tid      uint32
	at       time.Duration
	text     []byte // what was written: B|pid|name, E, and others
}

// ftraceLine reads a line: comm "-" tid, perhaps "(" tgid ")", "[" cpu "]", perhaps
// flags, seconds ":", event ":", text. A comm can have anything in it; the tid is
// the digits behind the last "-" in front of what follows.
func ftraceLine(line []byte) (m ftraceMark, ok bool) {
	cpu := bytes.Index(line, []byte(" ["))
	if cpu < 0 {
		return m, false
	}
	task := bytes.TrimRight(line[:cpu], " ")
	if n := len(task); n > 0 && task[n-1] == ')' {
		paren := bytes.LastIndexByte(task, '(')
		if paren < 0 {
			return m, false
		}
		task = bytes.TrimRight(task[:paren], " ")
	}
	dash := bytes.LastIndexByte(task, '-')
	if dash < 0 {
		return m, false
	}
	tid, ok := decode.Uint(task[dash+1:])
	if !ok || tid > math.MaxUint32 {
		return m, false
	}
	m.comm, m.tid = bytes.TrimSpace(task[:dash]), uint32(tid)
	// The time is the last word in front of the first ": " behind the cpu.
	rest := line[cpu+1:]
	colon := bytes.Index(rest, []byte(": "))
	if colon < 0 {
		return m, false
	}
	stamp := rest[bytes.LastIndexByte(rest[:colon], ' ')+1 : colon]
	if m.at, ok = decode.Time(stamp, time.Second); !ok {
		return m, false
	}
	event, text, found := bytes.Cut(rest[colon+2:], []byte(": "))
	switch string(bytes.TrimSpace(event)) { // does not allocate
	case "tracing_mark_write", "print", "0":
		m.text = text
		return m, found
	case "sched_switch":
		m.isSwitch, m.text = true, text
		return m, found
	}
	return m, false
}

// marks takes tracing marks in.
type marks struct {
	*source
	tasks map[uint32]*markTask
	last  *markTask // the one that was asked for last

	clocked  bool // lines come in the order of time, so that switches tell CPU times
	switched bool // there were any
}

// markTask is what is known of a thread of tracing marks.
type markTask struct {
	tid, pid uint32 // the process is 0 while it is not known
	name     string // where something else than the marks says it
	named    bool   // the calls have its name
	cpu      onCore
}

// task returns a thread: its id is of one process.
func (m *marks) task(tid uint32) *markTask {
	if m.last != nil && m.last.tid == tid {
		return m.last
	}
	task := m.tasks[tid]
	if task == nil {
		if m.tasks == nil {
			m.tasks = map[uint32]*markTask{}
		}
		task = &markTask{tid: tid}
		m.tasks[tid] = task
	}
	m.last = task
	return task
}

// add adds a mark. What is neither B nor E (counters, asynchronous sections) is no
// call of a thread.
func (m *marks) add(mark *ftraceMark) error {
	text := mark.text
	if len(text) == 0 || text[0] != 'B' && text[0] != 'E' || len(text) > 1 && text[1] != '|' {
		return nil
	}
	task := m.task(mark.tid)
	if text[0] == 'E' {
		return m.calls.end(thread{task.pid, mark.tid}, nil, mark.at, m.cpuOf(task, mark.at))
	}
	pid, name, ok := bytes.Cut(text[min(2, len(text)):], []byte("|"))
	n, isNumber := decode.Uint(pid)
	if !ok || !isNumber || n > math.MaxUint32 {
		m.skip(fmt.Sprintf("a begin without process id and name: %.40q", text))
		return nil
	}
	if task.pid == 0 {
		task.pid = uint32(n)
	}
	t := thread{task.pid, mark.tid}
	if !task.named && (task.name != "" || len(mark.comm) > 0 && mark.comm[0] != '<') {
		task.named = true
		if task.name != "" {
			mark.comm = []byte(task.name)
		}
		if err := m.calls.name(t, mark.comm); err != nil {
			return err
		}
	}
	return m.calls.begin(t, name, mark.at, m.cpuOf(task, mark.at))
}
