package timeline

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
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
		return new(ftraceMark).line(line, nil)
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
	var writers ftraceWriters
	var m ftraceMark
	page := false // within the HTML of systrace
	err := s.eachLine(func(line []byte) error {
		if s.line < 10 && bytes.HasPrefix(bytes.TrimSpace(line), []byte("<")) {
			page = true
		}
		if page {
			line = unescaped(line)
		}
		switch {
		case !m.line(line, &writers):
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

// line reads a line: comm "-" tid, perhaps "(" tgid ")", "[" cpu "]", perhaps flags,
// seconds ":", event ":", text. writers knows who wrote the lines before; nil knows nobody.
func (m *ftraceMark) line(line []byte, writers *ftraceWriters) (ok bool) {
	cpu := 1
	for {
		next := bytes.IndexByte(line[min(cpu, len(line)):], '[')
		if next < 0 {
			return false
		}
		if cpu += next; line[cpu-1] == ' ' {
			break
		}
		cpu++
	}
	if m.comm, m.tid, ok = writers.of(line[:cpu-1]); !ok {
		return false
	}
	// The time is the last word in front of the first ": " behind the cpu.
	rest := line[cpu:]
	colon := colonIn(rest)
	if colon < 0 {
		return false
	}
	word := colon
	for word > 0 && rest[word-1] != ' ' {
		word--
	}
	if m.at, ok = decode.Time(rest[word:colon], time.Second); !ok {
		return false
	}
	rest = rest[colon+2:]
	if colon = colonIn(rest); colon < 0 {
		return false
	}
	m.text = rest[colon+2:]
	m.isSwitch = false
	switch string(bytes.TrimSpace(rest[:colon])) { // does not allocate
	case "tracing_mark_write", "print", "0":
		return true
	case "sched_switch":
		m.isSwitch = true
		return true
	}
	return false
}

// colonIn returns the place of the first colon with a blank behind it, -1 for none.
func colonIn(text []byte) int {
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], ':')
		if next < 0 {
			return -1
		}
		if at += next; at+1 < len(text) && text[at+1] == ' ' {
			return at
		}
	}
}

// ftraceWriters are the threads that wrote the latest lines, by the text that these
// begin with.
type ftraceWriters [64]struct {
	text, comm []byte
	tid        uint32
}

// of reads the begin of a line: comm "-" tid, perhaps "(" tgid ")". A comm can have
// anything in it; the tid is the digits behind the last "-" in front of the tgid. comm
// is valid until the next call.
func (w *ftraceWriters) of(text []byte) (comm []byte, tid uint32, ok bool) {
	n := len(text)
	if w == nil || n < 16 || n > 64 {
		return ftraceWriter(text)
	}
	known := &w[slot(binary.LittleEndian.Uint64(text[n-8:])^binary.LittleEndian.Uint64(text[n-16:])<<1)]
	if bytes.Equal(known.text, text) {
		return known.comm, known.tid, true
	}
	if comm, tid, ok = ftraceWriter(text); ok {
		known.text, known.comm, known.tid = append(known.text[:0], text...), append(known.comm[:0], comm...), tid
	}
	return comm, tid, ok
}

// ftraceWriter does what of does for a text that is not known.
func ftraceWriter(task []byte) (comm []byte, tid uint32, ok bool) {
	task = bytes.TrimRight(task, " ")
	if n := len(task); n > 0 && task[n-1] == ')' {
		paren := bytes.LastIndexByte(task, '(')
		if paren < 0 {
			return nil, 0, false
		}
		task = bytes.TrimRight(task[:paren], " ")
	}
	dash := bytes.LastIndexByte(task, '-')
	if dash < 0 {
		return nil, 0, false
	}
	n, ok := decode.Uint(task[dash+1:])
	if !ok || n > math.MaxUint32 {
		return nil, 0, false
	}
	return bytes.TrimSpace(task[:dash]), uint32(n), true
}

// marks takes tracing marks in.
type marks struct {
	*source
	tasks numbers[*markTask] // by tid

	clocked  bool // lines come in the order of time, so that switches tell CPU times
	switched bool // there were any
}

// markTask is what is known of a thread of tracing marks.
type markTask struct {
	pid   uint32 // the process; 0 while it is not known
	name  string // where something else than the marks says it
	named bool   // the calls have its name
	cpu   onCore
}

// task returns a thread: its id is of one process.
func (m *marks) task(tid uint32) *markTask {
	task, ok := m.tasks.get(uint64(tid))
	if !ok {
		task = &markTask{}
		m.tasks.set(uint64(tid), task)
	}
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
