package jvm

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode"

	"artifice/format/internal/stackdump"
	"artifice/internal/jsonread"
	"artifice/internal/words"
	"artifice/trace"
)

// textParser reads the default output of jcmd PID Thread.dump_to_file in JDK 19 and later: pid,
// time and version in a line each, then the threads, including virtual ones, running or not.
type textParser struct{ stackdump.Input }

// Next implements parser.
func (p *textParser) Next(d *stackdump.Dump) error {
	if !p.findDump(d) {
		return p.End()
	}
	var thread *stackdump.Thread
	for {
		line, ok := p.Lines.Next()
		switch {
		case !ok:
			if thread != nil {
				p.Warn.Add(trace.WarnDumpCut, d.File, thread.Line, "there is no empty line after the last thread: the dump may be truncated", "")
			}
			return p.Failed()
		case len(line) == 0:
			thread = nil
		case line[0] == '#':
			thread = p.thread(d, line)
		case thread == nil && unicode.IsDigit(rune(line[0])):
			p.Lines.Back() // the next dump
			return nil
		case thread != nil && line[0] == ' ':
			p.frameLine(thread, bytes.TrimLeft(line, " "))
		default:
			p.Complain(trace.WarnDumpLine, "not a line of a thread dump", words.Quote(line))
		}
	}
}

// findDump skips to a line with a pid that precedes a line with a time. It reads both lines and the
// version.
func (p *textParser) findDump(d *stackdump.Dump) bool {
	pid, isPID := int64(0), false
	for {
		line, ok := p.Lines.Next()
		if !ok {
			return false
		}
		if at, ok := parseInstant(line); ok && isPID {
			d.Begin(&p.Input)
			d.Line-- // the line number of the pid
			d.PID, d.Stamp.Date = int(pid), at
			p.Lines.Next() // skip the version
			return true
		}
		pid, isPID = wholeNumber(line)
	}
}

// parseInstant reads a line that is a time as Java's Instant writes it.
func parseInstant(line []byte) (time.Time, bool) {
	if len(line) < len("2006-01-02T15:04:05Z") || len(line) > 40 || line[10] != 'T' {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, string(line))
	return at, err == nil
}

// wholeNumber parses a line that consists of a number.
func wholeNumber(line []byte) (int64, bool) {
	if len(line) == 0 || len(line) > 20 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(line), 10, 64)
	return n, err == nil
}

// thread reads a line such as
//
//	#22 "name" virtual
//
// Newer releases have the state and a time after it. It returns nil for another
// line.
func (p *textParser) thread(d *stackdump.Dump, line []byte) *stackdump.Thread {
	n, ok := stackdump.Number(line[1:])
	_, rest, quote := bytes.Cut(line, []byte(` "`))
	end := bytes.LastIndexByte(rest, '"')
	if !ok || !quote || end < 0 {
		p.Complain(trace.WarnDumpLine, "not a line of a thread dump", words.Quote(line))
		return nil
	}
	t := d.AddThread(p.Lines.Line)
	t.Name = nameOrNumber(p.Text(rest[:end]), n)
	t.ID = stackdump.ID{Number: n}
	if p.Locks {
		// "virtual" may precede the state, and a time may follow it
		for word := range bytes.FieldsSeq(rest[end+1:]) {
			if isState(word) {
				t.Locks.State = p.Text(word)
			}
		}
	}
	return t
}

// isState reports whether a word is a java.lang.Thread.State.
func isState(word []byte) bool {
	return slices.Contains([]string{"NEW", "RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING", "TERMINATED"}, string(word))
}

// nameOrNumber returns the name of a thread, or its number if it has no name; only virtual threads
// have none.
func nameOrNumber(name string, n int64) string {
	if name == "" {
		return "virtual-" + strconv.FormatInt(n, 10)
	}
	return name
}

// frameLine reads a frame, or a line "- …" about a lock. JDK 25 and later write "at " before frames.
func (p *textParser) frameLine(t *stackdump.Thread, body []byte) {
	switch {
	case len(body) == 0:
	case body[0] != '-':
		t.Push(&p.Input, p.Frame(stackdump.JavaSyntax, bytes.TrimPrefix(body, []byte("at "))))
	case p.Locks:
		t.Locks.ReadLine(body)
	}
}

// dumpText is the [stackdump.Codec] of dump_to_file's text.
type dumpText struct{}

// Detect reports whether text begins as such a dump does.
func (dumpText) Detect(text []byte) bool {
	pid, rest, _ := bytes.Cut(text, []byte("\n"))
	at, _, _ := bytes.Cut(rest, []byte("\n"))
	_, isPID := wholeNumber(bytes.TrimRight(pid, "\r"))
	_, isTime := parseInstant(bytes.TrimRight(at, "\r"))
	return isPID && isTime
}

