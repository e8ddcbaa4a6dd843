package perf

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/decode"
	"artifice/internal/words"
	"artifice/trace"
)

// parser reads the text of "perf script". Each sample belongs to one thread. It has a head line,
// its frames, innermost first, and an empty line.
type parser struct {
	Base
	period time.Duration // time between samples as stated in the file's head; 0 if not stated
	stacks bool          // a sample had frames below its head
	heads  heads         // heads of the samples
	warned bool          // a warning stated that heads have no thread
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
		if isBlank(line) {
			continue
		}
		if isMessage(line) {
			continue
		}
		if bytes.Contains(line, []byte(deferred)) {
			return stackdump.BadLine(p.Input.Name, p.Lines.Line, "the stacks of user space are separate from their samples ("+deferred+"), which is not read: run perf script without --no-merge-callchains", nil)
		}
		h, ok := parseHead(line)
		if !ok {
			if ok, err := p.unheaded(d, line); ok || err != nil {
				return err
			}
			p.Complain(trace.WarnDumpLine, "not the first line of a sample (command, pid, time and event)", words.Quote(line))
			continue
		}
		p.sample(d, h)
		return nil
	}
}

// messages are the beginnings of lines that perf and the commands that it runs write to standard
// error. Many files contain such lines, because standard error was redirected to them, too.
var messages = []string{
	"Failed to open ", "Cannot load ", "addr2line: ", "cmd__addr2line: ", "BFD: ", "Warning:", "WARNING: ", "Processed ", "Check IO/CPU overload!",
	" instruction trace error type ", "[ perf record: ", "Was the 'perf record' command properly terminated?", "Couldn't record ", "couldn't open ", "problems finding module ", "No kallsyms or vmlinux ",
}

// deferred begins the record of a stack of user space that was unwound after its samples. perf
// script adds such stacks to the samples by default.
const deferred = "DEFERRED CALLCHAIN"

// isMessage reports whether a line is a message of perf, or a record other than a sample
// (--show-mmap-events and others).
func isMessage(line []byte) bool {
	for _, m := range messages {
		if bytes.HasPrefix(line, []byte(m)) {
			return true
		}
	}
	return bytes.Contains(line, []byte(": PERF_RECORD_"))
}

// head is the head line of a sample.
type head struct {
	comm     string
	pid, tid int64 // pid is 0 if perf did not record it
	cpu      int64
	time     time.Duration
	hasTime  bool
	period   int64 // events counted since the previous sample; 0 if perf did not record it
	event    string
	frame    []byte // the only frame, in the same line, if perf recorded no stacks; else nil
}

// parseHead reads a line such as
//
//	java 24636/25607 [000] 4794564.109216:     235 cycles:u:
//	V8 WorkerThread 25607 4794564.109216: cpu-clock:
//	Worker 1 300/301     12.000001:      1000 cycles:
//	app 25607
//	           false 39654 19115.489719:          1 cycles:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)
//	300/301 12.000001: cycles:
//
// All parts except the thread depend on perf's option -F. The command may contain blanks and
// numbers. If no stacks were recorded, the line may begin with blanks, and the leaf follows the
// event, or the fields of a tracepoint.
func parseHead(line []byte) (h head, ok bool) {
	indented := len(line) > 0 && (line[0] == ' ' || line[0] == '\t')
	rest, words := line, make([]string, 0, maxHeadWords)
	for len(words) < maxHeadWords {
		rest = bytes.TrimLeft(rest, " \t")
		if len(rest) == 0 {
			break
		}
		end := bytes.IndexAny(rest, " \t")
		if end < 0 {
			end = len(rest)
		}
		words = append(words, string(rest[:end]))
		rest = rest[end:]
	}
	at := threadAt(words)
	if at < 0 || !h.setThread(words[at]) {
		return h, false
	}
	h.comm = strings.Join(words[:at], " ")
	h.fields(words[at+1:])
	h.frame = leafOf(line, h.event)
	if indented {
		return h, h.hasTime && h.event != ""
	}
	return h, h.hasTime || h.event != "" || at+1 == len(words)
}

// maxHeadWords is the maximum number of words of a head up to its event.
const maxHeadWords = 24

