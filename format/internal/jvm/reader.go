package jvm

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode"

	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// parser reads HotSpot's thread dumps (jstack, jcmd Thread.print, kill -3) of Java 5 to 25, alone
// or anywhere in a log, and the similar dumps of programs that use java.lang.management.
type parser struct {
	stackdump.Input
	date   []byte                // start of the last line that may be a date: it precedes the dump's head
	thread *stackdump.Thread     // current thread
	state  string                // its state according to its head; "" if another line has it
	ended  *stackdump.Thread     // previous thread; nil before the first
	smr    bool                  // inside the list of thread addresses
	main   bool                  // the dump contains the thread main
	ends   bool                  // the dump must have a last line
	bare   bool                  // the dump has no head
	headed bool                  // some dump had a head
	seen   map[stackdump.ID]bool // threads of a dump without a head
	names  map[string]int        // threads of the dump that only a name identifies: their number by name
	first  string                // name of the first of these threads in a dump without a head

	jrockit bool // the dump is one of JRockit
}

// defaultTraceDepth is HotSpot's -XX:MaxJavaStackTraceDepth. HotSpot truncates stacks at this depth
// without a mark.
const defaultTraceDepth = 1024

// Next implements parser.
func (p *parser) Next(d *stackdump.Dump) error {
	if !p.findDump(d) {
		return p.End()
	}
	p.thread, p.smr, p.main = nil, false, false
	for {
		line, ok := p.Lines.Next()
		switch {
		case !ok:
			p.cut(d)
			return p.Failed()
		case isHead(line), p.bare && p.again(line):
			p.Lines.Back()
			p.cut(d)
			return nil
		case bytes.HasPrefix(line, []byte("JNI global ref")), bytes.HasPrefix(line, []byte(jrockitEnd)):
			p.endThread()
			return nil
		default:
			p.line(d, line)
		}
	}
}

// dumpStarts are the beginnings of the first line of a dump.
var dumpStarts = []string{"Full thread dump ", "Full Java thread dump", jrockitHead}

// isHead reports whether a line is the first of a dump.
func isHead(line []byte) bool {
	return slices.ContainsFunc(dumpStarts, func(start string) bool { return bytes.HasPrefix(line, []byte(start)) })
}

// findDump skips to the head of a dump: garbage collections, heap summaries and reports of
// deadlocks, which repeat stacks, are between dumps. A console that prints threads by
// java.lang.management may print no head.
func (p *parser) findDump(d *stackdump.Dump) bool {
	for {
		line, ok := p.Lines.Next()
		if !ok {
			return false
		}
		head := isHead(line)
		_, bare := bareThread(line)
		if head || bare && !p.headed {
			d.Begin(&p.Input)
			if p.jrockit = bytes.HasPrefix(line, []byte(jrockitHead)); p.jrockit {
				line, _ = p.Lines.Next()
				p.keepDate(line)
			}
			if d.Stamp = stackdump.ParseLocalDate(string(p.date)); d.Stamp.Date.IsZero() {
				d.Stamp = stackdump.ParseLocalDate(string(p.Lines.Prefix)) // of a log
			}
			p.date = p.date[:0]
			// Java 5 ends with its last thread
			p.ends = bytes.HasPrefix(line, []byte("Full thread")) && !bytes.Contains(line, []byte(" (1.5."))
			p.headed, p.bare = head, bare
			p.names, p.first = map[string]int{}, ""
			if bare {
				p.Lines.Back()
				p.seen = map[stackdump.ID]bool{}
			}
			return true
		}
		if len(line) > 0 {
			p.keepDate(line)
		}
	}
}

// bareThread returns the identity of a thread from its first line, if that line is valid without
// the head of a dump: the lines of HotSpot and of programs, and "Thread 4711: (state = BLOCKED)" of
// jstack -F.
func bareThread(line []byte) (id stackdump.ID, ok bool) {
	if tid, _, ok := forcedThread(line); ok {
		return stackdump.ID{TID: tid}, true
	}
	if name, _, ok := debuggedThread(line); ok {
		return stackdump.ID{Name: string(name)}, true
	}
	if len(line) == 0 || line[0] != '"' {
		return id, false
	}
	if n, _, ok := managedID(line); ok {
		return stackdump.ID{Number: n}, true
	}
	name, rest := cutName(line)
	return idOf(name, rest), bytes.Contains(rest, []byte(" tid=")) && bytes.Contains(rest, []byte(" nid="))
}

// cutName splits the first line of a thread, which begins with a quotation mark, into its name and
// the rest.
func cutName(line []byte) (name, rest []byte) {
	end := bytes.LastIndexByte(line, '"')
	return line[min(1, end):end], line[end+1:]
}

