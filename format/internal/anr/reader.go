package anr

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// parser reads the dumps that Android's runtimes write on SIGQUIT, into ANR files and exit-info
// traces, and debuggerd's dumps of native processes among them.
type parser struct {
	stackdump.Input
	thread   *stackdump.Thread // the thread described by the current lines
	attached int               // threads of the runtime so far
	expected int64             // number of threads stated by the dump
	headless bool              // the dump has no head and begins with a thread
	indent   int               // blanks before each line, if the dump is part of another text
}

// next returns the next line, without the indentation of the dump.
func (p *parser) next() (line []byte, ok bool) {
	line, ok = p.Lines.Next()
	return line[min(p.indent, indentation(line)):], ok
}

// indentation returns the number of blanks at the beginning of a line.
func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// Next implements parser.
func (p *parser) Next(d *stackdump.Dump) error {
	p.headless = false
	if !p.findDump(d) {
		return p.End()
	}
	p.thread, p.attached, p.expected = nil, 0, 0
	for {
		line, ok := p.next()
		switch {
		case !ok:
			p.cut(d)
			return p.Failed()
		case bytes.HasPrefix(line, []byte("----- ")):
			if !bytes.HasPrefix(line, []byte("----- end ")) {
				p.Lines.Back()
				p.cut(d)
				return nil
			}
			if d.PID == 0 { // its head is missing
				if pid, ok := stackdump.Number(line[len("----- end "):]); ok {
					d.PID = int(pid)
				}
			}
			p.checkCount(d)
			return nil
		default:
			p.line(d, line)
		}
	}
}

// findDump skips to the line that begins a dump. Waiting channels, which have their own block of
// the same shape, hold no stacks. A dump without its head begins at its first thread. Frames before
// that thread are skipped, because their thread is unknown.
func (p *parser) findDump(d *stackdump.Dump) bool {
	channels := false // in a block of waiting channels
	for lost := false; ; {
		line, ok := p.Lines.Next()
		if !ok {
			return false
		}
		p.indent = indentation(line)
		line = line[p.indent:]
		switch {
		case bytes.HasPrefix(line, []byte("----- Waiting Channels: ")):
			channels = true
		case bytes.HasPrefix(line, []byte("----- end ")):
			channels = false
		case channels:
		case isThreadHeader(line):
			p.Complain(trace.WarnDumpHead, "a dump has no first line: its time is unknown", words.Quote(line))
			d.Begin(&p.Input)
			p.Lines.Back()
			p.headless = true
			return true
		case !lost && bytes.HasPrefix(line, []byte("at ")):
			lost = true
			p.Complain(trace.WarnDumpCut, "a stack without the first line of its thread is ignored", words.Quote(line))
		}
		if rest, found := bytes.CutPrefix(line, []byte("----- pid ")); found {
			d.Begin(&p.Input)
			p.header(d, rest)
			return true
		}
		if bytes.HasPrefix(line, []byte("DALVIK THREADS")) { // a fragment without its head
			d.Begin(&p.Input)
			p.Lines.Back()
			return true
		}
	}
}

// header reads "N at DATE -----".
func (p *parser) header(d *stackdump.Dump, rest []byte) {
	pid, ok := stackdump.Number(rest)
	if !ok {
		p.Complain(trace.WarnDumpHead, "no pid in the first line of a dump", words.Quote(rest))
	}
	d.PID = int(pid)
	_, date, _ := bytes.Cut(rest, []byte(" at "))
	date, _, _ = bytes.Cut(date, []byte(" ---"))
	d.Stamp = stackdump.ParseDate(string(date))
	if d.Stamp.Date.IsZero() {
		p.Complain(trace.WarnDumpHead, "no date in the first line of a dump", words.Quote(rest))
	}
}

// line reads one line between the head and the end of a dump.
func (p *parser) line(d *stackdump.Dump, line []byte) {
	body := bytes.TrimLeft(line, " \x00") // debuggerd writes a NUL at the end of some threads
	switch {
	case len(body) == 0:
		p.thread = nil
	case body[0] == '"' && len(body) == len(line), isThreadHeader(line):
		p.threadHeader(d, line)
	case p.headless && bytes.HasPrefix(line, []byte("DALVIK THREADS")):
		// what precedes it is the stack of the thread that aborted the runtime, which follows again
		d.Threads, p.thread, p.attached = d.Threads[:0], nil, 0
		p.headLine(d, line)
	case p.thread != nil:
		p.threadLine(body)
	case len(d.Threads) == 0:
		p.headLine(d, line)
	case bytes.HasPrefix(body, []byte("at ")):
		p.Complain(trace.WarnDumpLine, "a frame that belongs to no thread is ignored", words.Quote(line))
	}
}

