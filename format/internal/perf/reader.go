package perf

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"artifice/format/internal/stackdump"
	"artifice/internal/decode"
	"artifice/internal/words"
	"artifice/trace"
)

// parser reads the text of "perf script": one sample of one thread after
// another, a head line and the frames below it, innermost first, then an empty
// line.
type parser struct {
	Base
	period time.Duration // between samples, as the head of the file states; 0: it does not
}

// Next implements parser. Each sample is a dump of its thread.
func (p *parser) Next(d *stackdump.Dump) error {
	for {
		line, ok := p.Lines.Next()
		if !ok {
			return p.End()
		}
		if len(line) == 0 || line[0] == '#' {
			p.comment(line)
			continue
		}
		h, ok := parseHead(line)
		if !ok {
			p.Complain(trace.WarnDumpLine, "not the first line of a sample (command, pid, time and event)", words.Quote(line))
			continue
		}
		if p.sample(d, h); p.Accept(h.event) {
			return nil
		}
		d.Reset()
	}
}

// head is the head line of a sample.
type head struct {
	comm     string
	pid, tid int64 // pid is 0 where perf was not asked for it
	cpu      int64
	time     time.Duration
	hasTime  bool
	period   int64 // what was counted since the sample before; 0 where perf was not asked for it
	event    string
	frame    []byte // the only one, in the same line, where perf recorded no stacks; else nil
}

// parseHead reads a line such as
//
//	java 24636/25607 [000] 4794564.109216:     235 cycles:u:
//	V8 WorkerThread 25607 4794564.109216: cpu-clock:
//	app 25607
//	           false 39654 19115.489719:          1 cycles:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)
//
// of which all but command and thread depend on perf's fields. The command may
// have blanks in it; the first number after it is the thread. Where no stacks were recorded,
// the line begins with blanks and ends with the frame.
func parseHead(line []byte) (h head, ok bool) {
	if line[0] == ' ' || line[0] == '\t' {
		at := bytes.LastIndex(line, []byte(": "))
		if at < 0 || !isFrame(line[at+1:]) {
			return h, false
		}
		h, ok = parseHead(bytes.TrimLeft(line[:at+1], " \t"))
		h.frame = bytes.TrimLeft(line[at+1:], " ")
		return h, ok && h.hasTime && h.event != ""
	}
	words := strings.Fields(string(line))
	if len(words) == 0 { // white space of another kind
		return h, false
	}
	at := -1
	for i, w := range words[1:] {
		if h.setThread(w) {
			at = i + 1
			break
		}
	}
	if at < 0 {
		return h, false
	}
	h.comm = strings.Join(words[:at], "_")
	for _, w := range words[at+1:] {
		switch {
		case w[0] == '[':
			h.cpu, _ = stackdump.Number([]byte(strings.Trim(w, "[]")))
		case !h.hasTime && unicode.IsDigit(rune(w[0])) && strings.HasSuffix(w, ":"):
			h.time, h.hasTime = decode.Time([]byte(strings.TrimSuffix(w, ":")), time.Second)
		case strings.HasSuffix(w, ":"):
			h.event = strings.TrimSuffix(w, ":")
			return h, true
		case unicode.IsDigit(rune(w[0])):
			h.period, _ = stackdump.Number([]byte(w))
		}
	}
	return h, h.hasTime || at+1 == len(words)
}

// setThread reads "tid" or "pid/tid".
func (h *head) setThread(word string) bool {
	pid, tid, both := strings.Cut(word, "/")
	if !both {
		pid, tid = "0", word
	}
	var err1, err2 error
	h.pid, err1 = strconv.ParseInt(pid, 10, 32)
	h.tid, err2 = strconv.ParseInt(tid, 10, 32)
	return err1 == nil && err2 == nil
}