// forcedThread reads the head of a thread of jstack -F: the system's number and the state.
func forcedThread(line []byte) (tid int64, state []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte("Thread "))
	if !ok {
		return 0, nil, false
	}
	number, state, found := bytes.Cut(bytes.TrimPrefix(rest, []byte("t@")), []byte(": (state = "))
	tid, ok = wholeNumber(number)
	return tid, bytes.TrimSuffix(state, []byte(")")), found && ok
}

// managedID returns a thread's number in java.lang.management, and the rest of its line. JMX
// consoles and ThreadInfo write Id= or id=, since Java 9 after the priority. VisualVM and similar
// programs write t@.
func managedID(line []byte) (id int64, rest []byte, ok bool) {
	for at := 1; ; { // the name can contain quotes, and the name of a lock's owner can follow
		quote := bytes.IndexByte(line[at:], '"')
		if quote < 0 {
			return 0, nil, false
		}
		at += quote + 1
		rest = bytes.TrimPrefix(line[at:], []byte(" daemon"))
		if prio, found := bytes.CutPrefix(rest, []byte(" prio=")); found {
			rest = bytes.TrimLeft(prio, digits)
		}
		for _, key := range []string{" Id=", " id=", " - Thread t@"} {
			if after, found := bytes.CutPrefix(rest, []byte(key)); found {
				id, ok = stackdump.Number(after)
				return id, bytes.TrimLeft(after, digits), ok
			}
		}
	}
}

const digits = "0123456789"

// again reports whether a line is the head of a thread that the dump already contains. Such a line
// begins another dump. Since several threads can have the same name, a name begins another dump only
// if it is that of the first thread.
func (p *parser) again(line []byte) bool {
	id, ok := bareThread(line)
	if !ok {
		return false
	}
	again := p.seen[id] && (id.Name == "" || id.Name == p.first)
	p.seen[id] = true
	if p.first == "" {
		p.first = id.Name
	}
	return again
}

// identify sets the identity of the current thread. Threads of a dump with the same name and no
// numbers are distinguished by their order.
func (p *parser) identify(id stackdump.ID) {
	if id.Name != "" {
		p.names[id.Name]++
		if n := p.names[id.Name]; n > 1 {
			id.Name = fmt.Sprintf("%s (%d)", id.Name, n)
		}
	}
	p.thread.ID = id
}

// keepDate remembers a line that may precede the head of a dump.
func (p *parser) keepDate(line []byte) {
	p.date = append(p.date[:0], line[:min(len(line), 40)]...)
}

// line reads one line of a dump.
func (p *parser) line(d *stackdump.Dump, line []byte) {
	body := bytes.TrimLeft(line, " \t")
	switch {
	case len(body) == 0:
		p.endThread()
	case p.jrockit:
		p.jrockitLine(d, line, body)
	case p.smr:
		p.smr = body[0] != '}'
	case (body[0] == '"' || bytes.HasPrefix(body, []byte("os_prio="))) && len(body) == len(line):
		p.threadHeader(d, line)
	case p.forced(d, line), p.debugged(d, line):
	case p.thread != nil:
		p.threadLine(d, body)
	default:
		p.outside(body)
	}
}

// endThread warns if the depth of the stack that just ended is that at which HotSpot truncates.
func (p *parser) endThread() {
	if p.thread != nil && len(p.thread.Stack) == defaultTraceDepth {
		p.Complain(trace.WarnDumpCut, "a stack has exactly 1024 frames, where HotSpot truncates; outer frames may be missing",
			"take the dump with -XX:MaxJavaStackTraceDepth=0")
	}
	if p.thread != nil {
		p.ended = p.thread
	}
	p.thread = nil
}

// outside reads a line between threads. A date may belong to the next dump.
func (p *parser) outside(body []byte) {
	switch {
	case body[0] == '_': // such as _java_thread_list=… and _to_delete_list=…, and their numbers
		p.smr = bytes.HasSuffix(body, []byte("{"))
	case unicode.IsDigit(rune(body[0])):
		p.keepDate(body)
	case body[0] == '-':
		if p.Locks && p.ended != nil { // "Locked ownable synchronizers" follow an empty line
			p.ended.Locks.ReadLine(body)
		}
	case isThreadNote(body), bytes.HasPrefix(body, []byte("Threads class SMR info")):
	case p.bare: // text around a pasted dump
	default:
		p.Complain(trace.WarnDumpLine, "not a line of a thread dump", words.Quote(body))
	}
}

