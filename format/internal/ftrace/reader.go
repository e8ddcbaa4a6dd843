package ftrace

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

	"artifice/format/internal/timeline"
	"artifice/internal/decode"
	"artifice/trace"
)

var atraceHead = []byte("TRACE:\n")

// lost returns the number of lost records according to a line of the kernel. The line states the
// numbers of remaining and of all records, or that the records of a core begin there
// ([ring.write]).
func lost(line []byte) string {
	if bytes.HasPrefix(line, []byte("##### CPU ")) {
		return "the buffer of a CPU core starts here; earlier events of this core are lost"
	}
	var here, were int64
	if !bytes.HasPrefix(line, []byte(entriesHead)) {
		return ""
	}
	if n, _ := fmt.Sscanf(string(line[len(entriesHead):]), "%d/%d", &here, &were); n < 2 || were <= here {
		return ""
	}
	return fmt.Sprintf("the buffer was full, and %d of %d records are lost", were-here, were)
}

func sniff(head []byte) bool {
	switch trimmed := bytes.TrimLeft(head, " \t\r\n"); {
	case afterHead(head) > 0, bytes.HasPrefix(trimmed, []byte("# tracer:")):
		return true
	case bytes.HasPrefix(bytes.ToLower(trimmed[:min(len(trimmed), 20)]), []byte("<!doctype html")), bytes.HasPrefix(trimmed, []byte("<html")):
		return true
	default:
		line, rest, _ := bytes.Cut(trimmed, []byte("\n"))
		for isReportHead(line) && len(rest) > 0 {
			line, rest, _ = bytes.Cut(rest, []byte("\n"))
		}
		return new(lines).isEvent(line) || isReportHead(bytes.Split(trimmed, []byte("\n"))[0])
	}
}

// afterHead returns the length of the text that precedes a trace in the output of atrace: the line
// TRACE: and, before it, the progress that adb shell mixes with the output. It is 0 for other texts.
func afterHead(head []byte) int {
	rest := bytes.TrimLeft(head, " \t\r\n")
	if bytes.HasPrefix(rest, []byte("capturing trace...")) {
		rest = rest[max(bytes.Index(rest, []byte("TRACE:")), 0):]
	}
	rest, ok := bytes.CutPrefix(rest, []byte("TRACE:"))
	rest = bytes.TrimPrefix(rest, []byte("\r"))
	if !ok || len(rest) == 0 || rest[0] != '\n' {
		return 0
	}
	return len(head) - len(rest) + 1
}

// isReportHead reports whether a line is one that trace-cmd report writes before the events.
func isReportHead(line []byte) bool {
	for _, begins := range []string{"cpus=", "version = ", "CPU:", "trace.dat:"} {
		if bytes.HasPrefix(line, []byte(begins)) {
			return true
		}
	}
	return bytes.HasPrefix(line, []byte("CPU ")) && bytes.HasSuffix(bytes.TrimRight(line, " \r"), []byte(" is empty"))
}

// maxHead is the maximum length of the text before a packed trace.
const maxHead = 200

func read(s *timeline.Source) error {
	head, _ := s.In.Peek(maxHead)
	if n := afterHead(head); n > 0 && n < len(head) && head[n] == 0x78 { // zlib's first byte
		s.In.Discard(n)
		unpacked, err := zlib.NewReader(s.In)
		if err != nil {
			return err
		}
		ahead := decode.NewAhead(io.LimitReader(unpacked, 1<<36))
		defer ahead.Close()
		s.In = bufio.NewReaderSize(ahead, 64<<10)
	}
	s.Calls.Marked = true
	marks := timeline.Marks{Source: s, Clocked: true}
	var lines lines
	var list processList
	var r record
	page := false  // within the HTML of systrace
	found := false // a line of ftrace
	full := false  // some buffer was full
	err := s.EachLine(func(line []byte) error {
		if s.Line < 10 && bytes.HasPrefix(bytes.TrimSpace(line), []byte("<")) {
			page, s.CutLong = true, true // viewers have long lines
		}
		if page {
			if bytes.Contains(line, []byte("levels = Array(")) {
				return errors.New("the file is a flame graph of async-profiler, which artifice does not read: convert the file to folded stacks: jfrconv -o collapsed FILE FILE.folded")
			}
			line = unescaped(line)
		}
		if s.Line < 40 && s.Hint == "" {
			s.Hint = kernelCalls(line)
		}
		switch {
		case page && bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte(`{"`)) && bytes.Contains(line, []byte(`"systemTraceEvents"`)):
			return errors.New("the trace of the page is in a JSON object: copy the object to FILE.json, and extract the text: jq -r .systemTraceEvents FILE.json > FILE.ftrace")
		case !lines.read(line, &r):
			if text := lost(line); text != "" && !full {
				full = true
				w := trace.Warnf(trace.WarnOverflow, s.Name, "%s: begins or ends of calls may be missing", text)
				w.Line = s.Line
				s.Warnings = append(s.Warnings, w)
			}
			list.read(&marks, line)
			return nil
		}
		found = true
		switch {
		case r.kernel != "":
			scheduling(&marks, &r)
			return nil
		}
		return marks.Add(&r.Mark)
	})
	marks.Finish()
	if lines.ticks && s.Hint == "" {
		s.Hint = "; its times are counts of a clock, not seconds: record by another clock (echo boot > /sys/kernel/tracing/trace_clock), or print without trace-cmd's --raw-ts"
	}
	s.WarnKernelSlices(lines.skipped)
	if err == nil && page && !found {
		err = errors.New("the file is a web page without a trace; if the page asks to log in, fetch the trace itself; if the page shows stacks, save the stacks as text")
	}
	return err
}

