package encode

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"artifice/trace"
)

// AppendJSON appends s as a JSON string. Invalid UTF-8 becomes U+FFFD.
func AppendJSON(b []byte, s string) []byte {
	out := bytes.NewBuffer(b)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false) // keeps "<init>" readable
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return out.Bytes()[:out.Len()-1] // without the line end
}

// AppendMicros appends a time in microseconds, without trailing zeros after the decimal point.
func AppendMicros(b []byte, t time.Duration) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = AppendUint(b, uint64(t/time.Microsecond))
	return AppendFraction(b, uint32(t%time.Microsecond)*1000)
}

// AppendMillis appends a time in milliseconds, without trailing zeros after the decimal point.
func AppendMillis(b []byte, t time.Duration) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = AppendUint(b, uint64(t/time.Millisecond))
	return AppendFraction(b, uint32(t%time.Millisecond))
}

// ValidUTF8 returns s with invalid UTF-8 replaced by U+FFFD, because strings in protocol buffers
// must be valid.
func ValidUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// MarkText returns the first characters of s, at most most, without those that have a meaning in a
// line. It separates the characters of </script>: Perfetto ends ftrace text, in a page or not, at a
// line that contains it (systrace_trace_parser.cc).
func MarkText(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == '|' || r == 0x7f {
			return ' '
		}
		return r
	}, ValidUTF8(s))
	s = strings.ReplaceAll(s, "</script>", "< /script>")
	for i := range s {
		if most == 0 {
			return s[:i]
		}
		most--
	}
	return s
}

// MethodTexts caches the text of each method in a format, created at first use: methods have many
// events.
type MethodTexts struct {
	Symbols *trace.Symbols
	Make    func(*trace.Method) []byte
	texts   [][]byte // by method
}

// Of returns the text of a method, which symbols must contain.
func (t *MethodTexts) Of(m trace.MethodID) []byte {
	if int(m) >= len(t.texts) || t.texts[m] == nil {
		t.add(m)
	}
	return t.texts[m]
}

func (t *MethodTexts) add(m trace.MethodID) {
	if int(m) >= len(t.texts) {
		t.texts = append(t.texts, make([][]byte, len(t.Symbols.Methods)-len(t.texts))...)
	}
	t.texts[m] = t.Make(t.Symbols.Method(m))
}
