package stackdump

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
)

// Format is one of the forms of dumps that are read.
type Format string

const (
	ANR       Format = "anr"       // Android's SIGQUIT dumps: ANR files, exit-info traces
	JVM       Format = "jvm"       // HotSpot's thread dumps: jstack, jcmd Thread.print, kill -3
	JVMText   Format = "jvm-text"  // jcmd Thread.dump_to_file
	JVMJSON   Format = "jvm-json"  // jcmd Thread.dump_to_file -format=json
	Folded    Format = "folded"    // folded stacks with counts
	Perf      Format = "perf"      // the text of perf script
	BlockInfo Format = "blockinfo" // BlockCanaryX's reports
	JSONLines Format = "jsonl"     // our own JSON lines
)

var descriptions = map[Format]string{
	ANR:       "stack dumps of Android's runtimes: ANR files, kill -3, exit-info traces",
	JVM:       "thread dumps of HotSpot: jstack, jcmd Thread.print, kill -3",
	JVMText:   "thread dumps of jcmd Thread.dump_to_file",
	JVMJSON:   "thread dumps of jcmd Thread.dump_to_file -format=json",
	Folded:    "folded stacks with counts",
	Perf:      "the text of perf script",
	BlockInfo: "BlockCanaryX's .blockInfo reports",
	JSONLines: "stack dumps as JSON lines, for programs that dump themselves",
}

// Description returns a line that says what the format is.
func (f Format) Description() string { return descriptions[f] }

// Formats lists all formats.
func Formats() []Format {
	return []Format{ANR, JVM, JVMText, JVMJSON, Folded, Perf, BlockInfo, JSONLines}
}

// SniffLen is how many bytes of a file, unpacked, Detect looks at. A dump may
// begin that far into a log.
const SniffLen = 1 << 20

// Detect tells the format of a file from its beginning, which is UTF-8 text;
// ok is false when it is none of them.
func Detect(head []byte) (f Format, ok bool) {
	if bytes.IndexByte(head[:min(len(head), 512)], 0) >= 0 || bytes.HasPrefix(head, []byte("*version\n")) {
		return "", false // binary, or a method trace
	}
	if f, ok := detectJSON(head); ok {
		return f, true
	}
	switch {
	case hasLine(head, "----- pid "), hasLine(head, "----- Waiting Channels: pid "), hasLine(head, "DALVIK THREADS"):
		return ANR, true
	case hasLine(head, "Full thread dump "):
		return JVM, true
	case isJVMText(head):
		return JVMText, true
	case isPerf(head):
		return Perf, true
	case isFolded(head):
		return Folded, true
	}
	return "", false
}

// Sniff tells the format of a file from its beginning, which may be packed or in
// UTF-16, and leaves it unread. The buffer of r must hold [SniffLen] bytes.
// A method trace is known by its first bytes, so that one that is still being
// written need not be waited for.
func Sniff(r *bufio.Reader) (f Format, ok bool) {
	if head, _ := r.Peek(4); string(head) == "SLOW" || string(head) == "*ver" {
		return "", false
	}
	head, _ := r.Peek(SniffLen)
	text, err := decoded(bytes.NewReader(head))
	if err != nil {
		return "", false
	}
	plain := make([]byte, SniffLen)
	n, _ := io.ReadFull(text, plain) // the packed head ends in the middle
	return Detect(plain[:n])
}

// detectJSON tells the three formats that are JSON by a key that each must have.
func detectJSON(head []byte) (Format, bool) {
	text := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case hasJSONLine(head):
		return JSONLines, true
	case len(text) == 0 || text[0] != '{':
		return "", false
	case bytes.Contains(text, []byte(`"threadDump"`)):
		return JVMJSON, true
	case bytes.Contains(text, []byte(`"stackTraceSamples"`)):
		return BlockInfo, true
	}
	return "", false
}

// hasJSONLine reports whether one of the first lines is an object with a time of
// ours. A program's first lines may be cut, or be another's.
func hasJSONLine(head []byte) bool {
	for range 20 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && bytes.Contains(line, []byte(`"time_us"`)) {
			return true
		}
		head = rest
	}
	return false
}

// hasLine reports whether a line of text begins so.
func hasLine(text []byte, prefix string) bool {
	return bytes.HasPrefix(text, []byte(prefix)) || bytes.Contains(text, []byte("\n"+prefix))
}

// isPerf reports whether the first line that is no comment heads a sample and
// the next one is a frame. Old versions of perf wrote heads without a time, which
// look like much else.
func isPerf(head []byte) bool {
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		h, ok := parsePerfHead(line)
		if !ok || !h.hasTime && h.event == "" {
			return false
		}
		empty := len(head) == 0 || head[0] == '\n' || head[0] == '\r'
		return isPerfFrame(head) || h.hasTime && empty
	}
	return false
}

// isPerfFrame reports whether the first line of text is blanks, an address and
// more.
func isPerfFrame(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	body := bytes.TrimLeft(line, " \t")
	address, _, more := bytes.Cut(body, []byte(" "))
	_, err := strconv.ParseUint(string(address[:min(len(address), 20)]), 16, 64)
	return len(body) < len(line) && more && err == nil
}

// isFolded reports whether most of the first lines are folded stacks.
func isFolded(head []byte) bool {
	const enough = 100
	good, bad := 0, 0
	for len(head) > 0 && good+bad < enough {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole && good+bad > 0 && len(head) > SniffLen/2 {
			break // the window ends in it
		}
		head = rest
		line = bytes.TrimRight(line, "\r")
		if isFoldedComment(line) {
			continue
		}
		if _, _, ok := cutCount(line); ok {
			good++
		} else {
			bad++
		}
	}
	return good > bad
}