// headLine reads a line before the threads. Most of these lines, on memory, class loaders and
// garbage collections, are ignored; only two are used.
func (p *parser) headLine(d *stackdump.Dump, line []byte) {
	if rest, ok := bytes.CutPrefix(line, []byte("Cmd line: ")); ok {
		d.Process = p.Text(bytes.TrimSpace(rest))
	}
	if rest, ok := bytes.CutPrefix(line, []byte("DALVIK THREADS (")); ok {
		p.expected, _ = stackdump.Number(rest)
	}
}

// threadHeader reads a line such as
//
//	"main" prio=5 tid=1 Native           a thread of the runtime
//	"Binder:1_2" prio=5 (not attached)   another one
//	"Binder:1_2" sysTid=439              debuggerd's
//	"main" tid=1 Native                  Play Console's
//	main (native):tid=1 systid=439       Crashlytics'
//
// A name may have quotes in it; what follows has none.
func (p *parser) threadHeader(d *stackdump.Dump, line []byte) {
	name, rest, ok := cutHeader(line)
	if !ok {
		p.unknown(line)
		return
	}
	p.thread = p.addThread(d, name, rest)
	p.thread.Name = p.Text(name)
	p.thread.ID.Name = p.thread.Name
	if tid, ok := stackdump.NumberAfter(rest, "tid="); ok {
		p.thread.ID.Number, p.thread.Managed = tid, tid
		if p.Locks {
			p.thread.Locks.State = p.Text(state(rest))
		}
		p.attached++
	}
	for _, key := range []string{" sysTid=", " systid="} {
		if tid, ok := stackdump.NumberAfter(rest, key); ok {
			p.thread.ID = stackdump.ID{TID: tid}
		}
	}
}

// addThread begins a thread. Reports that users copy from Play Console repeat the head of each thread
// in a second form: that is one thread.
func (p *parser) addThread(d *stackdump.Dump, name, rest []byte) *stackdump.Thread {
	tid, ok := stackdump.NumberAfter(rest, "tid=")
	if t := p.thread; ok && t != nil && t.Line == p.Lines.Line-1 && t.Managed == tid && t.Name == string(name) {
		d.Threads = d.Threads[:len(d.Threads)-1]
		p.attached--
	}
	return d.AddThread(p.Lines.Line)
}

// isThreadHeader reports whether a line is the head of a thread.
func isThreadHeader(line []byte) bool {
	_, _, ok := cutHeader(line)
	return ok
}

// cutHeader splits the first line of a thread after the thread's name.
func cutHeader(line []byte) (name, rest []byte, ok bool) {
	if end := bytes.LastIndexByte(line, '"'); end > 0 && line[0] == '"' {
		name, rest = line[1:end], line[end+1:]
		for _, start := range []string{" prio=", " daemon prio=", " sysTid=", " tid="} {
			ok = ok || bytes.HasPrefix(rest, []byte(start))
		}
		// the head of a JVM's thread: HotSpot's or JRockit's
		return name, rest, ok && !bytes.Contains(rest, []byte(" nid=")) && !bytes.Contains(rest, []byte(" id="))
	}
	end := bytes.LastIndex(line, []byte("):tid="))
	if end < 0 { // copied from its page
		end = bytes.LastIndex(line, []byte("): tid="))
	}
	if end > 0 {
		if open := bytes.LastIndex(line[:end], []byte(" (")); open > 0 {
			return bytes.TrimLeft(line[:open], " "), line[open+len(" ("):], true
		}
	}
	return nil, nil, false
}

// state returns the thread state in the text after a thread's name: "Native" for "… tid=1 Native"
// and for "native):tid=1 …".
func state(rest []byte) []byte {
	if text, after, ok := bytes.Cut(rest, []byte("):")); ok && bytes.HasPrefix(bytes.TrimLeft(after, " "), []byte("tid=")) {
		var state []byte // for "timed waiting" it is TimedWaiting
		for word := range bytes.FieldsSeq(text) {
			state = append(append(state, bytes.ToUpper(word[:1])...), word[1:]...)
		}
		return state
	}
	_, rest, _ = bytes.Cut(rest, []byte("tid="))
	_, state, _ := bytes.Cut(rest, []byte(" "))
	state, _, _ = bytes.Cut(state, []byte(" (")) // such as (still starting up)
	return state
}

// threadLine reads a line of a thread, without its indentation.
func (p *parser) threadLine(body []byte) {
	switch body[0] {
	case 'a':
		if text, ok := bytes.CutPrefix(body, []byte("at ")); ok {
			p.push(stackdump.JavaSyntax, text)
			return
		}
	case '|':
		p.attribute(body)
		return
	case '-':
		if p.Locks {
			p.thread.Locks.ReadLine(body)
		}
		return
	case '(': // a note such as "(no managed stack frames)"
		return
	case 'n':
		if text, ok := bytes.CutPrefix(body, []byte("native: ")); ok {
			p.nativeFrame(text)
			return
		}
	case '#':
		p.nativeFrame(body)
		return
	case 'N', 'D', 'A':
		if isNote(body) {
			return
		}
	case 'k':
		if text, ok := bytes.CutPrefix(body, []byte("kernel: ")); ok {
			p.kernelFrame(text)
			return
		}
	case '.':
		if text, ok := bytes.CutPrefix(body, []byte("... repeated ")); ok {
			p.repeat(text)
			return
		}
	}
	p.unknown(body)
}

