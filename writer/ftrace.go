package writer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"artifice/internal/decimal"
	"artifice/internal/pack"
	"artifice/trace"
)

var ftraceFormat = Format{
	Name: "ftrace", Description: "ftrace text with tracing marks, as in systrace: for Perfetto and Catapult", Endings: []string{".ftrace", ".systrace"}, Until: true, Scheduling: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		return newFtrace(w, nil, rec, o), nil
	},
}

var atraceFormat = Format{
	Name: "atrace", Description: "what atrace -z prints: ftrace text packed by zlib behind a line TRACE:", Endings: []string{".atrace"}, Binary: true, Until: true, Scheduling: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		if _, err := io.WriteString(w, "TRACE:\n"); err != nil {
			return nil, err
		}
		packed := pack.NewZlib(w)
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
	Nested
	Cores  // what they did, where that is known
	w      *bufio.Writer
	packed io.Closer // nil when nothing is packed
	opened bool
	pid    uint32
	tasks  []ftraceTask // by thread
	begins MethodTexts  // what the line of a begin has after the time
	end    []byte       // and that of an end
	line   []byte       // of what a core did
}

// ftraceTask is what the lines of a thread begin with, up to the time.
type ftraceTask struct {
	text []byte
	core int // that it names
}

func newFtrace(w io.Writer, packed io.Closer, rec *trace.Recording, o Options) *ftrace {
	f := &ftrace{w: bufio.NewWriterSize(w, 1<<16), packed: packed}
	f.Nested = Nested{Rec: rec, Until: o.Until, Begin: f.thread, Event: f.mark}
	f.begins = MethodTexts{Symbols: rec.Symbols, Make: f.beginOf}
	f.Cores.write, f.Cores.Chosen = f.sched, o.Categories
	return f
}

func (f *ftrace) open() {
	if !f.opened {
		f.opened = true
		f.pid = ProcessID(f.Rec)
		f.end = fmt.Appendf(nil, "tracing_mark_write: E|%d\n", f.pid)
		f.w.WriteString(ftraceHeader)
	}
}

// thread makes the beginning of a thread's lines.
func (f *ftrace) thread(id trace.ThreadID) error {
	f.open()
	for int(id) >= len(f.tasks) {
		f.tasks = append(f.tasks, ftraceTask{})
	}
	f.move(id, 0)
	return nil
}

// move makes the beginning of the lines of a thread on a core.
func (f *ftrace) move(id trace.ThreadID, core int) {
	t := f.Rec.Symbols.Thread(id)
	task := &f.tasks[id]
	task.text = fmt.Appendf(task.text[:0], "%16s-%-5d (%5d) [%03d] ...1 ", commOf(t), t.TID, f.pid, core)
	task.core = core
}

// mark writes the line of an event.
func (f *ftrace) mark(e *trace.Event) error {
	if f.Hides(f.Rec.Symbols, e.Method) {
		return nil
	}
	core, err := f.before(e)
	if err != nil {
		return err
	}
	task := &f.tasks[e.Thread]
	if task.core != core {
		f.move(e.Thread, core)
	}
	b := append(f.w.AvailableBuffer(), task.text...)
	b = f.appendTime(b, e.Time(f.Rec.Info.Clock))
	if e.Action == trace.Enter {
		b = append(b, f.begins.Of(e.Method)...)
	} else {
		b = append(b, f.end...)
	}
	_, err = f.w.Write(b)
	return err
}

// appendTime appends a time of the recording, in seconds with six decimals, and what
// stands between it and the event's name.
func (f *ftrace) appendTime(line []byte, t time.Duration) []byte {
	us := uint64(max(f.Rec.Info.Start, 0)+max(t, 0)) / uint64(time.Microsecond)
	line = append(decimal.AppendUint(line, us/1e6), '.')
	return append(decimal.AppendMillionths(line, uint32(us%1e6)), ": "...)
}

// beginOf returns what the line has after the time with which a call of m begins.
func (f *ftrace) beginOf(m *trace.Method) []byte {
	// Catapult cuts a name at a backslash with an n.
	name := strings.ReplaceAll(m.FullName(), `\n`, `\ n`)
	return fmt.Appendf(nil, "tracing_mark_write: B|%d|%s\n", f.pid, markText(name, 127))
}

// markText returns the first characters of s, as many as most, without those that
// mean something in a line.
func markText(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == '|' || r == 0x7f {
			return ' '
		}
		return r
	}, ValidUTF8(s))
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
	err := errors.Join(f.Finish(), f.rest())
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