// sample reads the stack after a head line into d. An empty line ends it, or the next head, or the end of the
// file. (stackcollapse-perf.pl silently skips a last sample that no empty line follows.) If a file is truncated
// within a line, its last frame may be incomplete.
func (p *parser) sample(d *stackdump.Dump, h head) {
	d.Begin(&p.Input)
	d.Partial = true
	d.PID = int(h.pid)
	d.Stamp = stackdump.Stamp{Uptime: h.time, HasUptime: h.hasTime}
	d.Tally = stackdump.Tally{Event: h.event, Number: h.period, Period: p.period}
	t := d.AddThread(p.Lines.Line)
	t.Name = h.comm
	// A thread that changes its name continues as another one, as in perf's own
	// reports. The idle task has tid 0 on every CPU.
	t.ID = stackdump.ID{TID: h.tid, Name: h.comm}
	if h.tid == 0 {
		t.ID.Number = h.cpu
	}
	java := strings.HasPrefix(h.comm, "java")
	if h.frame != nil {
		for _, f := range p.stackLine(h.frame, java) {
			t.Push(&p.Input, f)
		}
		return
	}
	for {
		line, ok := p.Lines.Next()
		if !ok {
			p.Warn.Add(trace.WarnDumpCut, d.File, d.Line, "no empty line ends the last sample; its outer frames may be cut off", "")
			return
		}
		if len(line) == 0 {
			return
		}
		if line[0] != ' ' && line[0] != '\t' && !isBareFrame(line) {
			p.Complain(trace.WarnDumpLine, "not a frame (frames start with a space); the sample ends there", words.Quote(line))
			p.Lines.Back()
			return
		}
		for _, f := range p.stackLine(bytes.TrimLeft(line, " \t"), java) {
			t.Push(&p.Input, f)
		}
	}
}

// comment reads of the comments in front, which perf script --header prints, how often
// perf was to sample: "-F 99" of the command, or "sample_freq } = 4000" of the event.
func (p *parser) comment(line []byte) {
	text := string(line)
	hz := ""
	for _, before := range []string{"sample_freq } = ", " -F ", " -F", " --freq ", " --freq=", " --frequency "} {
		if _, rest, ok := strings.Cut(text, before); ok && hz == "" && (strings.HasPrefix(text, "# cmdline : ") || strings.HasPrefix(text, "# event : ")) {
			hz, _, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
			hz = strings.TrimSuffix(hz, ",")
		}
	}
	if n, err := strconv.ParseInt(hz, 10, 64); err == nil && n > 0 {
		p.period = time.Second / time.Duration(min(n, int64(time.Second)))
	}
}

// stackLine returns the frames of one line, innermost first: one, several when
// perf resolved inlined calls, none for a line that names the process.
func (p *parser) stackLine(text []byte, java bool) []stackdump.FrameID {
	text = text[max(bytes.IndexAny(text, " \t")+1, 0):] // the address
	return p.FramesOf(text, java)
}

// codec is the [stackdump.Codec] of perf script's text.
type codec struct{}

// Detect reports whether the first line that is no comment heads a sample and
// the next one is a frame. Old versions of perf wrote heads without a time, which
// are easily mistaken for other text.
func (codec) Detect(head []byte) bool {
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		h, ok := parseHead(line)
		if !ok {
			return false
		}
		empty := len(head) == 0 || head[0] == '\n' || head[0] == '\r'
		next, _, _ := bytes.Cut(head, []byte("\n"))
		return isFrame(head) || h.hasTime && empty || h.frame != nil || h.event != "" && isBareFrame(next)
	}
	return false
}

// isFrame reports whether the first line of text is blanks, an address and
// more.
func isFrame(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	body := bytes.TrimLeft(line, " \t")
	end := bytes.IndexAny(body, " \t")
	if end <= 0 || end > 16 || len(body) == len(line) {
		return false
	}
	_, err := strconv.ParseUint(string(body[:end]), 16, 64)
	return err == nil
}

// isBareFrame reports whether a line is a frame without its leading blanks, as
// "ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])".
func isBareFrame(line []byte) bool {
	line = bytes.TrimRight(line, "\r")
	return bytes.HasSuffix(line, []byte(")")) && bytes.IndexByte(line, ' ') >= 4 && isFrame(append([]byte(" "), line...))
}

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, _ io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{Base: NewBase(in)}
	return stackdump.OfCPU(p, &p.Input, cfg)
}
