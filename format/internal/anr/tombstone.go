package anr

import (
	"bytes"
	"io"

	"artifice/format/internal/stackdump"
)

// tombstoneParser reads tombstones. A tombstone is a dump: the thread that received the signal,
// then the others. Source: debuggerd's libdebuggerd/tombstone.cpp and tombstone_proto_to_text.cpp.
type tombstoneParser struct {
	stackdump.Input
	stamp  stackdump.Stamp // time of the current tombstone
	seen   map[int64]bool  // threads of the dump
	frames bool            // the current lines are frames of a thread
}

// Crashed is the state of the thread that received the signal.
const Crashed = "Crashed"

// Next implements [stackdump.Parser].
func (p *tombstoneParser) Next(d *stackdump.Dump) error {
	p.seen, p.frames = map[int64]bool{}, false
	for {
		line, ok := p.Lines.Next()
		if !ok {
			if len(d.Threads) == 0 {
				return p.End()
			}
			return p.Failed()
		}
		text := bytes.TrimLeft(withoutLogHead(line), " \t")
		pid, tid, found := tombstoneThread(text)
		switch {
		case found && len(d.Threads) > 0 && (pid != int64(d.PID) || p.seen[tid]):
			p.Lines.Back()
			return nil
		case found:
			p.thread(d, text, pid, tid)
		case bytes.HasPrefix(text, []byte("*** *** ***")) && len(d.Threads) > 0:
			return nil
		default:
			p.line(d, text)
		}
	}
}

// withoutLogHead returns a line without the prefix that Android's log adds to debuggerd's lines: "F
// DEBUG : " or "F/DEBUG ( 1234): ".
func withoutLogHead(line []byte) []byte {
	at := bytes.Index(line, []byte("DEBUG"))
	if at < 2 || line[at-1] != ' ' && line[at-1] != '/' {
		return line
	}
	_, text, ok := bytes.Cut(line[at:], []byte(": "))
	if !ok {
		return line
	}
	return text
}

// tombstoneThread reads the head of a thread: "pid: 12345, tid: 12346, name: RenderThread >>>
// com.example <<<".
func tombstoneThread(line []byte) (pid, tid int64, ok bool) {
	if !bytes.HasPrefix(line, []byte("pid: ")) {
		return 0, 0, false
	}
	pid, isPID := stackdump.NumberAfter(line, "pid: ")
	tid, isTID := stackdump.NumberAfter(line, ", tid: ")
	return pid, tid, isPID && isTID
}

// thread begins a thread, and a dump with the first one.
func (p *tombstoneParser) thread(d *stackdump.Dump, line []byte, pid, tid int64) {
	first := len(d.Threads) == 0
	if first {
		d.Begin(&p.Input)
		d.PID, d.Stamp, p.stamp = int(pid), p.stamp, stackdump.Stamp{}
		if _, process, ok := bytes.Cut(line, []byte(">>> ")); ok {
			process, _, _ = bytes.Cut(process, []byte(" <<<"))
			d.Process = p.Text(process)
		}
	}
	p.seen[tid] = true
	t := d.AddThread(p.Lines.Line)
	t.ID.TID = tid
	if _, name, ok := bytes.Cut(line, []byte(", name: ")); ok {
		name, _, _ = bytes.Cut(name, []byte(" >>> "))
		t.Name = p.Text(bytes.TrimRight(name, " "))
	}
	if first && p.Locks {
		t.Locks.State = Crashed
	}
	p.frames = true
}

// line reads any other line. It skips registers, memory and the words of stacks between the
// threads: only frames contain " pc ".
func (p *tombstoneParser) line(d *stackdump.Dump, line []byte) {
	if date, ok := bytes.CutPrefix(line, []byte("Timestamp: ")); ok {
		p.stamp = stackdump.ParseDate(string(date))
	}
	body := bytes.TrimLeft(line, " ")
	switch {
	case len(d.Threads) == 0 || len(body) == 0:
	case body[0] == '#' && p.frames:
		if _, text, ok := bytes.Cut(body, []byte(" pc ")); ok {
			d.Threads[len(d.Threads)-1].Push(&p.Input, p.Frame(stackdump.NativeSyntax, text))
		}
	case bytes.HasPrefix(body, []byte("stack:")), bytes.HasPrefix(body, []byte("memory ")):
		p.frames = false // the words of a stack, which repeat the frames' numbers
	}
}

// tombstones is the [stackdump.Codec] of tombstones.
type tombstones struct{}

// Detect reports whether a file that begins with head is of this format.
func (tombstones) Detect(head []byte) bool {
	return bytes.Contains(head, []byte("pid: ")) && bytes.Contains(head, []byte(", tid: ")) && bytes.Contains(head, []byte(" >>> ")) && bytes.Contains(head, []byte("#00 pc "))
}

// Parser implements [stackdump.Codec].
func (tombstones) Parser(in stackdump.Input, _ io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	return &tombstoneParser{Input: in}
}
