package dmformat

import (
	"fmt"
	"strconv"
	"strings"

	"artifice/trace"
)

// Lines that open a section of the key section. SectionEnd ends it.
const (
	SectionVersion = "*version"
	SectionThreads = "*threads"
	SectionMethods = "*methods"
	SectionEnd     = "*end"
)

// Lines that enclose options of an app's own monitor before the key section, as Alibaba's Telescope
// writes them (MainThreadBlockPlugin).
const (
	ExtraBegin = "*extra-info"
	ExtraEnd   = "*extra-info-end"
)

// Keys of the options that artifice interprets, in the order of ART and Dalvik.
const (
	KeyOverflow = "data-file-overflow"
	KeyClock    = "clock"
	KeyElapsed  = "elapsed-time-usec"
	KeyElapsedN = "elapsed-time-nsec" // format V2 from Android 16 on
	KeyRecords  = "num-method-calls"  // records in the file, not calls; absent when streaming
	KeyOverhead = "clock-call-overhead-nsec"
	KeyVM       = "vm"
	KeyPID      = "pid" // ART only

	// KeyCompleted is artifice's own: the parts of methods, "class", "signature" or both with a
	// comma between, that are UnknownClass or EmptySignature exactly where the recording had none.
	KeyCompleted = "artifice-completed"
)

// What a method's line contains in place of a missing class, name or signature, which readers
// require.
const (
	UnknownClass   = "unknown"
	UnknownName    = "unknown"
	EmptySignature = "()V"
)

// Keys are the options that are stored in fields; other options are kept as lines.
var Keys = []string{KeyOverflow, KeyClock, KeyElapsed, KeyElapsedN, KeyRecords, KeyOverhead, KeyVM, KeyPID, KeyCompleted}

// NullFile is ART's text for the source file of a generated class.
const NullFile = "(null)"

// ParseThreadLine parses "TID<TAB>name".
func ParseThreadLine(line string) (trace.Thread, error) {
	id, name, ok := strings.Cut(line, "\t")
	if !ok {
		return trace.Thread{}, fmt.Errorf("thread line %.60q has no tab between id and name", line)
	}
	tid, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		return trace.Thread{}, fmt.Errorf("thread line %.60q: the id is not a 32-bit number", line)
	}
	return trace.Thread{TID: uint32(tid), Name: name}, nil
}

// AppendThreadLine appends a thread's line without its line end.
func AppendThreadLine(b []byte, t *trace.Thread) []byte {
	return append(append(strconv.AppendUint(b, uint64(t.TID), 10), '\t'), Clean(t.Name)...)
}

// ParseMethodLine parses a method's line: an id, hexadecimal with 0x or decimal, then class, name,
// signature, source file and line. It accepts fewer and more columns; note describes the deviation
// and is empty for 4 to 6 columns.
func ParseMethodLine(line string) (m trace.Method, note string, err error) {
	id, text, more := strings.Cut(line, "\t")
	n, err := strconv.ParseUint(id, 0, 64)
	switch {
	case err != nil:
		return m, "", fmt.Errorf("method line %.60q: the id is not a 64-bit number", line)
	case n&ActionMask != 0:
		return m, "", fmt.Errorf("method line %.60q: the id is not a multiple of 4, so no record can refer to it", line)
	case !more:
		return m, "", fmt.Errorf("method line %.60q has only an id", line)
	}
	m, note = ParseMethodText(n, text)
	return m, note, nil
}

// ParseMethodText parses a method's line after its id: class, name, signature, source file and
// line. note describes unusual lines.
func ParseMethodText(id uint64, text string) (m trace.Method, note string) {
	var f [5]string
	columns, rest := 0, text
	for more := true; more; columns++ {
		var field string
		if field, rest, more = strings.Cut(rest, "\t"); columns < len(f) {
			f[columns] = field
		}
	}
	if columns < 3 || columns > 5 {
		note = fmt.Sprintf("the line of method %#x, %.60q, has %d columns; 4 to 6 are usual", id, text, columns+1)
	}
	m = trace.Method{ID: id, Class: f[0], Name: f[1], Signature: f[2]}
	if f[3] != NullFile {
		m.File = f[3]
	}
	if n, err := strconv.Atoi(f[4]); err == nil {
		if m.Line = n; n == -1 { // unknown
			m.Line = 0
		}
	} else if f[4] != "" && note == "" {
		note = fmt.Sprintf("the line of method %#x, %.60q: source line %.20q is not a number", id, text, f[4])
	}
	return m, note
}

// AppendMethodLine appends a method's line in the spelling of v, without its line end. ART prints
// the id with C's %#x (so 0 is "0"), class names with dots and no source line. Dalvik prints eight
// hexadecimal digits, class names with slashes, and -1 for an unknown source line.
func AppendMethodLine(b []byte, v *Variant, m *trace.Method) []byte {
	id, class := strconv.FormatUint(m.ID, 16), Clean(m.DottedClass())
	switch {
	case v.VM == "dalvik":
		b = append(b, "0x"...)
		b = append(b, strings.Repeat("0", max(8-len(id), 0))...)
		class = strings.ReplaceAll(class, ".", "/")
	case m.ID != 0:
		b = append(b, "0x"...)
	}
	b = append(append(b, id...), '\t')
	b = appendFields(b, class, m)
	if v.Columns < 6 {
		return b
	}
	line := m.Line
	if line == 0 {
		line = -1
	}
	return strconv.AppendInt(append(b, '\t'), int64(line), 10)
}

// AppendMethodText appends a method's line in the spelling of format V2: without id and without
// its line end.
func AppendMethodText(b []byte, m *trace.Method) []byte {
	return appendFields(b, Clean(m.DottedClass()), m)
}

func appendFields(b []byte, class string, m *trace.Method) []byte {
	b = append(b, class...)
	for _, field := range [...]string{m.Name, m.Signature, m.File} {
		b = append(append(b, '\t'), Clean(field)...)
	}
	return b
}

var cleaner = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

// Clean returns s with a blank in place of each tab, line feed and carriage return, which a line
// of a table cannot contain.
func Clean(s string) string {
	for i := range len(s) {
		if c := s[i]; c == '\t' || c == '\n' || c == '\r' {
			return cleaner.Replace(s)
		}
	}
	return s
}
