package stackdump

import (
	"bytes"
	"io"
	"strings"
	"time"

	"artifice/trace"
)

// simpleperfParser reads the text of "simpleperf report-sample": blocks of
// "key: value" lines, each indented beneath the one it belongs to. The text of
// simpleperf's report_sample.py is perf script's.
type simpleperfParser struct {
	perfParser
	tid      int64
	thread   string
	when     time.Duration
	whose    string // event of the sample
	number   int64  // how much it counts
	frame    []byte // symbol of the frame that is being read
	module   []byte
	hasFrame bool
}

// next implements parser. Each sample is a dump of its thread.
func (p *simpleperfParser) next(d *Dump) error {
	for p.findSample() {
		d.reset()
		d.begin(&p.input)
		d.Partial = true
		t := d.addThread(p.lines.line)
		p.tid, p.thread, p.when, p.whose, p.number, p.hasFrame = 0, "", 0, "", 0, false
		for {
			line, ok := p.lines.next()
			if !ok {
				break
			}
			if len(line) > 0 && line[0] != ' ' {
				p.lines.back()
				break
			}
			p.line(t, bytes.TrimSpace(line))
		}
		p.endFrame(t)
		if p.thread == "" {
			p.warn.add(trace.WarnDumpCut, d.File, d.Line, "a sample without a thread is left out", "")
			continue
		}
		t.Name, t.ID = p.thread, ID{TID: p.tid, Name: p.thread}
		d.Stamp = Stamp{Uptime: p.when, HasUptime: true}
		d.tally = tally{event: p.whose, number: p.number}
		if p.accept(p.whose) {
			return nil
		}
	}
	return p.end()
}

// findSample skips to the beginning of a sample: reports of lost ones and about
// the recording stand between them.
func (p *simpleperfParser) findSample() bool {
	for {
		line, ok := p.lines.next()
		if !ok || string(line) == "sample:" {
			return ok
		}
	}
}

// line reads a line of a sample. Its own frame, the innermost, is written as
// those of its call chain are.
func (p *simpleperfParser) line(t *Thread, body []byte) {
	key, value, _ := bytes.Cut(body, []byte(":"))
	value = bytes.TrimSpace(value)
	switch string(key) {
	case "event_type":
		p.whose = string(value)
	case "time":
		ns, ok := number(value)
		if !ok || ns < 0 {
			p.complain(trace.WarnDumpTime, "not a time in ns", quoted(body))
		}
		p.when = time.Duration(max(ns, 0))
	case "event_count":
		p.number, _ = number(value)
	case "thread_id":
		p.tid, _ = number(value)
	case "thread_name":
		p.thread = p.text(value)
	case "vaddr_in_file":
		p.endFrame(t)
		p.hasFrame, p.module, p.frame = true, p.module[:0], p.frame[:0]
	case "file":
		p.module = append(p.module[:0], value...)
	case "symbol":
		p.frame = append(p.frame[:0], value...)
	}
}

// endFrame adds the frame whose lines were read.
func (p *simpleperfParser) endFrame(t *Thread) {
	if !p.hasFrame {
		return
	}
	p.hasFrame = false
	p.frame = append(append(append(p.frame, " ("...), p.module...), ')')
	for _, f := range p.perfFrame(p.frame, false) {
		t.push(&p.input, f)
	}
}

// isSimpleperf reports whether a file that begins with head is of this format.
func isSimpleperf(head []byte) bool {
	i := bytes.Index(head, []byte("sample:"))
	if i < 0 || i > 0 && head[i-1] != '\n' {
		return false
	}
	_, next, _ := strings.Cut(string(head[i:min(i+100, len(head))]), "\n")
	return strings.HasPrefix(next, "  event_type: ")
}

func newSimpleperf(in input, _ io.Reader, cfg ReaderConfig) parser {
	p := &simpleperfParser{perfParser: perfParserOf(in)}
	return ofCPU(p, &p.input, cfg)
}