// kernelCalls returns advice if a line states that the kernel's own calls were traced, else "".
func kernelCalls(line []byte) string {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, []byte("# tracer: function")) || bytes.Contains(line, []byte(" funcgraph_entry: ")) {
		return "; it has the calls of functions of the kernel, which are not read: KernelShark opens trace.dat of trace-cmd"
	}
	return ""
}

// scheduling processes the kernel's events of threads and cores.
func scheduling(marks *timeline.Marks, r *record) {
	switch r.kernel {
	case switchEvent:
		if prev, next, state, ok := schedSwitch(r.Text); ok {
			marks.Switch(prev, next, r.At)
			marks.Left(prev, state, r.At)
		}
	case blockedEvent:
		if tid, ok := pidOf(r.Text, "pid="); ok && bytes.Contains(r.Text, []byte(" iowait=1")) {
			marks.Blocked(tid)
		}
	default:
		if tid, ok := pidOf(r.Text, " pid="); ok {
			marks.Wakes(tid, r.At)
		}
	}
}

// The kernel's events that the reader uses.
const (
	switchEvent  = "sched_switch"
	wakingEvent  = "sched_waking"
	wakeupEvent  = "sched_wakeup"
	blockedEvent = "sched_blocked_reason"
)

// unescaped returns the original form of a line of systrace's page: newer pages have the text
// in a script element, older ones in a string with lines that end in \n\.
func unescaped(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte(`\n\`))
	if bytes.IndexByte(line, '&') >= 0 {
		line = []byte(html.UnescapeString(string(line)))
	}
	return line
}

// record is a line of ftrace that is a tracing mark, or an event of the kernel.
type record struct {
	timeline.Mark
	kernel string // name of the event; "" for a mark
}

// lines reads lines of ftrace. It remembers the writers and columns of previous lines, because
// those of the next line are usually the same.
type lines struct {
	writers   [64]task
	skipped   int64 // number of slices that begin on the kernel's own tracks
	cpu, time int   // columns: of "[", and, counted from there, of the time
	ticks     bool  // a time is an integer: a count of a clock
}

// read reads a line: comm "-" tid, perhaps "(" tgid ")", "[" cpu "]", perhaps flags, seconds ":",
// event ":", text. The texts in r are valid until the next call.
func (l *lines) read(line []byte, r *record) (ok bool) {
	rest, ok := l.head(line, r)
	if !ok {
		return false
	}
	r.kernel = ""
	if r.Text, ok = bytes.CutPrefix(rest, []byte("tracing_mark_write: ")); ok {
		if len(r.Text) > 0 && r.Text[0] == ' ' {
			r.Text = markText(r.Text)
		}
		return true
	}
	if r.Text, ok = bytes.CutPrefix(rest, []byte("trace_mark_write:")); ok { // early releases have no space
		r.Text = bytes.TrimPrefix(r.Text, []byte(" "))
		return true
	}
	colon := decode.Colon(rest)
	if colon < 0 {
		return false
	}
	r.Text = rest[colon+2:]
	event := bytes.TrimSpace(rest[:colon])
	switch string(event) { // does not allocate
	case "tracing_mark_write", "trace_mark_write", "print", "0":
		r.Text = markText(r.Text)
		return true
	case switchEvent:
		r.kernel = switchEvent
	case wakingEvent:
		r.kernel = wakingEvent
	case wakeupEvent:
		r.kernel = wakeupEvent
	case blockedEvent:
		r.kernel = blockedEvent
	case "workqueue_execute_start", "irq_handler_entry", "softirq_entry":
		l.skipped++
	// drivers have events such as dpu_tracing_mark_write, recognized by the names that Perfetto
	// uses
	default:
		if bytes.HasPrefix(r.Text, []byte("B|")) && bytes.HasSuffix(event, []byte("_tracing_mark_write")) {
			l.skipped++
		}
		if bytes.HasPrefix(event, []byte("0x")) { // the kernel does not show its function's name
			return true
		}
	}
	return r.kernel != ""
}

// head reads a line up to its time, and returns the rest: the event and its text. It returns false
// for a line that is not of ftrace, or whose time is not in seconds.
func (l *lines) head(line []byte, r *record) (rest []byte, ok bool) {
	writer := l.writer(line)
	if writer == nil {
		return nil, false
	}
	r.Comm, r.Tid = writer.comm, writer.tid
	rest = line[l.cpu:]
	colon := decode.Colon(rest)
	if colon < 0 {
		return nil, false
	}
	if r.At, ok = l.timeIn(rest[:colon]); !ok {
		return nil, false
	}
	return rest[colon+2:], true
}

// isEvent reports whether the first line that l reads is of ftrace, with any event, and with a time
// in seconds or in counts of a clock.
func (l *lines) isEvent(line []byte) bool {
	_, ok := l.head(line, new(record))
	return ok || l.ticks
}

// markText returns the text written by a thread, without the alignment and the name of the writing
// function that trace-cmd adds.
func markText(text []byte) []byte {
	return bytes.TrimPrefix(bytes.TrimLeft(text, " "), []byte("tracing_mark_write: "))
}

// timeIn reads the time, which is the last word of text. The kernel prints seconds with a fraction,
// and integers for clocks that count something else.
func (l *lines) timeIn(text []byte) (t time.Duration, ok bool) {
	if l.time <= 0 || l.time >= len(text) || text[l.time-1] != ' ' || bytes.IndexByte(text[l.time:], ' ') >= 0 {
		l.time = bytes.LastIndexByte(text, ' ') + 1
	}
	word := text[l.time:]
	if bytes.IndexByte(word, '.') < 0 {
		_, count := decode.Uint(word)
		l.ticks = l.ticks || count
		return 0, false
	}
	return decode.Time(word, time.Second)
}

// task is a thread that wrote a line, and the text at the beginning of the line.
type task struct {
	text, comm []byte
	tid        uint32
}

// writer returns the thread that wrote a line, and sets the column of the CPU. The CPU follows the
// first " [" after the thread; a comm can contain brackets, too. writer returns nil for a line that
// is not of ftrace.
func (l *lines) writer(line []byte) *task {
	if l.cpu < len(line) && string(line[max(0, l.cpu-1):l.cpu+1]) == " [" {
		if known := l.slot(line[:l.cpu-1]); bytes.Equal(known.text, line[:l.cpu-1]) {
			return known
		}
	}
	for at := 0; at < maxWriter; at++ {
		next := bytes.Index(line[at:], []byte(" ["))
		if next < 0 {
			return nil
		}
		at += next
		if w := l.writerOf(line[:at]); w != nil {
			l.cpu = at + 1
			return w
		}
	}
	return nil
}

// maxWriter is the maximum number of bytes that are searched for the end of the thread: a comm has
// 15 bytes, and its columns 64.
const maxWriter = 256

// writerOf returns the thread if text consists of it alone, else nil.
func (l *lines) writerOf(text []byte) *task {
	w := l.slot(text)
	if len(text) > 0 && bytes.Equal(w.text, text) {
		return w
	}
	comm, tid, ok := taskOf(text)
	if !ok {
		return nil
	}
	w.text, w.comm, w.tid = append(w.text[:0], text...), append(w.comm[:0], comm...), tid
	return w
}

// slot returns where the writer of lines that begin with text is stored, if it is stored at all.
func (l *lines) slot(text []byte) *task {
	n := len(text)
	if n < 16 || n > 64 {
		return new(task)
	}
	return &l.writers[(binary.LittleEndian.Uint64(text[n-8:])^binary.LittleEndian.Uint64(text[n-16:])<<1)*0x9e3779b97f4a7c15>>58] // Fibonacci hashing: to 64 places
}

// taskOf parses the beginning of a line: comm "-" tid, and optionally "(" tgid ")". A comm can
// contain any text, so the tid consists of the digits after the last "-" before the tgid.
func taskOf(text []byte) (comm []byte, tid uint32, ok bool) {
	text = bytes.TrimRight(text, " ")
	if n := len(text); n > 0 && text[n-1] == ')' {
		paren := bytes.LastIndexByte(text, '(')
		if paren < 0 {
			return nil, 0, false
		}
		text = bytes.TrimRight(text[:paren], " ")
	}
	dash := bytes.LastIndexByte(text, '-')
	if dash < 0 {
		return nil, 0, false
	}
	n, ok := decode.Uint(text[dash+1:])
	if !ok || n > math.MaxUint32 || bytes.HasSuffix(text[:dash], []byte("-1/")) { // perf's unknown process is -1/-1
		return nil, 0, false
	}
	return bytes.TrimSpace(text[:dash]), uint32(n), true
}