// threadAt returns the index of the word with a head's thread, or -1 if there is none. It is the
// word before the CPU or the time, else the first "pid/tid", else the first number after the
// command. Only before a CPU or a time can it be the first word, if perf printed no command.
func threadAt(words []string) int {
	var h head
	first := -1
	for i := range words {
		if !h.setThread(words[i]) {
			continue
		}
		if i+1 < len(words) && (isCPU(words[i+1]) || isTime(words[i+1])) {
			return i
		}
		if i > 0 && first < 0 || first > 0 && strings.Contains(words[i], "/") && !strings.Contains(words[first], "/") {
			first = i
		}
	}
	return first
}

// isCPU reports whether a word is a CPU, such as "[000]".
func isCPU(word string) bool {
	return len(word) > 2 && word[0] == '[' && word[len(word)-1] == ']' && strings.Trim(word[1:len(word)-1], "0123456789") == ""
}

// isTime reports whether a word is a time in seconds, such as "4794564.109216:".
func isTime(word string) bool {
	whole, part, ok := strings.Cut(strings.TrimSuffix(word, ":"), ".")
	return ok && strings.HasSuffix(word, ":") && isNumber(whole) && isNumber(part)
}

// isNumber reports whether a word consists of decimal digits.
func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// fields reads the words between the thread and the stack, up to the event. Others of perf's fields
// (flags, time of day) are skipped.
func (h *head) fields(words []string) {
	for _, w := range words {
		switch {
		case isCPU(w):
			h.cpu, _ = stackdump.Number([]byte(w[1:]))
		case !h.hasTime && isTime(w):
			h.time, h.hasTime = decode.Time([]byte(strings.TrimSuffix(w, ":")), time.Second)
		case strings.HasSuffix(w, ":"):
			h.event = strings.TrimSuffix(w, ":")
			return
		case isNumber(w):
			h.period, _ = stackdump.Number([]byte(w))
		}
	}
}

// leafOf returns the frame that ends the line of a head, or nil if there is none. It follows the
// event, or the fields of a tracepoint, which can be numbers: its address is the last one. The
// target of a branch follows an arrow.
func leafOf(line []byte, event string) []byte {
	line, _, _ = bytes.Cut(line, []byte(" => "))
	line = bytes.TrimRight(line, " ")
	i := bytes.Index(line, []byte(" "+event+":"))
	if event == "" || i < 0 || line[len(line)-1] != ')' {
		return nil
	}
	rest := line[i+len(event)+2:]
	if isFrame(rest) {
		return bytes.TrimLeft(rest, " \t")
	}
	for end := bytes.LastIndex(rest, []byte(" (")); end > 0; { // the file with the code
		at := bytes.LastIndexByte(rest[:end], ' ')
		if word := rest[at+1 : end]; len(word) >= leafDigits && isAddress(word) {
			return rest[at+1:]
		}
		end = at
	}
	return nil
}

// leafDigits is the minimum number of digits of an address that follows the fields of a tracepoint.
const leafDigits = 6

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

// sample reads the stack after a head line into d. A sample without frames has the frame
// [stackdump.NoStack].
func (p *parser) sample(d *stackdump.Dump, h head) {
	d.Begin(&p.Input)
	d.Partial = true
	d.PID = int(h.pid)
	d.Stamp = stackdump.Stamp{Uptime: h.time, HasUptime: h.hasTime}
	d.Tally = stackdump.Tally{Event: h.event, Number: h.period, Period: p.period}
	t := d.AddThread(p.Lines.Line)
	switch t.Name = p.Text([]byte(h.comm)); {
	case t.Name == "" && p.heads != fullHeads:
		t.Name = "main"
	case t.Name == "":
		t.Name = fmt.Sprintf("thread-%d", h.tid)
	}
	if h.tid == h.pid && h.comm != "" {
		d.Process = t.Name
	}
	// After a change of its name a thread counts as another thread, as in perf's own reports. The
	// idle task has tid 0 on every CPU.
	t.ID = stackdump.ID{TID: h.tid, Name: h.comm}
	if h.tid == 0 && p.heads == fullHeads {
		t.ID.Number = h.cpu
	}
	java := strings.HasPrefix(h.comm, "java")
	if h.frame != nil {
		p.push(t, h.frame, java)
	}
	p.stack(d, t, h.frame != nil, java)
	if len(t.Stack) == 0 { // the totals contain it
		t.Push(&p.Input, p.Input.Frames.Add(stackdump.Frame{Method: stackdump.NoStack, Kind: stackdump.NativeCode}))
	}
}

