package stackdump

import (
	"bytes"
	"encoding/json"
)

// logPrefix is the text before each line of a dump that a logging system stored: a time, the name
// of a container, the mark of a quotation. Runs of digits differ from line to line.
type logPrefix struct {
	text   []byte
	docker bool // the lines are JSON objects, as Docker's json-file driver writes them
}

// maxPrefix is the maximum length of a prefix. It bounds the time for each line.
const maxPrefix = 256

// dockerLine is the beginning of a line in a log file of Docker.
var dockerLine = []byte(`{"log":"`)

// inLog reports whether head contains a dump of the codec with a prefix before its lines.
func inLog(head []byte, c Codec) bool {
	logged, ok := c.(Logged)
	if !ok {
		return false
	}
	_, ok = findPrefix(head, logged.Starts())
	return ok
}

// findPrefix returns the prefix of the lines of a dump in head: a line has one of starts after the
// prefix, and a later line has the head of a thread. ok is false if the dump's first line has no
// prefix.
func findPrefix(head []byte, starts []string) (p logPrefix, ok bool) {
	found := false
	for _, start := range starts {
		if HasLine(head, start) {
			return logPrefix{}, false
		}
		found = found || bytes.Contains(head, []byte(start))
	}
	if !found {
		return logPrefix{}, false
	}
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(p.text) > 0 {
			if _, rest := p.cut(line); isThreadHead(rest) {
				return p, true
			}
		}
		if next, ok := prefixOf(line, starts); ok {
			p = next
		}
	}
	return logPrefix{}, false
}

// prefixOf returns the text before one of starts in line.
func prefixOf(line []byte, starts []string) (p logPrefix, ok bool) {
	for _, start := range starts {
		if at := bytes.Index(line, []byte(start)); at > 0 && at <= maxPrefix {
			return logPrefix{text: bytes.Clone(line[:at]), docker: bytes.Equal(line[:at], dockerLine)}, true
		}
	}
	return logPrefix{}, false
}

// JavacoreThread is the beginning of the first line of a thread in a javacore.
const JavacoreThread = "3XMTHREADINFO "

// isThreadHead reports whether a line begins with a thread's name in quotation marks and has one of
// its fields, or is the head of a thread in a javacore.
func isThreadHead(line []byte) bool {
	if bytes.HasPrefix(line, []byte(JavacoreThread)) {
		return true
	}
	if len(line) == 0 || line[0] != '"' {
		return false
	}
	for _, field := range []string{" prio=", " tid=", " os_prio=", " Id="} {
		if bytes.Contains(line, []byte(field)) {
			return true
		}
	}
	return false
}

// cut splits line after the prefix. A line without the prefix has none: it is of another source, or
// the dump is one entry of the log with many lines.
func (p *logPrefix) cut(line []byte) (prefix, rest []byte) {
	if p.docker {
		return nil, dockerText(line)
	}
	rest = line
	for want := p.text; len(want) > 0; {
		kind, n := run(want)
		other, m := run(rest)
		last := kind == ' ' && n == len(want)
		if kind != other || m == 0 && !last || last && m < n && m < len(rest) {
			return nil, line
		}
		if last { // further blanks are the indentation of the dump; an empty line may have none
			m = min(m, n)
		}
		want, rest = want[n:], rest[m:]
	}
	return line[:len(line)-len(rest)], rest
}

// run returns the kind and the length of the run of digits ('0') or of blanks (' ') at the beginning
// of s. Any other character is a kind and a run of its own. An empty s has 0 blanks.
func run(s []byte) (kind byte, n int) {
	if len(s) == 0 {
		return ' ', 0
	}
	kind = kindOf(s[0])
	for n = 1; n < len(s) && (kind == '0' || kind == ' ') && kindOf(s[n]) == kind; n++ {
	}
	return kind, n
}

// kindOf returns '0' for all digits, and c for other characters.
func kindOf(c byte) byte {
	if isDigit(c) {
		return '0'
	}
	return c
}

// dockerText returns the text of a line in a log file of Docker, or the line itself if it is no
// such line.
func dockerText(line []byte) []byte {
	var entry struct {
		Log *string `json:"log"`
	}
	if !bytes.HasPrefix(line, dockerLine) || json.Unmarshal(line, &entry) != nil || entry.Log == nil {
		return line
	}
	return bytes.TrimRight([]byte(*entry.Log), "\r\n")
}
