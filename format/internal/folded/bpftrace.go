package folded

import (
	"bytes"

	"artifice/internal/words"
	"artifice/trace"
)

// Maps of bpftrace with stacks as keys, as in
//
//	@[
//	    vfs_read+145
//	    ksys_read+95
//	    entry_SYSCALL_64_after_hwframe+68
//	, java, 1200]: 3
//
// are stacks with their numbers, too. Frames are indented, the innermost first; other keys
// (command, pid, tid) name the thread.

// isMap reports whether a line begins an entry of a map, such as "@reads[" or "@[java, ".
func isMap(line []byte) bool {
	bracket := bytes.IndexByte(line, '[')
	return bracket > 0 && line[0] == '@' && !bytes.ContainsAny(line[:bracket], " ;")
}

// isScalar reports whether a line is a map without keys, such as "@total: 17".
func isScalar(line []byte) bool {
	name, rest, found := bytes.Cut(line, []byte(":"))
	return found && line[0] == '@' && (len(rest) == 0 || rest[0] == ' ') && !bytes.ContainsAny(name, " ;[")
}

// isMapMessage reports whether bpftrace writes a line before or after its maps.
func isMapMessage(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Attaching ")) || bytes.HasPrefix(line, []byte("Attached ")) || string(line) == "^C"
}

// isBpftrace reports whether a file that begins with head has maps with stacks as keys.
func isBpftrace(head []byte) bool {
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		switch {
		case len(line) == 0, isMapMessage(line), isScalar(line):
		case !isMap(line):
			return false
		case mapEnd(line) < 0:
			return len(head) > 0 && isIndented(head)
		}
	}
	return false
}

// isIndented reports whether a line is a frame.
func isIndented(line []byte) bool {
	return line[0] == '\t' || bytes.HasPrefix(line, []byte("   "))
}

// mapEnd returns the index of the bracket that ends the key of an entry, -1 if there is none.
func mapEnd(line []byte) int { return bytes.LastIndex(line, []byte("]:")) }

// mapEntry reads the entry of a map that begins with a line, and returns it as a folded stack. ok
// is false if it has no stack or its value is not a number.
func (p *parser) mapEntry(line []byte) (stack []byte, ok bool) {
	keys := [][]byte{bytes.Clone(line[bytes.IndexByte(line, '[')+1:])}
	var frames [][]byte // innermost first
	if mapEnd(line) >= 0 {
		p.Complain(trace.WarnDumpLeftOut, "a map without stacks is ignored", words.Quote(line))
		return nil, false
	}
	for {
		next, more := p.Lines.Next()
		if !more {
			p.Warn.Add(trace.WarnDumpCut, p.Name, p.Lines.Line, "the last entry of a map is cut off", "")
			return nil, false
		}
		if len(next) > 0 && isIndented(next) {
			if f := mapFrame(next); string(f) != "," { // between a kernel stack and a user stack
				frames = append(frames, f)
			}
			continue
		}
		end := mapEnd(next)
		if end < 0 {
			keys = append(keys, bytes.Clone(next))
			continue
		}
		keys = append(keys, bytes.Clone(next[:end]))
		value := bytes.TrimSpace(next[end+2:])
		if _, total, isStats := bytes.Cut(value, []byte(", total ")); isStats { // stats(): count 2, average 5, total 10
			value = total
		}
		if _, _, ok := cutValue(append([]byte("a "), value...)); !ok || bytes.ContainsAny(value, blanks) {
			p.Complain(trace.WarnDumpLine, "the value of a stack is not a number, as those of count() and sum() are", words.Quote(next))
			return nil, false
		}
		return formatEntry(keys, frames, value), true
	}
}

// mapFrame returns the function of a frame: "vfs_read+145", or "ffffffff8103d0ca vfs_read+145
// (module)" in bpftrace's mode perf. It is a copy.
func mapFrame(line []byte) []byte {
	text := bytes.TrimSpace(line)
	if address, rest, ok := bytes.Cut(text, []byte(" ")); ok && len(address) >= 8 && len(bytes.Trim(address, "0123456789abcdef")) == 0 {
		text = rest
		if i := bytes.LastIndex(text, []byte(" (")); i > 0 {
			text = text[:i]
		}
	}
	if i := bytes.LastIndexByte(text, '+'); i > 0 && len(bytes.Trim(text[i+1:], "0123456789")) == 0 {
		text = text[:i]
	}
	return bytes.ReplaceAll(text, []byte(";"), []byte(":"))
}

// formatEntry returns an entry of a map as a folded stack, with its keys as the name of the thread.
func formatEntry(keys, frames [][]byte, value []byte) (line []byte) {
	var names [][]byte
	for _, text := range keys {
		for _, name := range bytes.Split(text, []byte(",")) {
			if name = bytes.TrimSpace(name); len(name) > 0 {
				names = append(names, bytes.ReplaceAll(name, []byte(";"), []byte(":")))
			}
		}
	}
	if len(names) > 0 {
		line = append(append(append(line, '['), bytes.Join(names, []byte(" "))...), " tid=0];"...)
	}
	for i := len(frames) - 1; i >= 0; i-- {
		line = append(append(line, frames[i]...), ';')
	}
	return append(append(bytes.TrimSuffix(line, []byte(";")), ' '), value...)
}
