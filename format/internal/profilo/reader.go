package profilo

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// parser reads profilo's logs, usually packed by gzip: a head
//
//	dt
//	ver|3
//	id|…
//	prec|6
//	pid|1234
//
// (prec is the number of decimals of a second in times), an empty line, and
//
//	number|TYPE|time|tid|a|b|c
//	number|STRING_KEY or STRING_VALUE|number of the one it belongs to|text
//
// Numbers and times of lines of the first form are differences to the previous line of that form. A
// stack is a sequence of STACK_FRAME lines, outermost first, in which c is the method.
// JAVA_FRAME_NAME with STRING_VALUE contains the name of the method c, as in
// "Lcom/example/Foo;bar". Other methods are called "_" and their number, as by profilo's own
// workflow. TRACE_THREAD_NAME with STRING_KEY (the tid) and STRING_VALUE names a thread.
//
// The blocks of android.os.Trace in a log (MARK_PUSH, MARK_POP) and its counters are not samples,
// and are ignored.
type parser struct {
	stackdump.Samples
	read  bool
	unit  time.Duration
	names map[uint64]string
	comms map[uint32]string

	entry entry            // the previous line of the first form, converted to absolute numbers
	stack stackdump.Sample // the incomplete stack, up to its innermost frame so far
	last  int32            // number of that frame's line
	open  bool             // stack is in use
	// the entity that the strings after entry name: 't' a thread, 'f' a frame, 0 neither
	named  byte
	key    string // the last STRING_KEY
	blocks int
}

// entry is a line of the first form.
type entry struct {
	id, tid, a, b int32
	at, c         int64
}

// codec is the [stackdump.Codec] of logs.
type codec struct{}

// Detect implements [stackdump.Codec].
func (codec) Detect(head []byte) bool {
	return bytes.HasPrefix(head, []byte("dt\nver|")) || bytes.HasPrefix(head, []byte("dt\r\nver|"))
}

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, _ io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{unit: time.Microsecond, names: map[uint64]string{}, comms: map[uint32]string{}}
	p.Samples = stackdump.NewSamples(in, p)
	return p
}

// Resolve implements [stackdump.SampleNames].
func (p *parser) Resolve(key uint64) []stackdump.FrameID { return []stackdump.FrameID{p.methodOf(key)} }

// NameThread implements [stackdump.SampleNames].
func (p *parser) NameThread(tid uint32, t *stackdump.Thread) {
	if t.Name = p.comms[tid]; t.Name == "" {
		t.Name = fmt.Sprintf("thread-%d", tid)
	}
}

// methodOf returns the frame for a method.
func (p *parser) methodOf(key uint64) stackdump.FrameID {
	name, ok := p.names[key]
	if !ok {
		return p.Input.Frame(stackdump.FoldedSyntax, fmt.Appendf(nil, "_%d", key))
	}
	if class, method, java := strings.Cut(name, ";"); java && strings.HasPrefix(class, "L") {
		return p.Input.Frames.Add(stackdump.Frame{Class: p.Text([]byte(strings.ReplaceAll(class[1:], "/", "."))), Method: p.Text([]byte(method))})
	}
	return p.Input.Frame(stackdump.FoldedSyntax, []byte(name))
}

// Next implements parser. Each sample is a dump of its thread.
func (p *parser) Next(d *stackdump.Dump) error {
	if !p.read {
		p.read = true
		for {
			line, ok := p.Lines.Next()
			if !ok {
				break
			}
			p.line(line)
		}
		if err := p.Failed(); err != nil {
			return err
		}
		p.endStack()
		p.Sort()
		if p.blocks > 0 {
			p.Warn.Add(trace.WarnDumpLeftOut, p.Name, 0, fmt.Sprintf("%d begins and ends of blocks are ignored: artifice reads only the stacks of a log", p.blocks), "")
		}
	}
	return p.Deliver(d)
}

// line processes a line.
func (p *parser) line(line []byte) {
	fields := bytes.SplitN(line, []byte("|"), 7)
	switch {
	case len(fields) == 2 && string(fields[0]) == "prec":
		if n, ok := stackdump.Number(fields[1]); ok && n <= 9 {
			p.unit = time.Duration(math.Pow10(int(9 - n)))
		}
	case len(fields) == 2 && string(fields[0]) == "pid":
		n, _ := stackdump.Number(fields[1])
		p.PID = int(int32(n))
	case len(fields) >= 4 && (string(fields[1]) == "STRING_KEY" || string(fields[1]) == "STRING_VALUE" || string(fields[1]) == "STRING_NAME"):
		p.string(fields[1], bytes.SplitN(line, []byte("|"), 4)[3])
	case len(fields) == 7:
		p.standard(line, fields)
	}
}

// standard processes a line of the first form.
func (p *parser) standard(line []byte, fields [][]byte) {
	var n [7]int64
	for i, f := range fields {
		if i == 1 {
			continue
		}
		var err error
		if n[i], err = strconv.ParseInt(string(f), 10, 64); err != nil {
			p.Complain(trace.WarnDumpLine, "not an entry of seven fields, with numbers in all but the second", words.Quote(line))
			return
		}
	}
	e := &p.entry
	e.id += int32(n[0])
	e.at += n[2]
	e.tid += int32(n[3])
	e.a += int32(n[4])
	e.b += int32(n[5])
	e.c += n[6]
	p.named = 0
	if string(fields[1]) == "STACK_FRAME" {
		p.frame()
		return
	}
	p.endStack()
	switch string(fields[1]) {
	case "MARK_PUSH", "MARK_POP":
		p.blocks++
	case "TRACE_THREAD_NAME":
		p.named = 't'
	case "JAVA_FRAME_NAME":
		p.named = 'f'
	}
}

// frame adds the entry as the next frame of a stack. It belongs to the current stack if time and
// thread are the same and the line numbers are consecutive; otherwise it begins a new stack.
func (p *parser) frame() {
	e := &p.entry
	at, tid := time.Duration(e.at)*p.unit, uint32(e.tid)
	if e.at < 0 || e.at > 1<<60/int64(p.unit) {
		p.Complain(trace.WarnDumpTime, "a frame at an impossible time is ignored", "")
		return
	}
	if p.open && (e.id != p.last+1 || at != p.stack.At || tid != p.stack.TID) {
		p.endStack()
	}
	if !p.open {
		p.open, p.stack = true, stackdump.Sample{At: at, CPU: -1, TID: tid, Stack: stackdump.NoNode}
	}
	p.stack.Stack = p.Under(p.stack.Stack, uint64(e.c))
	p.last = e.id
}

// endStack adds the current stack to the samples.
func (p *parser) endStack() {
	if p.open {
		p.List = append(p.List, p.stack)
	}
	p.open = false
}

// string processes a text.
func (p *parser) string(kind, text []byte) {
	switch {
	case string(kind) == "STRING_KEY":
		p.key = string(text)
	case p.named == 'f':
		p.names[uint64(p.entry.c)] = string(text)
	case p.named == 't':
		if tid, err := strconv.ParseUint(p.key, 10, 32); err == nil {
			p.comms[uint32(tid)] = string(text)
		}
	}
}
