package timeline

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"time"

	"github.com/klauspost/compress/zlib"

	"artifice/internal/decode"
	"artifice/trace"
)

// ftraceFormat is the text of the Linux kernel's ftrace with the marks that
// android.os.Trace writes, alone, as atrace prints it (with a line TRACE: in front,
// packed after that with -z) and in the page that systrace makes.
var ftraceFormat = Format{
	Name: "ftrace", Description: "ftrace text with tracing marks: atrace, systrace and its HTML",
	Sniff:  sniffFtrace,
	Binary: true, // it may be packed by zlib after its first line
	Read:   readFtrace,
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
		return new(ftraceLines).mark(line, new(FtraceMark))
	}
}

func readFtrace(s *Source) error {
	head, _ := s.In.Peek(len(atraceHead) + 2)
	if bytes.HasPrefix(head, atraceHead) && len(head) > len(atraceHead) && head[len(atraceHead)] == 0x78 { // zlib's first byte
		s.In.Discard(len(atraceHead))
		unpacked, err := zlib.NewReader(s.In)
		if err != nil {
			return err
		}
		ahead := decode.NewAhead(io.LimitReader(unpacked, 1<<36))
		defer ahead.Close()
		s.In = bufio.NewReaderSize(ahead, 64<<10)
	}
	marks := Marks{Source: s, clocked: true}
	var lines ftraceLines
	var m FtraceMark
	page := false // within the HTML of systrace
	err := s.eachLine(func(line []byte) error {
		if s.line < 10 && bytes.HasPrefix(bytes.TrimSpace(line), []byte("<")) {
			page = true
		}
		if page {
			line = unescaped(line)
		}
		switch {
		case !lines.mark(line, &m):
			return nil
		case m.isSwitch:
			marks.change(m.Text, m.At)
			return nil
		}
		return marks.Add(&m)
	})
	s.Calls.cpu = s.Calls.cpu && marks.switched
	if err == nil && page && s.Calls.count == 0 {
		err = errors.New("this is a web page without a trace in it; if it asks to log in, fetch the file itself")
	}
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

// FtraceMark is a line of ftrace that is a tracing mark, or a switch of threads.
type FtraceMark struct {
	isSwitch bool
	comm     []byte
	Tid      uint32
	At       time.Duration
	Text     []byte // what was written: B|pid|name, E, and others
}

// ftraceLines reads lines of ftrace. It remembers of those before what the next one
// mostly has in common with them: who wrote them, and where their columns are.
type ftraceLines struct {
	writers   [64]ftraceWriter
	cpu, time int // columns: of "[", and, counted from there, of the time
}

// mark reads a line: comm "-" tid, perhaps "(" tgid ")", "[" cpu "]", perhaps flags,
// seconds ":", event ":", text. What it sets in m is valid until the next call.
func (l *ftraceLines) mark(line []byte, m *FtraceMark) (ok bool) {
	writer := l.writer(line)
	if writer == nil {
		return false
	}
	m.comm, m.Tid = writer.comm, writer.tid
	rest := line[l.cpu:]
	colon := colonIn(rest)
	if colon < 0 {
		return false
	}
	if m.At, ok = l.timeIn(rest[:colon]); !ok {
		return false
	}
	rest = rest[colon+2:]
	m.isSwitch = false
	if m.Text, ok = bytes.CutPrefix(rest, []byte("tracing_mark_write: ")); ok {
		return true
	}
	if colon = colonIn(rest); colon < 0 {
		return false
	}
	m.Text = rest[colon+2:]
	switch string(bytes.TrimSpace(rest[:colon])) { // does not allocate
	case "tracing_mark_write", "print", "0":
		return true
	case "sched_switch":
		m.isSwitch = true
		return true
	}
	return false
}

// timeIn reads the time, which is the last word of text.
func (l *ftraceLines) timeIn(text []byte) (t time.Duration, ok bool) {
	if 0 < l.time && l.time < len(text) && text[l.time-1] == ' ' {
		if t, ok = decode.Time(text[l.time:], time.Second); ok { // it has no blank
			return t, true
		}
	}
	l.time = bytes.LastIndexByte(text, ' ') + 1
	return decode.Time(text[l.time:], time.Second)
}

// colonIn returns the place of the first colon with a blank after it, -1 for none.
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

// ftraceWriter is a thread that wrote a line, and the text that this begins with.
type ftraceWriter struct {
	text, comm []byte
	tid        uint32
}

// writer returns who wrote a line, and sets the column of the cpu, which is behind the
// first " [". It returns nil for what is no line of ftrace.
func (l *ftraceLines) writer(line []byte) *ftraceWriter {
	if l.cpu < len(line) && string(line[max(0, l.cpu-1):l.cpu+1]) == " [" {
		// What wrote a line before has no " [", so that none is further left in this one.
		if known := l.slot(line[:l.cpu-1]); bytes.Equal(known.text, line[:l.cpu-1]) {
			return known
		}
	}
	at := bytes.Index(line, []byte(" ["))
	if at < 1 {
		return nil
	}
	l.cpu = at + 1
	text := line[:at]
	w := l.slot(text)
	if bytes.Equal(w.text, text) {
		return w
	}
	comm, tid, ok := ftraceWriterOf(text)
	if !ok {
		return nil
	}
	w.text, w.comm, w.tid = append(w.text[:0], text...), append(w.comm[:0], comm...), tid
	return w
}

// slot returns where the writer of lines that begin with text is remembered, if it is.
func (l *ftraceLines) slot(text []byte) *ftraceWriter {
	n := len(text)
	if n < 16 || n > 64 {
		return new(ftraceWriter)
	}
	return &l.writers[slot(binary.LittleEndian.Uint64(text[n-8:])^binary.LittleEndian.Uint64(text[n-16:])<<1)]
}

// ftraceWriterOf reads what a line begins with: comm "-" tid, perhaps "(" tgid ")". A comm
// can have anything in it; the tid is the digits after the last "-" in front of the tgid.
func ftraceWriterOf(task []byte) (comm []byte, tid uint32, ok bool) {
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

// Marks takes tracing marks in.
type Marks struct {
	*Source
	tasks Numbers[*markTask] // by tid

	clocked  bool // lines come in the order of time, so that switches tell CPU times
	switched bool // there were any
}

// markTask is what is known of a thread of tracing marks. Its id is that of the kernel,
// so one task has it at a time: a mark that does not tell the process, as an end did
// before Android 4.3, is of the one that others tell.
type markTask struct {
	pid    uint32 // the process; 0 while it is not known
	name   string // where something else than the marks says it
	named  bool   // the calls have its name
	thread trace.ThreadID
	known  bool // thread is
	cpu    onCore
}

// task returns a thread: its id is of one process.
func (m *Marks) task(tid uint32) *markTask {
	task, ok := m.tasks.Get(uint64(tid))
	if !ok {
		task = &markTask{}
		m.tasks.Set(uint64(tid), task)
	}
	return task
}

// Told takes in what something else than a mark tells of a thread.
func (m *Marks) Told(t Thread, name string) {
	task := m.task(t.Tid)
	task.pid = t.Pid
	if name != "" {
		task.name = name
	}
}

// ThreadID returns the index of a thread. Processes in namespaces of their own, such as
// Chrome's renderers, have threads of one id.
func (m *Marks) ThreadID(t Thread) (trace.ThreadID, error) {
	task := m.task(t.Tid)
	if task.pid == 0 {
		task.pid = t.Pid
	}
	if task.pid != t.Pid {
		return m.Calls.thread(t)
	}
	return m.idOf(task, t.Tid)
}

// idOf returns the index of a thread that has or will have calls.
func (m *Marks) idOf(task *markTask, tid uint32) (id trace.ThreadID, err error) {
	if m.Calls.pid == 0 {
		m.Calls.pid = task.pid
	}
	if !task.known {
		task.thread, err = m.Calls.thread(Thread{task.pid, tid})
		task.known = err == nil
	}
	return task.thread, err
}

// NameOf names a thread.
func (m *Marks) NameOf(t Thread, name string) error {
	id, err := m.ThreadID(t)
	if err == nil {
		m.Calls.nameOf(id, name)
	}
	return err
}

// Add adds a mark. What is neither B nor E (counters, asynchronous sections) is no
// call of a thread.
func (m *Marks) Add(mark *FtraceMark) error {
	text := mark.Text
	if len(text) == 0 || text[0] != 'B' && text[0] != 'E' || len(text) > 1 && text[1] != '|' {
		return nil
	}
	pid, name, hasName := bytes.Cut(text[min(2, len(text)):], []byte("|"))
	n, hasPID := decode.Uint(bytes.TrimSpace(pid))
	hasPID = hasPID && n <= math.MaxUint32
	if text[0] == 'B' && !(hasName && hasPID) {
		m.skip(fmt.Sprintf("a begin without process id and name: %.40q", text))
		return nil
	}
	task := m.task(mark.Tid)
	if task.pid == 0 && hasPID {
		task.pid = uint32(n)
	}
	id, err := m.idOf(task, mark.Tid)
	if err != nil {
		return err
	}
	if text[0] == 'E' {
		return m.Calls.EndOf(id, nil, mark.At, m.cpuOf(task, mark.At))
	}
	if !task.named && (task.name != "" || len(mark.comm) > 0 && mark.comm[0] != '<') {
		task.named = true
		if task.name == "" {
			task.name = string(mark.comm)
		}
		m.Calls.nameOf(id, task.name)
	}
	method, err := m.Calls.Method(name)
	if err != nil {
		return err
	}
	return m.Calls.BeginOf(id, method, mark.At, m.cpuOf(task, mark.At))
}
