package ftrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/trace"
)

// header is the kernel's header, by which readers recognize the format.
const header = `# tracer: nop
#
%s#                                      _-----=> irqs-off
#                                     / _----=> need-resched
#                                    | / _---=> hardirq/softirq
#                                    || / _--=> preempt-depth
#                                    ||| /     delay
#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION
#              | |        |      |   ||||       |         |
`

// markEvent is the kernel's name of the events that apps write.
const markEvent = "tracing_mark_write: "

// file is a Writer of the text of the Linux kernel's ftrace, with a tracing mark B or E for every
// enter and exit, as written by android.os.Trace. Times are those of the recording plus its start,
// truncated to microseconds. Names are cut to 127 characters, and "|", line ends and NUL become
// blanks, as in android.os.Trace. It streams. The order between threads is that of the recording;
// readers sort the lines.
type file struct {
	encode.Nested
	encode.Cores // the cores that threads ran on, if known
	w            *bufio.Writer
	packed       io.Closer // nil if the output is not compressed
	ring         *ring     // nil if all records are kept
	opened       bool
	pid          uint32
	tasks        []threadStart      // by thread
	begins       encode.MethodTexts // by method: the text after the time of a begin
	end          []byte             // the text after the time of an end
	line         []byte             // reused for kernel events
	calls        encode.Binder
	vsyncs       encode.Vsyncs
}

// threadStart is the beginning of a thread's lines, up to the time.
type threadStart struct {
	text []byte
	core int // the core in the text
}

func newFile(w io.Writer, packed io.Closer, rec *trace.Recording, options kind.Options) *file {
	o := kind.Option[Options](options)
	f := &file{w: bufio.NewWriterSize(w, 1<<16), packed: packed}
	f.Nested = encode.Nested{Rec: rec, Until: kind.Option[kind.WriteOptions](options).Until, To: f, ForPerfetto: true}
	if o.BufferKB > 0 {
		f.ring = newRing(o.BufferKB, o.Circular)
	}
	f.begins, f.vsyncs = encode.MethodTexts{Symbols: rec.Symbols, Make: f.beginOf}, encode.VsyncsOf(rec)
	f.Cores.Write, f.Cores.Chosen = f.sched, o.Categories
	return f
}

func (f *file) open() {
	if !f.opened {
		f.opened = true
		f.pid = encode.ProcessID(f.Rec)
		f.end = fmt.Appendf(nil, markEvent+"E|%d\n", f.pid)
		if f.ring == nil { // without a ring the header states the number of records
			fmt.Fprintf(f.w, header, "")
		}
	}
}

// put writes the line of a record, which takes size bytes in the kernel's buffer of a core.
func (f *file) put(core int, at time.Duration, size int, line []byte) error {
	if f.ring != nil {
		f.ring.take(core, at, size, line)
		return nil
	}
	_, err := f.w.Write(line)
	return err
}

// BeginThread implements [encode.Timeline]: it prepares the beginning of a thread's lines.
func (f *file) BeginThread(id trace.ThreadID) error {
	f.open()
	for int(id) >= len(f.tasks) {
		f.tasks = append(f.tasks, threadStart{})
	}
	f.move(id, 0)
	return nil
}

// move updates the beginning of a thread's lines for another core.
func (f *file) move(id trace.ThreadID, core int) {
	t := f.Rec.Symbols.Thread(id)
	task := &f.tasks[id]
	task.text = fmt.Appendf(task.text[:0], "%16s-%-5d (%5d) [%03d] ...1 ", encode.Comm(t), t.TID, f.pid, core)
	task.core = core
}

// Event implements [encode.Timeline]. It writes the line of a mark and, within a call to another
// process, the kernel's lines of the transaction.
func (f *file) Event(e *trace.Event) error {
	core, err := f.Before(e)
	if err != nil {
		return err
	}
	task := &f.tasks[e.Thread]
	if task.core != core {
		f.move(e.Thread, core)
	}
	if e.Action == trace.Enter {
		return errors.Join(f.write(e, task), f.binder(e))
	}
	return errors.Join(f.binder(e), f.write(e, task))
}

// write writes the line of an event, which begins with its thread.
func (f *file) write(e *trace.Event, task *threadStart) error {
	if f.Hides(f.Rec.Symbols, e.Method) {
		return nil
	}
	text := f.end
	if e.Action == trace.Enter {
		text = f.begins.Of(e.Method)
		if name := f.vsyncs.Section(f.Rec, f.Rec.Symbols.Method(e.Method), e.Wall); name != "" {
			text = f.beginText(name)
		}
	}
	at := e.Time(f.Rec.Info.Clock)
	b := append(f.w.AvailableBuffer(), task.text...)
	b = append(f.appendTime(b, at), text...)
	return f.put(task.core, at, markSize+len(text)-len(markEvent)-1, b)
}

// appendTime appends a time of the recording, in seconds with six decimals, and the text between it
// and the event's name.
func (f *file) appendTime(line []byte, t time.Duration) []byte {
	us := uint64(max(f.Rec.Info.Start, 0)+max(t, 0)) / uint64(time.Microsecond)
	line = append(encode.AppendUint(line, us/1e6), '.')
	return append(encode.AppendMillionths(line, uint32(us%1e6)), ": "...)
}

// beginOf returns the text after the time of the line with which a call of m begins.
func (f *file) beginOf(m *trace.Method) []byte {
	// Catapult cuts a name at a backslash with an n.
	return f.beginText(strings.ReplaceAll(m.FullName(), `\n`, `\ n`))
}

// beginText is beginOf for a call with a given name.
func (f *file) beginText(name string) []byte {
	return fmt.Appendf(nil, markEvent+"B|%d|%s\n", f.pid, encode.MarkText(name, 127))
}

// Notes returns the notes on repairs of the nesting, on categories without content, and on dropped
// records.
func (f *file) Notes() []string {
	notes := append(f.Nested.Notes(), f.Cores.Notes()...)
	if f.ring != nil {
		notes = append(notes, f.ring.Notes()...)
	}
	return notes
}

// Close closes the frames that are open and completes the file.
func (f *file) Close() error {
	f.open()
	err := errors.Join(f.Finish(), f.Rest())
	if f.ring != nil {
		fmt.Fprintf(f.w, header, f.ring.header())
		f.ring.write(f.w)
	}
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