// stack reads the lines of a stack. An empty line ends it, or the next head, or the end of the file.
// (stackcollapse-perf.pl silently skips a last sample that no empty line follows.) If the file is
// truncated within a line, the last frame may be incomplete. hasLeaf reports that the head contains
// the only frame.
func (p *parser) stack(d *stackdump.Dump, t *stackdump.Thread, hasLeaf, java bool) {
	for {
		line, ok := p.Lines.Next()
		if !ok {
			if !hasLeaf && p.stacks {
				p.Warn.Add(trace.WarnDumpCut, d.File, d.Line, "there is no empty line after the last sample: its outer frames may be missing", "")
			}
			return
		}
		switch {
		case isBlank(line):
			return
		case isSourceLine(line), isMessage(line), isBranches(line), isInstruction(line):
			continue
		case isStackLine(line):
			p.stacks = true
			p.push(t, bytes.TrimLeft(line, " \t"), java)
			continue
		}
		if _, next := parseHead(line); !next {
			p.Complain(trace.WarnDumpLine, "not a frame (frames start with a space); the sample ends there", words.Quote(line))
		}
		p.Lines.Back()
		return
	}
}

// isBlank reports whether a line has no text, as after a program that indents lines.
func isBlank(line []byte) bool { return len(bytes.TrimLeft(line, " \t")) == 0 }

// isStackLine reports whether a line is a frame. Frames are indented. Those of perf script -F sym
// have no address.
func isStackLine(line []byte) bool {
	if line[0] != ' ' && line[0] != '\t' {
		return isBareFrame(line)
	}
	body := bytes.TrimLeft(line, " \t")
	second := bytes.TrimLeft(body[max(bytes.IndexByte(body, ' '), 0):], " ")
	if isFrame(line) && (len(second) == 0 || second[0] < '0' || second[0] > '9') {
		return true
	}
	// the line can also be the head of a command such as "dd", which is a hexadecimal number, too
	_, head := parseHead(line)
	return !head
}

// isSourceLine reports whether a line contains the source position of the previous frame: "
// file.c:12" or, if that is unknown, " symbol+5" or " file[11634]" (perf script -F +srcline), or
// "|12 code" (-F +srccode). Frames are indented by a tab or by more blanks, and have an address.
func isSourceLine(line []byte) bool {
	if line[0] == '|' {
		return true
	}
	if len(line) < 3 || line[0] != ' ' || line[1] != ' ' || line[2] == ' ' || line[2] == '\t' {
		return false
	}
	text := line[2:]
	if i := bytes.LastIndexByte(text, ':'); i > 0 && isNumber(string(bytes.TrimRight(text[i+1:], " "))) {
		return true
	}
	return !isFrame(line) && bytes.IndexByte(text, ' ') < 0
}

// isBranches reports whether a line contains the latest branches before a sample (perf script -F
// +brstack or +brstacksym): from/to/prediction/…, as "0x4004f6/0x400500/P/-/-/0".
func isBranches(line []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimLeft(line, " \t"), []byte(" "))
	parts := bytes.Split(first, []byte("/"))
	return len(parts) >= 6 && len(parts[2]) > 0 && len(parts[2]) <= 2 && len(bytes.Trim(parts[2], "PMN-")) == 0
}

// isInstruction reports whether a line belongs to the instructions between the latest branches (perf
// script -F +brstackinsn or +brstackdisasm): a symbol, as "	main+4:", or an address, a tab and the
// instruction, or dots and a note. It also reports true for the target of a sampled branch, as
// " =>  401100 f+0x0 (/bin/app)".
func isInstruction(line []byte) bool {
	body := bytes.TrimLeft(line, " \t")
	if len(body) == len(line) || len(body) == 0 {
		return false
	}
	if tab := bytes.IndexByte(body, '\t'); tab > 0 && isAddress(body[:tab]) {
		return true
	}
	return body[len(body)-1] == ':' || bytes.HasPrefix(body, []byte("=> ")) || bytes.HasPrefix(body, []byte("... "))
}

