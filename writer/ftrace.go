package writer

import (
	"bufio"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"artifice/trace"
)

var ftraceFormat = Format{
	Name: "ftrace", Description: "ftrace text with tracing marks, as in systrace: for Perfetto and Catapult", Endings: []string{".ftrace", ".systrace"}, Until: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		return newFtrace(w, nil, rec, o), nil
	},
}

var atraceFormat = Format{
	Name: "atrace", Description: "what atrace -z prints: ftrace text packed by zlib behind a line TRACE:", Endings: []string{".atrace"}, Binary: true, Until: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		if _, err := io.WriteString(w, "TRACE:\n"); err != nil {
			return nil, err
		}
		packed, err := zlib.NewWriterLevel(w, zlib.BestSpeed) // several times as fast as what atrace does
		if err != nil {
			return nil, err
		}
		return newFtrace(packed, packed, rec, o), nil
	},
}

// ftraceHeader is what the kernel puts in front: readers tell the format by it.
const ftraceHeader = `# tracer: nop
#
#                                      _-----=> irqs-off
#                                     / _----=> need-resched
#                                    | / _---=> hardirq/softirq
#                                    || / _--=> preempt-depth
#                                    ||| /     delay
#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION
#              | |        |      |   ||||       |         |
`

// ftrace is a Writer of the text that the Linux kernel's ftrace gives, with a
// tracing mark B or E for every enter and exit as android.os.Trace writes them.
// Times are those of the recording plus its start, in microseconds: what is finer
// is cut off. Names are cut to 127 characters, and "|", line ends and NUL become
// blanks, as in android.os.Trace. It streams; the order between threads is that of
// the recording, which readers sort.
type ftrace struct {
	nested
	cores  // what they did, where that is known
	w      *bufio.Writer
	packed io.Closer // nil when nothing is packed
	opened bool
	pid    uint32
	tasks  [][]byte // by thread: the beginning of its lines
	names  []string // by method
	line   []byte
}

func newFtrace(w io.Writer, packed io.Closer, rec *trace.Recording, o Options) *ftrace {
	f := &ftrace{w: bufio.NewWriterSize(w, 1<<16), packed: packed}
	f.nested = nested{rec: rec, until: o.Until, begin: f.thread, event: f.mark}
	f.cores.write, f.cores.chosen = f.sched, o.Categories
	return f
}

func (f *ftrace) open() {
	if !f.opened {
		f.opened = true
		f.pid = processID(f.rec)
		f.w.WriteString(ftraceHeader)
	}
}

// thread makes the beginning of a thread's lines, up to the core.
func (f *ftrace) thread(id trace.ThreadID) error {
	f.open()
	for int(id) >= len(f.tasks) {
		f.tasks = append(f.tasks, nil)
	}
	t := f.rec.Symbols.Thread(id)
	f.tasks[id] = fmt.Appendf(nil, "%16s-%-5d (%5d) [", commOf(t), t.TID, f.pid)
	return nil
}

// mark writes the line of an event.
func (f *ftrace) mark(e *trace.Event) error {
	if f.hides(f.rec.Symbols, e.Method) {
		return nil
	}
	core, err := f.before(e)
	if err != nil {
		return err
	}
	f.line = append(f.line[:0], f.tasks[e.Thread]...)
	f.line = append(f.line, byte('0'+core/100), byte('0'+core/10%10), byte('0'+core%10))
	f.line = append(f.line, "] ...1 "...)
	f.line = f.appendTime(f.line, e.Time(f.rec.Info.Clock))
	f.line = append(f.line, "tracing_mark_write: "...)
	if e.Action == trace.Enter {
		f.line = append(f.line, "B|"...)
		f.line = strconv.AppendUint(f.line, uint64(f.pid), 10)
		f.line = append(f.line, '|')
		f.line = append(f.line, f.name(e.Method)...)
	} else {
		f.line = append(f.line, "E|"...)
		f.line = strconv.AppendUint(f.line, uint64(f.pid), 10)
	}
	f.line = append(f.line, '\n')
	_, err = f.w.Write(f.line)
	return err
}

// appendTime appends a time of the recording, in seconds with six decimals, and what
// stands between it and the event's name.
func (f *ftrace) appendTime(line []byte, t time.Duration) []byte {
	us := (max(f.rec.Info.Start, 0) + max(t, 0)) / time.Microsecond
	line = append(strconv.AppendInt(line, int64(us/1e6), 10), '.')
	fraction := int64(us % 1e6)
	for unit := int64(1e5); unit > 0; unit /= 10 {
		line = append(line, byte('0'+fraction/unit%10))
	}
	return append(line, ": "...)
}

// name returns a method's name as a mark has it.
func (f *ftrace) name(m trace.MethodID) string {
	if int(m) >= len(f.names) {
		f.names = append(f.names, make([]string, len(f.rec.Symbols.Methods)-len(f.names))...)
	}
	if f.names[m] == "" {
		// Catapult cuts a name at a backslash with an n.
		name := strings.ReplaceAll(f.rec.Symbols.Method(m).FullName(), `\n`, `\ n`)
		f.names[m] = markText(name, 127)
	}
	return f.names[m]
}

// markText returns the first characters of s, as many as most, without those that
// mean something in a line.
func markText(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == '|' || r == 0x7f {
			return ' '
		}
		return r
	}, utf8(s))
	for i := range s {
		if most == 0 {
			return s[:i]
		}
		most--
	}
	return s
}

// Close closes the frames that are open and completes the file.
func (f *ftrace) Close() error {
	f.open()
	err := errors.Join(f.finish(), f.rest())
	if err == nil {
		err = f.w.Flush()
	}
	if err == nil && f.packed != nil {
		err = f.packed.Close()
	}
	if err != nil {
		return fmt.Errorf("ftrace: %w", err)
	}
	return nil
}
