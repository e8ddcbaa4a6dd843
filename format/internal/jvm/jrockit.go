package jvm

import (
	"bytes"

	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// A dump of JRockit has a first line, a date, a version, threads, chains of locks, and a last line.
const (
	jrockitHead = "===== FULL THREAD DUMP"
	jrockitEnd  = "===== END OF THREAD DUMP"
)

// jrockitLine reads one line of a dump of JRockit that is not empty. Chains of locks follow the
// threads; they repeat names of threads.
func (p *parser) jrockitLine(d *stackdump.Dump, line, body []byte) {
	switch {
	case line[0] == '"' && bytes.Contains(line, []byte(" prio=")):
		p.jrockitThread(d, line)
	case p.thread == nil:
	case bytes.HasPrefix(body, []byte("at ")):
		p.thread.Push(&p.Input, p.Frame(stackdump.JavaSyntax, jrockitFrame(body[len("at "):])))
	case body[0] == '-', body[0] == '^':
		if p.Locks {
			p.jrockitLock(body)
		}
	default:
		p.Complain(trace.WarnDumpLine, "not a line of a thread dump", words.Quote(body))
	}
}

// jrockitThread reads the first line of a thread:
//
//	"Main Thread" id=1 idx=0x4 tid=11648 prio=5 alive, in native, waiting
//	"Main Thread" prio=5 id=0x80 tid=0xf7c waiting
//
// Threads of the VM can have the number "?".
func (p *parser) jrockitThread(d *stackdump.Dump, line []byte) {
	name, rest := cutName(line)
	p.addThread(d, name)
	id := stackdump.ID{Name: string(name)}
	if tid, ok := stackdump.NumberAfter(rest, " tid="); ok {
		number, _ := stackdump.NumberAfter(rest, " id=")
		id = stackdump.ID{TID: tid, Number: number}
	}
	p.identify(id)
	if p.Locks {
		p.thread.Locks.State = jrockitState(rest)
	}
}

// jrockitState returns the java.lang.Thread.State for the words at the end of a thread's first
// line.
func jrockitState(rest []byte) string {
	for _, word := range bytes.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' }) {
		switch string(word) {
		case "blocked":
			return "BLOCKED"
		case "sleeping":
			return "TIMED_WAITING"
		case "waiting", "native_waiting", "native_blocked", "parked":
			return "WAITING"
		}
	}
	return "RUNNABLE"
}

// jrockitLocks are the beginnings of lines about locks, and those of HotSpot. The lock that
// Object.wait has released is also the one that the thread waits on.
var jrockitLocks = []struct{ text, hotspot string }{
	{"-- Waiting for notification on: ", "- waiting on "},
	{"-- Blocked trying to get lock: ", "- waiting to lock "},
	{"-- Parking to wait for: ", "- parking to wait for "},
	{"^-- Holding lock: ", "- locked "},
}

// jrockitLock reads a line about a lock, such as
//
//	-- Blocked trying to get lock: java/lang/Object@0x6f28838[fat lock]
func (p *parser) jrockitLock(body []byte) {
	for _, l := range jrockitLocks {
		if lock, ok := bytes.CutPrefix(body, []byte(l.text)); ok {
			lock, _, _ = bytes.Cut(lock, []byte("["))
			p.thread.Locks.ReadLine(append([]byte(l.hotspot), bytes.ReplaceAll(lock, []byte("/"), []byte("."))...))
		}
	}
}

// jrockitFrame returns a frame of JRockit in the form of HotSpot. JRockit writes the names of the class
// file, a descriptor (except for Java 1.4), the place and, for Java 1.4, an address:
//
//	java/lang/Object.wait(J)V(Native Method)
//	jrockit/vm/Threads.waitForSignal(Native Method)@0x11187A10
func jrockitFrame(text []byte) []byte {
	name, _, _ := bytes.Cut(text, []byte("("))
	place := []byte("(Unknown Source)")
	if open, end := bytes.LastIndexByte(text, '('), bytes.LastIndexByte(text, ')'); 0 <= open && open < end {
		place = text[open : end+1]
	}
	return append(bytes.ReplaceAll(name, []byte("/"), []byte(".")), place...)
}
