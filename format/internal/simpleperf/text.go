package simpleperf

import (
	"bytes"
	"io"
	"strings"
	"time"

	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// textParser reads the text of "simpleperf report-sample": blocks of "key: value" lines. A line
// that belongs to another is indented below it. The text of simpleperf's report_sample.py is perf
// script's.
type textParser struct {
	perf.Base
	tid      int64
	thread   string
	when     time.Duration
	whose    string // thread id and event of the sample
	number   int64  // count of the sample
	frame    []byte // symbol of the current frame
	module   []byte
	hasFrame bool
}

// Next implements parser. Each sample is a dump of its thread.
func (p *textParser) Next(d *stackdump.Dump) error {
	for p.findSample() {
		d.Reset()
		d.Begin(&p.Input)
		d.Partial = true
		t := d.AddThread(p.Lines.Line)
		p.tid, p.thread, p.when, p.whose, p.number, p.hasFrame = 0, "", 0, "", 0, false
		for {
			line, ok := p.Lines.Next()
			if !ok {
				break
			}
			if len(line) > 0 && line[0] != ' ' {
				p.Lines.Back()
				break
			}
			p.line(t, bytes.TrimSpace(line))
		}
		p.endFrame(t)
		if p.thread == "" {
			p.Warn.Add(trace.WarnDumpCut, d.File, d.Line, "a sample without a thread is ignored", "")
			continue
		}
		t.Name, t.ID = p.thread, stackdump.ID{TID: p.tid, Name: p.thread}
		d.Stamp = stackdump.Stamp{Uptime: p.when, HasUptime: true}
		d.Tally = stackdump.Tally{Event: p.whose, Number: p.number}
		return nil
	}
	return p.End()
}

// findSample skips to the beginning of a sample: reports of lost samples and about the recording
// are between samples.
func (p *textParser) findSample() bool {
	for {
		line, ok := p.Lines.Next()
		if !ok || string(line) == "sample:" {
			return ok
		}
	}
}

// line reads a line of a sample. The sample's own frame, which is the innermost, has the same form
// as the frames of its call chain.
func (p *textParser) line(t *stackdump.Thread, body []byte) {
	key, value, _ := bytes.Cut(body, []byte(":"))
	value = bytes.TrimSpace(value)
	switch string(key) {
	case "event_type":
		p.whose = string(value)
	case "time":
		ns, ok := stackdump.Number(value)
		if !ok || ns < 0 {
			p.Complain(trace.WarnDumpTime, "not a time in ns", words.Quote(body))
		}
		p.when = time.Duration(max(ns, 0))
	case "event_count":
		p.number, _ = stackdump.Number(value)
	case "thread_id":
		p.tid, _ = stackdump.Number(value)
	case "thread_name":
		p.thread = p.Text(value)
	case "vaddr_in_file":
		p.endFrame(t)
		p.hasFrame, p.module, p.frame = true, p.module[:0], p.frame[:0]
	case "file":
		p.module = append(p.module[:0], value...)
	case "symbol":
		p.frame = append(p.frame[:0], value...)
	}
}

// endFrame adds the current frame after its last line.
func (p *textParser) endFrame(t *stackdump.Thread) {
	if !p.hasFrame {
		return
	}
	p.hasFrame = false
	p.frame = append(append(append(p.frame, " ("...), p.module...), ')')
	for _, f := range p.FramesOf(p.frame, false) {
		t.Push(&p.Input, f)
	}
}

// textCodec is the [stackdump.Codec] of report-sample's text.
type textCodec struct{}

// Detect reports whether a file that begins with head is of this format.
func (textCodec) Detect(head []byte) bool {
	i := bytes.Index(head, []byte("sample:"))
	if i < 0 || i > 0 && head[i-1] != '\n' {
		return false
	}
	_, next, _ := strings.Cut(string(head[i:min(i+100, len(head))]), "\n")
	return strings.HasPrefix(next, "  event_type: ")
}

// Parser implements [stackdump.Codec].
func (textCodec) Parser(in stackdump.Input, _ io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &textParser{Base: perf.NewBase(in)}
	return stackdump.OfCPU(p, &p.Input, cfg)
}