// threadHeader reads a line such as
//
//	"main" #1 [4711] prio=5 os_prio=0 cpu=361.95ms elapsed=18.63s tid=0x00007f… nid=4711 runnable  [0x…]
//
// Its fields were added over time: #N in JDK 8, cpu= and elapsed= in 11, [tid] in 21. nid is
// hexadecimal before JDK 22. Some threads of the VM have no name, so their line begins with
// os_prio=.
func (p *parser) threadHeader(d *stackdump.Dump, line []byte) {
	end := bytes.LastIndexByte(line, '"')
	var number int64
	var state []byte
	managed := false
	if end > 0 {
		// the name of a lock's owner can follow
		if number, state, managed = managedID(line); managed {
			end = bytes.LastIndexByte(line[:len(line)-len(state)], '"')
		}
	}
	name, rest := line[min(1, max(end, 0)):max(end, 0)], line[end+1:]
	p.endThread()
	if end == 0 || !managed && !bytes.Contains(rest, []byte(" tid=")) {
		if p.bare { // text around a pasted dump
			return
		}
		p.Complain(trace.WarnDumpLine, "not a line of a thread dump", words.Quote(line))
		return
	}
	p.addThread(d, name)
	p.ends = p.ends && !managed
	if managed {
		p.thread.ID = stackdump.ID{Number: number}
		p.thread.Managed = number
		p.managedState(state)
		return
	}
	p.identify(idOf(name, rest))
	p.state = stateOfHead(rest)
	if cpu, ok := duration(rest, " cpu=", "ms ", time.Millisecond); ok {
		p.thread.CPU, p.thread.HasCPU = cpu, true
	}
	if elapsed, ok := duration(rest, " elapsed=", "s ", time.Second); ok {
		p.uptime(d, elapsed)
	}
}

// stateOfHead returns the java.lang.Thread.State of a thread according to its head. Up to JDK 5, no
// line has the state; since JDK 8, heads contain os_prio.
func stateOfHead(head []byte) string {
	if bytes.Contains(head, []byte(" os_prio=")) {
		return ""
	}
	for _, s := range headStates {
		if bytes.Contains(head, []byte(s.words)) {
			return s.state
		}
	}
	return ""
}

// headStates are the words of HotSpot for the state of a thread of its system.
var headStates = []struct{ words, state string }{
	{" waiting for monitor entry", "BLOCKED"}, {" in Object.wait()", "WAITING"}, {" waiting on condition", "WAITING"}, {" runnable", "RUNNABLE"},
}

// addThread begins a thread.
func (p *parser) addThread(d *stackdump.Dump, name []byte) {
	p.endThread()
	p.state = ""
	p.ended = nil // AddThread can move the memory of the threads
	p.thread = d.AddThread(p.Lines.Line)
	p.thread.Name = p.Text(name)
}

// managedState parses the text after a thread's number in the output of java.lang.management:
//
//	BLOCKED on java.lang.Object@3551a94 owned by "main" Id=1
//
// JMX consoles write "in BLOCKED on lock=java.lang.Object@3551a94".
func (p *parser) managedState(rest []byte) {
	if !p.Locks {
		return
	}
	rest = bytes.TrimPrefix(bytes.TrimLeft(rest, " "), []byte("in "))
	state, lock, _ := bytes.Cut(rest, []byte(" "))
	p.thread.Locks.State = p.Text(bytes.TrimSuffix(state, []byte(":")))
	if object, found := bytes.CutPrefix(lock, []byte("on ")); found {
		p.thread.Locks.ReadObject(string(state), bytes.TrimPrefix(object, []byte("lock=")))
	}
}

// forced reports whether a line is the head of a thread of jstack -F, and reads it if so. The
// debugger writes no names, and the states of the VM, in which BLOCKED includes all waits.
func (p *parser) forced(d *stackdump.Dump, line []byte) bool {
	tid, state, ok := forcedThread(line)
	if !ok {
		return false
	}
	p.addThread(d, fmt.Appendf(nil, "Thread %d", tid))
	p.thread.ID = stackdump.ID{TID: tid}
	if p.Locks {
		if p.thread.Locks.State = p.Text(state); string(state) == "BLOCKED" {
			p.thread.Locks.State = stackdump.BlockedInVM
		}
	}
	p.ends = false
	return true
}

// debugged reads the head of a thread as IntelliJ's debugger wrote it up to 2013:
//
//	main-EventThread@2147 daemon, prio=5, in group 'main', status: 'WAIT'
func (p *parser) debugged(d *stackdump.Dump, line []byte) bool {
	name, status, ok := debuggedThread(line)
	if !ok {
		return false
	}
	p.addThread(d, name)
	p.identify(stackdump.ID{Name: string(name)})
	p.ends = false
	if p.state = string(status); debuggerStates[p.state] != "" {
		p.state = debuggerStates[p.state]
	}
	return true
}

