package stackdump

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"artifice/trace"
)

// jvmTextParser reads what jcmd PID Thread.dump_to_file writes unless told
// otherwise, in JDK 19 and later: pid, time and version in a line each, then the
// threads, virtual ones too, whether they run or not.
type jvmTextParser struct{ input }

// next implements parser.
func (p *jvmTextParser) next(d *Dump) error {
	if !p.findDump(d) {
		return p.end()
	}
	var thread *Thread
	for {
		line, ok := p.lines.next()
		switch {
		case !ok:
			if thread != nil {
				p.warn.add(trace.WarnDumpCut, d.File, thread.Line, "no empty line ends the last thread: the dump may be cut off", "")
			}
			return p.failed()
		case len(line) == 0:
			thread = nil
		case line[0] == '#':
			thread = p.thread(d, line)
		case thread == nil && isDigit(line[0]):
			p.lines.back() // the next dump
			return nil
		case thread != nil && line[0] == ' ':
			p.frameLine(thread, bytes.TrimLeft(line, " "))
		default:
			p.complain(trace.WarnDumpLine, "not a line of a thread dump", quoted(line))
		}
	}
}

// findDump skips to a line with a pid that a line with a time follows, and reads
// both and the version.
func (p *jvmTextParser) findDump(d *Dump) bool {
	pid, isPID := int64(0), false
	for {
		line, ok := p.lines.next()
		if !ok {
			return false
		}
		if at, ok := parseInstant(line); ok && isPID {
			d.begin(&p.input)
			d.Line-- // the pid's
			d.PID, d.Stamp.Date = int(pid), at
			p.lines.next() // the version
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

// wholeNumber reads a line that is a number and nothing else.
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
func (p *jvmTextParser) thread(d *Dump, line []byte) *Thread {
	n, ok := number(line[1:])
	_, rest, quote := bytes.Cut(line, []byte(` "`))
	end := bytes.LastIndexByte(rest, '"')
	if !ok || !quote || end < 0 {
		p.complain(trace.WarnDumpLine, "not a line of a thread dump", quoted(line))
		return nil
	}
	t := d.addThread(p.lines.line)
	t.Name = nameOrNumber(p.text(rest[:end]), n)
	t.ID = ID{Number: n}
	return t
}

// nameOrNumber returns the name of a thread, for one without a name, which only
// virtual threads are, its number.
func nameOrNumber(name string, n int64) string {
	if name == "" {
		return "virtual-" + strconv.FormatInt(n, 10)
	}
	return name
}

// frameLine reads a frame, or a lock's "- …".
func (p *jvmTextParser) frameLine(t *Thread, body []byte) {
	if len(body) > 0 && body[0] != '-' {
		t.push(&p.input, p.frame(javaSyntax, body))
	}
}

// isJVMText reports whether text begins as such a dump does.
func isJVMText(text []byte) bool {
	pid, rest, _ := bytes.Cut(text, []byte("\n"))
	at, _, _ := bytes.Cut(rest, []byte("\n"))
	_, isPID := wholeNumber(bytes.TrimRight(pid, "\r"))
	_, isTime := parseInstant(bytes.TrimRight(at, "\r"))
	return isPID && isTime
}

func newJVMText(in input, _ io.Reader, _ ReaderConfig) parser { return &jvmTextParser{in} }

// jvmJSONParser reads what jcmd PID Thread.dump_to_file -format=json writes, in
// JDK 19 and later: all threads in containers, virtual ones too, whether they
// run or not.
type jvmJSONParser struct{ jsonInput }

// jvmJSONThread is the part of a thread that is of use. Numbers were strings
// before the format's version 2 (JDK 27).
type jvmJSONThread struct {
	TID   json.RawMessage `json:"tid"`
	Name  string          `json:"name"`
	Stack []string        `json:"stack"`
}

// next implements parser. A document is a dump; several may follow each other.
func (p *jvmJSONParser) next(d *Dump) error {
	if !p.dec.More() {
		if _, err := p.dec.Token(); err != io.EOF {
			return p.fail(err)
		}
		return io.EOF
	}
	p.here()
	d.begin(&p.input)
	return p.fail(p.object(func(key string) error {
		if key == "threadDump" {
			return p.object(func(key string) error { return p.member(d, key) })
		}
		return p.skip()
	}))
}

// member reads one member of the threadDump object.
func (p *jvmJSONParser) member(d *Dump, key string) error {
	switch key {
	case "processId", "time":
		var raw json.RawMessage
		if err := p.dec.Decode(&raw); err != nil {
			return err
		}
		if pid, ok := jsonNumber(raw); ok {
			d.PID = int(pid)
		} else if t, err := time.Parse(time.RFC3339Nano, unquoted(raw)); err == nil {
			d.Stamp.Date = t
		}
		return nil
	case "threadContainers":
		return p.array(func() error { return p.container(d) })
	}
	return p.skip()
}

// container reads the threads of one container.
func (p *jvmJSONParser) container(d *Dump) error {
	return p.object(func(key string) error {
		if key != "threads" {
			return p.skip()
		}
		return p.array(func() error { return p.thread(d) })
	})
}

// thread reads one thread.
func (p *jvmJSONParser) thread(d *Dump) error {
	var j jvmJSONThread
	if err := p.dec.Decode(&j); err != nil {
		return err
	}
	p.here()
	t := d.addThread(p.lines.line)
	name := p.text([]byte(j.Name))
	number, ok := jsonNumber(j.TID)
	t.Name, t.ID = nameOrNumber(name, number), ID{Number: number}
	if !ok {
		p.complain(trace.WarnDumpThreads, `a thread without "tid" is identified by its name`, "")
		t.ID = ID{Name: name}
	}
	for _, text := range j.Stack {
		t.push(&p.input, p.frame(javaSyntax, []byte(text)))
	}
	return nil
}

// jsonNumber reads 12 or "12".
func jsonNumber(raw json.RawMessage) (int64, bool) {
	n, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	return n, err == nil
}

// unquoted returns a JSON string that needs no unescaping.
func unquoted(raw json.RawMessage) string { return string(bytes.Trim(raw, `"`)) }

// isJVMJSON reports whether a file that begins with head is of this format.
func isJVMJSON(head []byte) bool { return hasJSONKey(head, "threadDump") }

func newJVMJSON(in input, text io.Reader, _ ReaderConfig) parser {
	return &jvmJSONParser{newJSONInput(in, text)}
}
