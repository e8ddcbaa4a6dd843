package jvm

import (
	"bytes"
	"io"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// Tags of the lines of a javacore that are used. Each is followed by white space. Source: the
// section on Java dumps of OpenJ9's documentation, and com.ibm.dtfj.javacore of its sources.
const (
	tagSection = "0SECTION"
	tagTitle   = "TITLE"
	tagThreads = "THREADS"
	tagDate    = "1TIDATETIME"
	tagProcess = "1CIPROCESSID"
	tagThread  = "3XMTHREADINFO"
	tagJava    = "3XMJAVALTHREAD"
	tagNative  = "3XMTHREADINFO1"
	tagCPU     = "3XMCPUTIME"
	tagBlock   = "3XMTHREADBLOCK"
	tagFrame   = "4XESTACKTRACE"
	tagEntered = "5XESTACKTRACE"
	tagCurrent = "1XMCURTHDINFO" // the thread that caused the dump, which is also in the list
	tagList    = "1XMTHDINFO"
)

// javacoreParser reads javacores. Each is a dump.
type javacoreParser struct {
	stackdump.Input
	thread  *stackdump.Thread
	current bool             // the current lines describe the current thread
	numbers map[string]int64 // number of each thread, by its address
	// for threads that wait for a lock, by index: the address of the lock's owner
	owners map[int]string
}

// Next implements [stackdump.Parser]. A javacore begins with its title, a part of one with its
// threads or with a thread.
func (p *javacoreParser) Next(d *stackdump.Dump) error {
	p.thread, p.current, p.numbers, p.owners = nil, false, map[string]int64{}, map[int]string{}
	begun, listed := false, false
	for {
		line, ok := p.Lines.Next()
		if !ok {
			break
		}
		tag, rest := cutTag(line)
		title := tag == tagSection && bytes.HasPrefix(rest, []byte(tagTitle))
		threads := tag == tagThread || tag == tagSection && bytes.HasPrefix(rest, []byte(tagThreads))
		switch {
		case title && begun:
			p.Lines.Back() // the first line of the next javacore
			p.cut(d)
			return nil
		case tag == tagSection && listed: // the sections after the threads are ignored
			p.nameOwners(d)
			return nil
		case title || threads && !begun:
			begun = true
			d.Begin(&p.Input)
		}
		listed = listed || threads
		if begun {
			p.line(d, tag, rest)
		}
	}
	if !begun {
		return p.End()
	}
	p.cut(d)
	return p.Failed()
}

// cut warns about a javacore without a section after its threads.
func (p *javacoreParser) cut(d *stackdump.Dump) {
	p.Warn.Add(trace.WarnDumpCut, d.File, d.Line, "the javacore ends in its list of threads: it is truncated, or a part was removed", "")
	p.nameOwners(d)
}

// cutTag returns the tag of a line, and the text after it.
func cutTag(line []byte) (tag string, rest []byte) {
	if len(line) == 0 || line[0] < '0' || line[0] > '9' {
		return "", nil
	}
	end := bytes.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return string(line[:end]), bytes.TrimLeft(line[end:], " \t")
}

// line reads a line of the javacore.
func (p *javacoreParser) line(d *stackdump.Dump, tag string, rest []byte) {
	switch tag {
	case tagDate:
		d.Stamp.Date = javacoreDate(rest)
	case tagProcess:
		if pid, ok := stackdump.NumberAfter(rest, "Process ID: "); ok {
			d.PID = int(pid)
		}
	case tagCurrent:
		p.current = true
	case tagList:
		p.current, p.thread = false, nil
	case tagThread:
		p.head(d, rest)
	}
	if p.thread != nil {
		p.threadLine(d, tag, rest)
	}
}

// javacoreDate reads "Date: 2018/05/18 at 13:15:15:123", which is local time.
func javacoreDate(text []byte) time.Time {
	text = bytes.TrimPrefix(text, []byte("Date: "))
	if len(text) >= len("2018/05/18 at 13:15:15:123") { // a fraction follows after a colon
		text = append(append(bytes.Clone(text[:22]), '.'), text[23:26]...)
	}
	at, err := time.Parse("2006/01/02 at 15:04:05", string(text))
	if err != nil {
		return time.Time{}
	}
	return at
}

// head reads the head of a thread:
//
//	"main" J9VMThread:0x00B6B500, omrthread_t:0x00DC0F1E08, java/lang/Thread:0x00F3A2C8, state:CW, prio=5
//
// The VM's own threads are "Anonymous native thread".
func (p *javacoreParser) head(d *stackdump.Dump, rest []byte) {
	p.thread = nil
	end := bytes.LastIndexByte(rest, '"')
	if p.current || end <= 0 || rest[0] != '"' {
		return
	}
	p.thread = d.AddThread(p.Lines.Line)
	p.thread.Name = p.Text(rest[1:end])
	p.thread.ID.Name = p.thread.Name
	if _, state, ok := bytes.Cut(rest[end:], []byte("state:")); ok && p.Locks {
		state, _, _ = bytes.Cut(state, []byte(","))
		p.thread.Locks.State = p.Text(javacoreState(state))
	}
	if address := vmThread(rest[end:]); address != "" {
		p.thread.Managed = int64(len(p.numbers) + 1)
		p.numbers[address] = p.thread.Managed
	}
}

// vmThread returns the address after J9VMThread in text. Locks identify their owner by this
// address.
func vmThread(text []byte) string {
	_, rest, ok := bytes.Cut(text, []byte("J9VMThread:0x"))
	if !ok {
		return ""
	}
	end := bytes.IndexAny(rest, ",) ")
	if end < 0 {
		end = len(rest)
	}
	return string(rest[:end])
}

// javacoreState returns the java.lang.Thread.State of a thread state of OpenJ9. Java has none for
// S, suspended.
func javacoreState(state []byte) []byte {
	switch string(state) {
	case "R":
		return []byte("RUNNABLE")
	case "B", "MW":
		return []byte("BLOCKED")
	case "CW", "P":
		return []byte("WAITING")
	case "S":
		return []byte("SUSPENDED")
	case "Z":
		return []byte("TERMINATED")
	}
	return state
}

// threadLine reads a line of a thread.
func (p *javacoreParser) threadLine(d *stackdump.Dump, tag string, rest []byte) {
	switch tag {
	case tagJava:
		if n, ok := stackdump.NumberAfter(rest, "getId:"); ok {
			p.thread.ID.Number, p.thread.ID.Name = n, ""
		}
	case tagNative:
		if tid, ok := stackdump.NumberAfter(rest, "native thread ID:"); ok {
			p.thread.ID.TID, p.thread.ID.Name = tid, ""
		}
	case tagCPU:
		if cpu, ok := duration(rest, "CPU usage total: ", " secs", time.Second); ok {
			p.thread.CPU, p.thread.HasCPU = cpu, true
		}
	case tagBlock:
		if p.Locks {
			p.block(d, rest)
		}
	case tagFrame:
		if text, ok := bytes.CutPrefix(rest, []byte("at ")); ok {
			p.thread.Push(&p.Input, p.Frame(stackdump.JavaSyntax, javaFrame(text)))
		}
	case tagEntered:
		if text, ok := bytes.CutPrefix(rest, []byte("(entered lock: ")); ok && p.Locks {
			text, _, _ = bytes.Cut(text, []byte(","))
			p.thread.Locks.ReadLine(append([]byte("locked "), dotted(text)...))
		}
	}
}

// block reads the lock that a thread waits for:
//
//	Blocked on: java/lang/String@0x4D8C90F8 Owned by: "Thread-5" (J9VMThread:0x41A9A900, java/lang/Thread:0x…)
//	Waiting on: java/lang/Object@0x00000000FFF6A1E8 Owned by: <unowned>
//
// Other kinds of waits are ignored with a warning.
func (p *javacoreParser) block(d *stackdump.Dump, rest []byte) {
	how, object, ok := bytes.Cut(rest, []byte(" on: "))
	object, owner, _ := bytes.Cut(object, []byte(" Owned by: "))
	if !ok {
		return
	}
	begin, known := map[string]string{"Blocked": "blocked on ", "Parked": "parking to wait for ", "Waiting": "waiting on "}[string(how)]
	if !known {
		p.Complain(trace.WarnDumpLine, "a line about a lock is ignored: the thread is neither blocked, parked nor waiting", words.Quote(how))
		return
	}
	p.thread.Locks.ReadLine(append([]byte(begin), dotted(object)...))
	if address := vmThread(owner); address != "" && p.thread.Locks.Waits != nil {
		p.owners[len(d.Threads)-1] = address
	}
}

// nameOwners replaces the addresses of lock owners by their thread numbers. It is called at the
// end, because an owner can follow the threads that wait for it.
func (p *javacoreParser) nameOwners(d *stackdump.Dump) {
	for thread, address := range p.owners {
		d.Threads[thread].Locks.Waits.Holder = p.numbers[address]
	}
}

// dotted returns a name with dots for the slashes of packages.
func dotted(name []byte) []byte { return bytes.ReplaceAll(name, []byte("/"), []byte(".")) }

// javaFrame returns a frame of a javacore as HotSpot writes it: without slashes in the class, and
// without the notes "(Compiled Code)" and "Bytecode PC".
func javaFrame(text []byte) []byte {
	name, place, _ := bytes.Cut(text, []byte("("))
	// a place such as PrintStream.java:806(Compiled Code)
	if end := bytes.IndexByte(place, '('); end >= 0 {
		place = place[:end]
	}
	place = bytes.TrimRight(place, ")")
	if bytes.HasPrefix(place, []byte("Bytecode PC")) {
		place = []byte("Unknown Source")
	}
	// the slash in the name of a hidden class is kept: a number follows it
	if at := bytes.LastIndexByte(name, '.'); at >= 0 {
		name = append(hiddenClass(name[:at]), name[at:]...)
	}
	return append(append(append(name, '('), place...), ')')
}

// hiddenClass is dotted for the name of a class that may be hidden, such as
// "a/B$$Lambda/0x00000000300e8730".
func hiddenClass(class []byte) []byte {
	last := bytes.LastIndexByte(class, '/')
	if last > 0 && last+1 < len(class) && class[last+1] >= '0' && class[last+1] <= '9' {
		return append(dotted(class[:last]), class[last:]...)
	}
	return dotted(class)
}

// javacore is the [stackdump.Codec] of javacores.
type javacore struct{}

// Detect reports whether a file that begins with head is of this format.
func (javacore) Detect(head []byte) bool {
	return stackdump.HasLine(head, stackdump.JavacoreThread) || stackdump.HasLine(head, "0SECTION       TITLE")
}

// Starts implements [stackdump.Logged].
func (javacore) Starts() []string { return []string{"0SECTION       ", stackdump.JavacoreThread} }

// Parser implements [stackdump.Codec].
func (javacore) Parser(in stackdump.Input, _ io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	return &javacoreParser{Input: in}
}
