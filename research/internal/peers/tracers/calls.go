package tracers

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"artifice/research/internal/peers/seen"
)

// boot is the time since boot at which files begin that have such times.
const boot = 1000 * time.Second

// rhea writes the text of btrace 2, with nine decimals of a second: marks of android.os.Trace with
// an additional letter before the name. It contains no thread names; the main thread is the one
// with the process's number.
func rhea(t *seen.Trace) ([]File, *seen.Trace) {
	held := *balanced(t)
	held.Threads = make(map[int]string)
	pid := 0
	for tid, name := range t.Threads {
		if held.Threads[tid] = fmt.Sprintf("thread-%d", tid); name == "main" {
			pid, held.Threads[tid] = tid, "main"
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "1|TRACE_START|0|%d|2147483647|2|x\n", pid)
	for _, e := range held.Events {
		letter := "E"
		if e.Enter {
			letter = "B"
		}
		at := boot + e.Wall
		fmt.Fprintf(&b, "%d.%09d %d: B|%d|%s:%s\n", at/time.Second, at%time.Second, e.Thread, pid, letter, e.Method)
	}
	held.Start = boot + held.Events[0].Wall
	return []File{{"rhea-atrace", b.Bytes()}}, &held
}

// nanoscope writes the calls of the main thread: begins with the method as ART prints it, and ends
// without.
func nanoscope(t *seen.Trace) ([]File, *seen.Trace) {
	held := mainAlone(balanced(t))
	var b bytes.Buffer
	for _, e := range held.Events {
		if e.Enter {
			fmt.Fprintf(&b, "%d:void %s()\n", boot+e.Wall, e.Method)
		} else {
			fmt.Fprintf(&b, "%d:POP\n", boot+e.Wall)
		}
	}
	held = changed(held, func(e *seen.Event) { e.Method += "()V" })
	held.Start = boot + held.Events[0].Wall
	return []File{{"out.txt", b.Bytes()}}, held
}

// mapping returns the methodMapping.txt of numbered methods.
func mapping(ids map[string]int) File {
	var b bytes.Buffer
	b.WriteString("# NUMBER,FLAGS,CLASS METHOD DESCRIPTOR\n")
	for name, id := range ids {
		dot := strings.LastIndex(name, ".")
		fmt.Fprintf(&b, "%d,1,%s %s ()V\n", id, strings.ReplaceAll(name[:dot], ".", "/"), name[dot+1:])
	}
	return File{"methodMapping.txt", b.Bytes()}
}

// btrace writes the binary file of btrace 2: a record of 16 bytes when a call returns, with the ns
// since the library was loaded. A call takes at least 1 ns: the nesting of two calls of zero length
// is not in the file.
func btrace(t *seen.Trace) ([]File, *seen.Trace) {
	held := balanced(t.Apart())
	ids := numbers(held)
	le := binary.LittleEndian
	b := le.AppendUint32(nil, 5)
	b = le.AppendUint32(b, 4711)
	for _, at := range []time.Duration{boot, boot - time.Second, boot} { // both clocks when it was loaded, and when it began
		b = le.AppendUint64(b, uint64(at))
	}
	for _, c := range calls(held) {
		start, took := uint64(time.Second+c.begin), uint64(c.end-c.begin)
		b = le.AppendUint64(b, start<<19|took>>26)
		b = le.AppendUint64(b, took&(1<<26-1)<<38|uint64(c.thread)<<23|uint64(ids[c.method]))
	}
	held = changed(held, func(e *seen.Event) { e.Method += "()V" })
	held.Threads = make(map[int]string)
	for tid := range t.Threads {
		held.Threads[tid] = fmt.Sprintf("thread-%d", tid)
	}
	held.Start = boot + held.Events[0].Wall
	return []File{{"rhea-atrace.bin", b}, mapping(ids)}, held
}

// dispatchMessage is Matrix's method number 1048574, called by the main thread for each message.
const dispatchMessage = "android.os.Handler.dispatchMessage"

// matrixReport writes the stack of a report of Matrix: a line for each call, in the order of the
// begins, with its whole ms. A call's begin within its caller is not recorded: calls are assumed to
// follow each other.
func matrixReport(t *seen.Trace) ([]File, *seen.Trace) {
	main := mainAlone(balanced(t))
	ids := numbers(main)
	begun := calls(main)
	slices.SortFunc(begun, func(a, b call) int { return cmp.Compare(a.nth, b.nth) })
	held := &seen.Trace{Wall: true, Threads: main.Threads}
	var b bytes.Buffer
	free := []time.Duration{0} // by depth: the begin of the next call
	var open []call
	leave := func(depth int) {
		for len(open) > depth {
			c := open[len(open)-1]
			open = open[:len(open)-1]
			held.Events = append(held.Events, seen.Event{Thread: 1, Method: c.method + "()V", Wall: c.end})
		}
	}
	for _, c := range begun {
		took := (c.end - c.begin).Truncate(time.Millisecond)
		fmt.Fprintf(&b, "%d,%d,1,%d\n", c.depth, ids[c.method], took/time.Millisecond)
		leave(c.depth)
		free = append(free[:c.depth+1], free[c.depth])
		c.begin, c.end = free[c.depth], free[c.depth]+took
		free[c.depth] = c.end
		held.Events = append(held.Events, seen.Event{Thread: 1, Enter: true, Method: c.method + "()V", Wall: c.begin})
		open = append(open, c)
	}
	leave(0)
	return []File{{"stack.txt", b.Bytes()}, mapping(ids)}, held
}

// messages returns the part of a single-threaded trace inside the calls that dispatch messages.
func messages(t *seen.Trace) *seen.Trace {
	out := *t
	out.Events = nil
	depth := 0 // of the open calls that are kept
	for _, e := range t.Events {
		switch {
		case e.Enter && (depth > 0 || e.Method == dispatchMessage):
			depth++
		case !e.Enter && depth > 0:
			depth--
		default:
			continue
		}
		out.Events = append(out.Events, e)
	}
	return &out
}

// matrixBuffer writes Matrix's buffer: a word with the ms for each begin and end of a call in a
// message.
func matrixBuffer(t *seen.Trace) ([]File, *seen.Trace) {
	held := messages(mainAlone(balanced(t)))
	ids := numbers(held)
	ids[dispatchMessage] = 0xffffe
	held = changed(held, func(e *seen.Event) { e.Wall = e.Wall.Truncate(time.Millisecond) })
	var b []byte
	for _, e := range held.Events {
		word := uint64(ids[e.Method])<<43 | uint64((boot+e.Wall)/time.Millisecond)
		if e.Enter {
			word |= 1 << 63
		}
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	names := maps.Clone(ids)
	delete(names, dispatchMessage)
	held = changed(held, func(e *seen.Event) {
		if e.Method != dispatchMessage {
			e.Method += "()V"
		}
	})
	held.Start = boot + held.Events[0].Wall
	return []File{{"buffer", b}, mapping(names)}, held
}