// debuggedThread returns the name and the status of a thread from its head by IntelliJ's debugger.
func debuggedThread(line []byte) (name, status []byte, ok bool) {
	head, status, ok := bytes.Cut(line, []byte(", status: '"))
	name, _, known := bytes.Cut(head, []byte(", prio="))
	status, _, closed := bytes.Cut(status, []byte("'"))
	return bytes.TrimSuffix(name, []byte(" daemon")), status, ok && known && closed
}

// debuggerStates are the states of threads, by those of the JDK's interface for debuggers.
var debuggerStates = map[string]string{"RUNNING": "RUNNABLE", "WAIT": "WAITING", "SLEEPING": "TIMED_WAITING", "MONITOR": "BLOCKED"}

// forcedFrame reads a frame as jstack -F writes it, without the dash:
//
//	java.lang.Object.wait(long) @bci=0, line=502 (Compiled frame; information may be imprecise)
func (p *parser) forcedFrame(body []byte) {
	name, _, _ := bytes.Cut(body, []byte("("))
	place := "(Unknown Source)"
	if line, ok := stackdump.NumberAfter(body, " line="); ok {
		place = fmt.Sprintf("(:%d)", line)
	}
	p.thread.Push(&p.Input, p.Frame(stackdump.JavaSyntax, append(name[:len(name):len(name)], place...)))
}

// uptime takes a thread's elapsed= for the JVM's: main's, or before main and
// where it has ended the greatest, which is that of a thread of the VM.
func (p *parser) uptime(d *stackdump.Dump, elapsed time.Duration) {
	if p.thread.Name == "main" {
		p.main = true
		d.Stamp.Uptime, d.Stamp.HasUptime = elapsed, true
	}
	if !p.main {
		d.Stamp.Uptime, d.Stamp.HasUptime = max(elapsed, d.Stamp.Uptime), true
	}
}

// idOf returns the identity of the thread with this header: nid, or [tid] if a mounted virtual
// thread has taken the place of nid, and the Java thread number. On systems on which nid is a
// thread's number within the process, lwp_id= is the system's number. The dumps of IntelliJ have
// tid=0x0 nid=0x0 in all headers: the name identifies their threads.
func idOf(name, rest []byte) (id stackdump.ID) {
	var ok bool
	for _, key := range []string{" lwp_id=", " nid=", " ["} {
		if id.TID, ok = stackdump.NumberAfter(rest, key); ok {
			break
		}
	}
	if i := bytes.Index(rest, []byte(" tid=")); !ok && i >= 0 {
		id.TID, _ = stackdump.Number(append([]byte("0x"), bytes.TrimPrefix(rest[i+len(" tid="):], []byte("0x"))...))
	}
	if len(rest) > 1 && rest[1] == '#' {
		id.Number, _ = stackdump.Number(rest[2:])
	}
	if id == (stackdump.ID{}) {
		id.Name = string(name)
	}
	return id
}

// duration reads the decimal fraction between key and unit in line.
func duration(line []byte, key, unit string, one time.Duration) (time.Duration, bool) {
	i := bytes.Index(line, []byte(key))
	if i < 0 {
		return 0, false
	}
	text, _, ok := bytes.Cut(line[i+len(key):], []byte(unit))
	if !ok || len(text) > 20 {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(text), 64)
	const most = float64(1<<62) / float64(time.Second)
	if err != nil || !(x >= 0 && x < most) {
		return 0, false
	}
	return time.Duration(x*float64(one) + 0.5), true
}

