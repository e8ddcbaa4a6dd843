package stackdump

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"artifice/trace"
	"artifice/trace/filter"
)

// parseJavaFrame parses a frame as written by StackTraceElement, HotSpot and ART:
//
//	[loader/][module[@version]/]class.method(place)
//
// where place is File:line, File, "Native Method", "Unknown Source", each possibly with a module in
// front. Loader and module are dropped, because they are not part of the class's name. ART marks a
// fast native method with a "!" after its name.
func parseJavaFrame(text string) Frame {
	name, place := text, ""
	if open := strings.IndexByte(text, '('); open >= 0 {
		name, place = strings.TrimRight(text[:open], " "), strings.TrimSuffix(text[open+1:], ")")
	}
	var f Frame
	f.setPlace(place)
	if f.JNI {
		name = strings.TrimSuffix(name, "!")
	}
	f.Class, f.Method = splitName(withoutModule(name))
	return f
}

// setPlace parses the text in the parentheses of a Java frame. Negative lines
// (ART: -1 unknown; StackTraceElement: -2 native) mean that there is none.
func (f *Frame) setPlace(place string) {
	if slash := strings.LastIndexByte(place, '/'); slash >= 0 {
		place = place[slash+1:]
	}
	switch place {
	case "Native method", "Native Method":
		f.JNI = true
		return
	case "Unknown Source", "unavailable":
		return
	}
	f.File = place
	colon := strings.LastIndexByte(place, ':')
	if colon < 0 {
		return
	}
	line, err := strconv.Atoi(place[colon+1:])
	if err != nil {
		return
	}
	f.File, f.Line = place[:colon], max(line, 0)
	if f.File == "unavailable" {
		f.File = ""
	}
}

// withoutModule drops loader and module from the front of a frame's name. The slash in a hidden
// class's name (Foo$$Lambda/0x00007f…, Foo$$Lambda$2/1324) is kept; it precedes a number.
func withoutModule(name string) string {
	for {
		slash := strings.IndexByte(name, '/')
		if slash < 0 || slash+1 == len(name) || isDigit(name[slash+1]) {
			return name
		}
		name = name[slash+1:]
	}
}

// splitName splits class.method at the last dot.
func splitName(name string) (class, method string) {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || dot+1 == len(name) {
		return "", name
	}
	return name[:dot], name[dot+1:]
}

// parseARTFrame reads a method as ART prints it (ArtMethod::PrettyMethod): result, class and
// method, arguments. Any other text is a name.
func parseARTFrame(text string) Frame {
	head, args, ok := strings.Cut(text, "(")
	result, name, typed := strings.Cut(head, " ")
	if !ok || !typed || !strings.HasSuffix(args, ")") || strings.Contains(name, " ") {
		return ParseFoldedFrame(text)
	}
	class, method := splitName(name)
	return Frame{Class: class, Method: method, Args: filter.Descriptor(strings.TrimSuffix(args, ")"), result)}
}

// ParseFoldedFrame parses a frame of folded stacks, which can be any text. It splits the text into
// class and method only if both look like Java names, so that class, dot and method give the text
// again.
func ParseFoldedFrame(text string) Frame {
	class, method := splitName(text)
	if isJavaName(class, "./$-") && isJavaName(method, "<>$[]-") {
		return Frame{Class: class, Method: method}
	}
	return Frame{Method: text}
}

// isJavaName reports whether s is made of letters, digits, underscores and the
// characters of also, and does not begin with a digit.
func isJavaName(s, also string) bool {
	if s == "" || isDigit(s[0]) {
		return false
	}
	for _, c := range s {
		word := c == '_' || c >= 0x80 || isDigit(byte(c)) || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !word && !strings.ContainsRune(also, c) {
			return false
		}
	}
	return true
}

// parseNativeFrame parses the text after "pc " in a native frame: the offset in the library, the
// library and, in parentheses, the symbol with an offset, if present, and notes such as "BuildId:
// …". A frame without a symbol gets the name library+0xoffset.
func parseNativeFrame(text string) Frame {
	pc, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimLeft(rest, " ")
	library, notes, _ := strings.Cut(rest, " (")
	f := Frame{File: library, Kind: NativeCode}
	for notes != "" && f.Method == "" {
		var note string
		note, notes = cutNote(notes)
		if symbol := strings.HasPrefix(note, "offset ") || strings.HasPrefix(note, "BuildId: ") || note == "deleted"; !symbol {
			f.Method = withoutOffset(note)
		}
	}
	if f.Method == "" || f.Method == "???" {
		f.Method = library[strings.LastIndexByte(library, '/')+1:] + "+0x" + strings.TrimLeft(strings.TrimPrefix(pc, "0x"), "0")
	}
	return f
}

// cutNote splits "text) (more" at the parenthesis that closes text. Symbols of C++ can contain
// parentheses.
func cutNote(s string) (note, rest string) {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return s[:i], strings.TrimPrefix(s[i+1:], " (")
		}
	}
	return s, ""
}

// withoutOffset drops "+28" or " + 28" from the end of a symbol.
func withoutOffset(symbol string) string {
	plus := strings.LastIndexByte(symbol, '+')
	if plus <= 0 {
		return symbol
	}
	if _, err := strconv.ParseUint(strings.TrimLeft(symbol[plus+1:], " "), 0, 64); err != nil {
		return symbol
	}
	return strings.TrimRight(symbol[:plus], " ")
}

// parseKernelFrame reads a line of /proc/PID/stack: symbol+0xoffset/0xsize, in
// newer kernels after "[<0>] ".
func parseKernelFrame(text string) Frame {
	if _, symbol, ok := strings.Cut(text, "] "); ok && strings.HasPrefix(text, "[<") {
		text = symbol
	}
	name, _, _ := strings.Cut(text, "+0x")
	return Frame{Method: name, Kind: Kernel}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Epoch is the date at which the truths of emulated dumps begin.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// FrameName returns class.method with dots in the class.
func FrameName(m *trace.Method) string {
	if m.Unlisted || m.Class == "" || m.Name == "" || strings.Contains(m.Class, ".") {
		return m.FullName()
	}
	return m.DottedClass() + "." + m.Name
}

// OneLine returns a name without line ends.
func OneLine(name string) string { return validText([]byte(name)) }

// JavaFrame returns a frame as StackTraceElement writes it.
func JavaFrame(m *trace.Method) string {
	name := OneLine(FrameName(m))
	switch {
	case m.Flags&trace.Native != 0:
		return name + "(Native Method)"
	case m.File == "":
		return name + "(Unknown Source)"
	case m.Line <= 0:
		return name + "(" + OneLine(m.File) + ")"
	}
	return fmt.Sprintf("%s(%s:%d)", name, OneLine(m.File), m.Line)
}