// push adds the frames in a line of a stack to t.
func (p *parser) push(t *stackdump.Thread, line []byte, java bool) {
	for _, f := range p.stackLine(line, java) {
		t.Push(&p.Input, f)
	}
}

// comment reads the sampling frequency from the comments at the beginning, which perf script
// --header prints: "-F 99" of the command, or of the event "sample_freq } = 4000" with "freq = 1".
// Without "freq = 1" the number is a period in counts of the event (perf record -c), which is a time
// if the event is a clock.
func (p *parser) comment(line []byte) {
	text := string(line)
	event := strings.HasPrefix(text, "# event : ")
	if !event && !strings.HasPrefix(text, "# cmdline : ") {
		return
	}
	hz := ""
	for _, before := range []string{"sample_freq } = ", " -F ", " -F", " --freq ", " --freq=", " --frequency "} {
		if _, rest, ok := strings.Cut(text, before); ok && hz == "" {
			hz, _, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
			hz = strings.TrimSuffix(hz, ",")
		}
	}
	n, err := strconv.ParseInt(hz, 10, 64)
	switch isPeriod := event && !strings.Contains(text, " freq = 1"); {
	case err != nil || n <= 0:
	case !isPeriod:
		p.period = time.Second / time.Duration(min(n, int64(time.Second)))
	case strings.Contains(text, "name = cpu-clock") || strings.Contains(text, "name = task-clock"):
		p.period = time.Duration(min(n, int64(stackdump.Farthest)))
	}
}

// stackLine returns the frames of one line, innermost first. It returns several frames if perf
// resolved inlined calls, and none for a line that contains the name of the process.
func (p *parser) stackLine(text []byte, java bool) []stackdump.FrameID {
	if end := bytes.IndexAny(text, " \t"); end > 0 && isAddress(text[:end]) {
		text = text[end+1:]
	}
	return p.FramesOf(text, java)
}

// codec is the [stackdump.Codec] of perf script's text.
type codec struct{}

// Detect examines the first two lines that are not comments or messages. It reports whether the
// first one is the head of a sample, and the second one is a frame or, in a file without stacks,
// also the head of a sample. Old versions of perf wrote heads without a time, which are easily
// confused with other text.
func (codec) Detect(head []byte) bool {
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if isBlank(line) || line[0] == '#' || isMessage(line) {
			continue
		}
		empty := len(head) == 0 || head[0] == '\n' || head[0] == '\r'
		next, _, _ := bytes.Cut(head, []byte("\n"))
		next = bytes.TrimRight(next, "\r")
		h, ok := parseHead(line)
		if !ok {
			return startsUnheaded(line, next)
		}
		if isFrame(head) || h.hasTime && empty || h.frame != nil || h.event != "" && isBareFrame(next) {
			return true
		}
		second, ok := parseHead(next)
		return ok && h.hasTime && h.event != "" && second.hasTime && second.event != ""
	}
	return false
}

// isFrame reports whether the first line of text consists of blanks, an address and more text.
func isFrame(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	body := bytes.TrimLeft(line, " \t")
	end := bytes.IndexAny(body, " \t")
	return end > 0 && len(body) < len(line) && isAddress(body[:end])
}

// isAddress reports whether a word is a hexadecimal number of at most 64 bits.
func isAddress(word []byte) bool {
	_, err := strconv.ParseUint(string(word), 16, 64)
	return err == nil && len(word) <= 16
}

// isBareFrame reports whether a line is a frame without its leading blanks, as
// "ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])".
func isBareFrame(line []byte) bool {
	line = bytes.TrimRight(line, "\r")
	return bytes.HasSuffix(line, []byte(")")) && bytes.IndexByte(line, ' ') >= 4 && isFrame(append([]byte(" "), line...))
}

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, file io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{Base: NewBase(in)}
	p.offsets = true
	p.heads = headsOf(stackdump.Head(file))
	return stackdump.OfCPU(p, &p.Input, cfg)
}
