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
		p.complain(trace.WarnDumpThreads, `a thread without "tid" is known by its name`, "")
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