// Parser implements [stackdump.Codec].
func (dumpText) Parser(in stackdump.Input, _ io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	return &textParser{in}
}

// jsonParser reads what jcmd PID Thread.dump_to_file -format=json writes, in
// JDK 19 and later: all threads in containers, virtual ones too, whether they
// run or not.
type jsonParser struct{ stackdump.JSON }

// jsonThread contains the used members of a thread. Numbers were strings before the format's
// version 2 (JDK 27).
type jsonThread struct {
	TID   jsonread.Text `json:"tid"`
	Name  string        `json:"name"`
	Stack []string      `json:"stack"`

	// JDK 25 and later write locks, as "java.lang.Object@3551a94".
	State       string `json:"state"`
	ParkBlocker *struct {
		Object string        `json:"object"`
		Owner  jsonread.Text `json:"owner"`
	} `json:"parkBlocker"`
	BlockedOn string `json:"blockedOn"`
	WaitingOn string `json:"waitingOn"`
	Monitors  []struct {
		Locks []string `json:"locks"`
	} `json:"monitorsOwned"`
}

// locks adds the locks that a thread waits for and holds.
func (j *jsonThread) locks(l *stackdump.Locks, in *stackdump.Input) {
	l.State = in.Text([]byte(j.State))
	switch {
	case j.BlockedOn != "":
		l.ReadObject("BLOCKED", []byte(j.BlockedOn))
	case j.WaitingOn != "":
		l.ReadObject(j.State, []byte(j.WaitingOn))
	case j.ParkBlocker != nil:
		l.ReadLine([]byte("parking to wait for " + j.ParkBlocker.Object))
		if l.Waits != nil {
			l.Waits.Holder, _ = stackdump.Number([]byte(j.ParkBlocker.Owner))
		}
	}
	for _, m := range j.Monitors {
		for _, object := range m.Locks {
			l.ReadLine([]byte("locked " + object))
		}
	}
}

// Next implements parser. A document is a dump; several may follow each other.
func (p *jsonParser) Next(d *stackdump.Dump) error {
	if _, err := p.Peek(); err == io.EOF {
		return err
	}
	p.Here()
	d.Begin(&p.Input)
	return p.Fail(p.Object(func(key string) error {
		if key == "threadDump" {
			return p.Object(func(key string) error { return p.member(d, key) })
		}
		return p.Skip()
	}))
}

// member reads one member of the threadDump object.
func (p *jsonParser) member(d *stackdump.Dump, key string) error {
	switch key {
	case "processId", "time":
		var text jsonread.Text
		if err := p.Decode(&text); err != nil {
			return err
		}
		if pid, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			d.PID = int(pid)
		} else if t, err := time.Parse(time.RFC3339Nano, string(text)); err == nil {
			d.Stamp.Date = t
		}
		return nil
	case "threadContainers":
		return p.Array(func() error { return p.container(d) })
	}
	return p.Skip()
}

// container reads the threads of one container.
func (p *jsonParser) container(d *stackdump.Dump) error {
	return p.Object(func(key string) error {
		if key != "threads" {
			return p.Skip()
		}
		return p.Array(func() error { return p.thread(d) })
	})
}

// thread reads one thread.
func (p *jsonParser) thread(d *stackdump.Dump) error {
	var j jsonThread
	if err := p.Decode(&j); err != nil {
		return err
	}
	p.Here()
	t := d.AddThread(p.Lines.Line)
	name := p.Text([]byte(j.Name))
	number, err := strconv.ParseInt(string(j.TID), 10, 64)
	t.Name, t.ID = nameOrNumber(name, number), stackdump.ID{Number: number}
	if err != nil {
		p.Complain(trace.WarnDumpThreads, `a thread without "tid" is identified by its name`, "")
		t.ID = stackdump.ID{Name: name}
	}
	t.Managed = number
	if p.Locks {
		j.locks(&t.Locks, &p.Input)
	}
	for _, text := range j.Stack {
		t.Push(&p.Input, p.Frame(stackdump.JavaSyntax, []byte(text)))
	}
	return nil
}

// dumpJSON is the [stackdump.Codec] of dump_to_file's JSON.
type dumpJSON struct{}

// Detect reports whether a file that begins with head is of this format.
func (dumpJSON) Detect(head []byte) bool { return stackdump.HasJSONKey(head, "threadDump") }

// Parser implements [stackdump.Codec].
func (dumpJSON) Parser(in stackdump.Input, text io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	return &jsonParser{stackdump.NewJSON(in, text)}
}