// isNote reports whether a line of a thread is a note of debuggerd on libraries without names, of
// ART on the time that the dump of the thread took, or of ART when it aborts.
func isNote(body []byte) bool {
	for _, note := range []string{"NOTE: ", "DumpLatencyMs: ", "Dumping all threads", "All threads:"} {
		if bytes.HasPrefix(body, []byte(note)) {
			return true
		}
	}
	return false
}

// unknown warns about a line that does not belong to a dump: a log line within it, or damaged text.
func (p *parser) unknown(line []byte) {
	if bytes.HasPrefix(line, []byte("Not able to dump stack")) {
		p.Complain(trace.WarnDumpThreads, "the runtime could not dump the stack of this thread", "")
		return
	}
	p.Complain(trace.WarnDumpLine, "not a line of a thread", words.Quote(line))
}

// push adds the next outer frame to the current thread.
func (p *parser) push(s stackdump.Syntax, text []byte) {
	p.thread.Push(&p.Input, p.Frame(s, text))
}

// nativeFrame reads "#00 pc 000000000004df5c  /lib/libc.so (syscall+28)".
// A thread without a stack has "(backtrace::Unwind failed …)" instead.
func (p *parser) nativeFrame(text []byte) {
	_, text, ok := bytes.Cut(text, []byte(" pc "))
	if ok {
		p.push(stackdump.NativeSyntax, text)
	}
}

// kernelFrame reads "futex_wait+0x120/0x20c". It also accepts a note in parentheses that the
// kernel's stack is not readable.
func (p *parser) kernelFrame(text []byte) {
	if len(text) > 0 && text[0] != '(' {
		p.push(stackdump.KernelSyntax, text)
	}
}

// repeat reads the "N times" of a repeated frame. ART prints a recursive frame
// three times and then counts from 0, so there are N+1 more (StackDumpVisitor).
func (p *parser) repeat(text []byte) {
	n, ok := stackdump.Number(text)
	if !ok || n < 0 || len(p.thread.Stack) == 0 {
		p.unknown(text)
		return
	}
	last := p.thread.Stack[len(p.thread.Stack)-1]
	for i := int64(0); i <= n && len(p.thread.Stack) < p.Depth; i++ {
		p.thread.Push(&p.Input, last)
	}
	if len(p.thread.Stack) == p.Depth {
		p.ComplainDepth()
	}
}

// attribute reads a line that begins with "| ".
func (p *parser) attribute(body []byte) {
	const tid, state, stat = "| sysTid=", "| state=", "| schedstat="
	switch {
	case bytes.HasPrefix(body, []byte(tid)):
		if n, ok := stackdump.Number(body[len(tid):]); ok {
			p.thread.ID = stackdump.ID{TID: n}
		}
	case bytes.HasPrefix(body, []byte(state)), bytes.HasPrefix(body, []byte(stat)):
		// The first number is the time the thread ran, in ns; 0 0 0 means that
		// the kernel does not count it.
		if ns, ok := stackdump.NumberAfter(body, "schedstat=( "); ok && ns > 0 {
			p.thread.CPU, p.thread.HasCPU = time.Duration(ns), true
		}
	}
}

// cut warns about a dump with a head but no end line.
func (p *parser) cut(d *stackdump.Dump) {
	if p.headless { // a dump without a head is a part of one
		return
	}
	p.Warn.Add(trace.WarnDumpCut, d.File, d.Line, "the dump has no end line: it is truncated, perhaps in its last thread",
		fmt.Sprintf("pid %d, %s", d.PID, words.Count(len(d.Threads), "thread")))
}

// checkCount warns if threads are missing.
func (p *parser) checkCount(d *stackdump.Dump) {
	if int64(p.attached) < p.expected {
		p.Warn.Add(trace.WarnDumpThreads, d.File, d.Line, "threads are missing from the dump", fmt.Sprintf("it states %d and has %d", p.expected, p.attached))
	}
}

// codec is the [stackdump.Codec] of ANR files.
type codec struct{}

// Detect reports whether a file that begins with head is of this format.
func (codec) Detect(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.Trim(line, " \r\n")
		for _, start := range []string{"----- pid ", "----- Waiting Channels: pid ", "DALVIK THREADS"} {
			if bytes.HasPrefix(line, []byte(start)) {
				return true
			}
		}
		if isThreadHeader(line) {
			return true
		}
	}
	return false
}

// logged are the beginnings of the first line of a dump in a log.
var logged = []string{"----- pid ", "DALVIK THREADS", `"main" prio=5 tid=1 `}

// Starts implements [stackdump.Logged].
func (codec) Starts() []string { return logged }

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, _ io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	return &parser{Input: in}
}