// threadLine reads a line of a thread, without its indentation.
func (p *parser) threadLine(d *stackdump.Dump, body []byte) {
	switch {
	case bytes.HasPrefix(body, []byte("at ")):
		if p.Locks && p.thread.Locks.State == "" {
			p.thread.Locks.State = p.state
		}
		p.thread.Push(&p.Input, p.Frame(stackdump.JavaSyntax, body[3:]))
	case body[0] == '-' && bytes.Contains(body, []byte(" @bci=")):
		p.forcedFrame(bytes.TrimLeft(body[1:], " "))
	case body[0] == '-':
		if p.Locks {
			p.thread.Locks.ReadLine(body)
		}
	case bytes.HasPrefix(body, []byte(mountedHead)):
		p.mounted(d, body)
	case bytes.HasPrefix(body, []byte("owned by ")):
		if p.Locks && p.thread.Locks.Waits != nil { // the JDK's demo FullThreadDump
			p.thread.Locks.Waits.Holder, _ = stackdump.NumberAfter(body, " Id=")
		}
	case bytes.HasPrefix(body, []byte("waiting for ")): // IntelliJ's debugger
		if _, lock, ok := bytes.Cut(body, []byte(" to release lock on ")); ok && p.Locks {
			p.thread.Locks.ReadLine(append([]byte("waiting to lock "), lock...))
		}
	case bytes.HasPrefix(body, []byte("on ")): // IntelliJ
		if p.Locks {
			p.thread.Locks.ReadObject(p.thread.Locks.State, body[len("on "):])
		}
	case isThreadNote(body):
		if state, ok := bytes.CutPrefix(body, []byte("java.lang.Thread.State: ")); ok && p.Locks {
			word, _, _ := bytes.Cut(state, []byte(" "))
			p.thread.Locks.State = p.Text(word)
		}
	default:
		p.Complain(trace.WarnDumpLine, "not a line of a thread dump", words.Quote(body))
	}
}

// mountedHead is the beginning of the line before the stack of a mounted virtual thread.
const mountedHead = "Mounted virtual thread "

// mounted begins the stack of the virtual thread that runs on the last thread. It is a separate
// thread, identified by its number.
func (p *parser) mounted(d *stackdump.Dump, body []byte) {
	n, _ := stackdump.Number(body[bytes.LastIndexByte(body, '#')+1:])
	p.thread = d.AddThread(p.Lines.Line)
	p.state = ""
	p.thread.Name = "virtual-" + strconv.FormatInt(n, 10)
	if _, rest, ok := bytes.Cut(body, []byte(`"`)); ok && len(rest) > 0 && rest[0] != '"' { // some releases write the name
		p.thread.Name = p.Text(rest[:max(bytes.LastIndexByte(rest, '"'), 0)])
	}
	p.thread.ID = stackdump.ID{Number: n, Virtual: true}
}

// threadNotes are the beginnings of the other lines of a thread.
var threadNotes = [][]byte{
	[]byte("java.lang.Thread.State:"), []byte("Locked ownable synchronizers:"), []byte("Carrying virtual thread #"),
	[]byte("Number of locked synchronizers"), []byte("Locked synchronizers:"), []byte("..."), []byte("No compile task"), []byte("Compiling:"), []byte("JavaThread state:"), []byte("Thread: 0x"), []byte("_"), []byte("[0x"),
	[]byte("(in native)"), []byte("(suspended)"), []byte("blocks "), // IntelliJ
}

func isThreadNote(body []byte) bool {
	for _, note := range threadNotes {
		if bytes.HasPrefix(body, note) {
			return true
		}
	}
	return false
}

// cut warns about a dump without its last line.
func (p *parser) cut(d *stackdump.Dump) {
	p.endThread()
	if !p.ends {
		return
	}
	p.Warn.Add(trace.WarnDumpCut, d.File, d.Line, `the dump does not end with "JNI global ref…": it is truncated, or a part was removed`,
		words.Count(len(d.Threads), "thread"))
}

// hotspot is the [stackdump.Codec] of thread dumps of HotSpot.
type hotspot struct{}

// Detect reports whether a file that begins with head is of this format.
func (hotspot) Detect(head []byte) bool {
	headed := slices.ContainsFunc(dumpStarts, func(start string) bool { return stackdump.HasLine(head, start) })
	return headed ||
		(stackdump.HasLine(head, "\"") || stackdump.HasLine(head, "Thread ") || bytes.Contains(head, []byte(", status: '"))) && bareThreads().Match(head)
}

// Starts implements [stackdump.Logged].
func (hotspot) Starts() []string { return dumpStarts }

// bareThreads matches a thread with a frame, without the head of a dump.
var bareThreads = sync.OnceValue(func() *regexp.Regexp {
	const heads = `"[^\n]*"(?:(?: daemon)?(?: prio=\d+)? [Ii]d=\d+| - Thread t@\d+|[^\n]* tid=(?:0x)?[0-9a-f]+ nid=)`
	return regexp.MustCompile(`(?m)^(?:` + heads + `[^\n]*\n(?:[ \t]+[^\n]*\n){0,2}?[ \t]+(?:at |- \S+ @bci=)|Thread (?:t@)?\d+: \(state = \w+\)\r?\n[ \t]*- |[^\s"][^\n]*, prio=\d+, [^\n]*status: '\w+'\r?\n[ \t]+at )`)
})

// Parser implements [stackdump.Codec].
func (hotspot) Parser(in stackdump.Input, _ io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	return &parser{Input: in}
}
