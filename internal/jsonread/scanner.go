package jsonread

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Scanner reads JSON in its usual form: strings without escapes, and no null. It is several times
// as fast as encoding/json. It sets Bad if it meets any other form: the values returned are then
// meaningless, and encoding/json must read the text.
type Scanner struct {
	Bad bool // the text has another form

	text []byte
	at   int // index of the next byte
}

// NewScanner returns a Scanner of text, which it does not change.
func NewScanner(text []byte) Scanner { return Scanner{text: text} }

// Read returns the number of bytes read.
func (in *Scanner) Read() int { return in.at }

// Done reports whether only white space remains.
func (in *Scanner) Done() bool {
	in.Space()
	return in.at == len(in.text)
}

// Space skips white space.
func (in *Scanner) Space() {
	for in.at < len(in.text) && in.text[in.at] <= ' ' {
		if c := in.text[in.at]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return
		}
		in.at++
	}
}

// Next reports whether the next character is c, without reading it.
func (in *Scanner) Next(c byte) bool {
	in.Space()
	return in.at < len(in.text) && in.text[in.at] == c
}

// Expect reads the character c.
func (in *Scanner) Expect(c byte) {
	if in.at < len(in.text) && in.text[in.at] == c || in.Next(c) {
		in.at++
		return
	}
	in.Bad = true
}

// Open reads the begin of an object or array and reports whether it has members or elements. If
// not, it also reads the end.
func (in *Scanner) Open(begin, end byte) (more bool) {
	in.Expect(begin)
	if in.Next(end) {
		in.at++
		return false
	}
	return !in.Bad
}

// More reads a comma or the end of an object or array. It reports whether it read a comma.
func (in *Scanner) More(end byte) (more bool) {
	if in.at < len(in.text) && in.text[in.at] == ',' || in.Next(',') {
		in.at++
		return !in.Bad
	}
	in.Expect(end)
	return false
}

// Str reads a string without escapes.
func (in *Scanner) Str() []byte {
	s := in.Quoted()
	in.Bad = in.Bad || !Plain(s)
	return s
}

// Quoted reads up to the next quote. This quote ends the string if the result is [Plain].
func (in *Scanner) Quoted() []byte {
	in.Expect('"')
	rest := in.text[in.at:]
	n := bytes.IndexByte(rest, '"')
	if in.Bad || n < 0 {
		in.Bad = true
		return nil
	}
	in.at += n + 1
	return rest[:n]
}

// Plain reports whether s, which has no quote, is the content of a string without escapes: it has
// no backslash and no control character, and is valid UTF-8.
func Plain(s []byte) bool {
	n := plain(s)
	if n == len(s) {
		return true
	}
	for _, c := range s[n:] {
		if c == '\\' || c < ' ' {
			return false
		}
	}
	return utf8.Valid(s)
}

// Member reads to the value of the next member of an object: first, which is "{" or ",", the key
// and the colon. It returns the number of the key, or 0 for a key that is not in keys. At the end
// of the object, which it reads, more is false.
func (in *Scanner) Member(first byte, keys *Keys) (key int, more bool) {
	if first == '{' {
		keys.last = &keys.begin
	}
	if at := in.at; at <= len(in.text)-betweenMax {
		if k := keys.last.next; k.begins(first, (*[betweenMax]byte)(in.text[at:at+betweenMax:at+betweenMax])) {
			keys.last = k
			in.at = at + k.length
			return k.key, k.more
		}
	}
	return in.member(first, keys)
}

// member is Member for a text that differs from the expected one.
func (in *Scanner) member(first byte, keys *Keys) (key int, more bool) {
	rest := in.text[in.at:]
	if len(rest) >= betweenMax {
		if k := keys.find(first, (*[betweenMax]byte)(rest)); k != nil {
			in.at += k.length
			return k.key, k.more
		}
	}
	from := in.at
	if first == ',' {
		more = in.More('}')
	} else {
		more = in.Open(first, '}')
	}
	if more {
		key = keys.key(in.Str())
		in.Expect(':')
	}
	if n := in.at - from; !in.Bad && n <= betweenMax {
		keys.add(first, rest[:n], key, more)
	}
	return key, more
}

// special finds the first quote, backslash, control character or byte beyond ASCII among the eight
// characters of x, the first of which is the lowest byte: the lowest set bit of the result is the
// high bit of that byte. A byte of (x-y)&^x has its high bit set if the byte of x is below that of
// y (Warren, Hacker's Delight). A borrow can falsify only the bytes above the first such byte.
func special(x uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, slash := x^'"'*ones, x^'\\'*ones
	return ((quote-ones)&^quote | (slash-ones)&^slash | (x-' '*ones)&^x | x) & highs
}

// plain returns the number of bytes before the first special one.
func plain(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if at := special(binary.LittleEndian.Uint64(b[i:])); at != 0 {
			return i + bits.TrailingZeros64(at)/8
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' && b[i] < 0x80 {
		i++
	}
	return i
}

// Strs reads an array of strings without escapes and appends them to list.
func (in *Scanner) Strs(list [][]byte) [][]byte {
	for more := in.Open('[', ']'); more; more = in.More(']') {
		list = append(list, in.Str())
	}
	return list
}

// Number reads a whole number of at most 18 digits.
func (in *Scanner) Number() int64 {
	minus := in.Next('-')
	if minus {
		in.at++
	}
	first, x := in.at, int64(0)
	for ; in.at < len(in.text) && in.text[in.at]-'0' <= 9; in.at++ {
		x = 10*x + int64(in.text[in.at]-'0')
	}
	if n := in.at - first; n == 0 || n > 18 || n > 1 && in.text[first] == '0' {
		in.Bad = true
		return 0
	}
	if minus {
		return -x
	}
	return x
}

// Bool reads true or false.
func (in *Scanner) Bool() bool {
	in.Space()
	for _, word := range []string{"true", "false"} {
		if bytes.HasPrefix(in.text[in.at:], []byte(word)) {
			in.at += len(word)
			return word == "true"
		}
	}
	in.Bad = true
	return false
}

// Letter reads a string like Str. It returns the character of a string of one ASCII character, and
// 0 for other strings.
func (in *Scanner) Letter() byte {
	if at := in.at; at <= len(in.text)-3 {
		b := (*[3]byte)(in.text[at : at+3 : at+3])
		if c := b[1]; b[0] == '"' && b[2] == '"' && c >= ' ' && c < 0x80 && c != '"' && c != '\\' {
			in.at = at + 3
			return c
		}
	}
	if s := in.Str(); len(s) == 1 {
		return s[0]
	}
	return 0
}

// Digits reads a number of one to seven digits. It reads nothing and ok is false if anything else
// is next.
func (in *Scanner) Digits() (n uint32, ok bool) {
	at := in.at
	if at > len(in.text)-8 {
		return 0, false
	}
	b := (*[8]byte)(in.text[at : at+8 : at+8])
	x, length := digits(binary.LittleEndian.Uint64(b[:]))
	if end := b[length&7]; length&7 == 0 || end == '.' || end == '-' {
		return 0, false
	}
	in.at = at + length
	return uint32(x), true
}

// Decimal reads a number without an exponent and returns its text, unchecked. If the number has no
// sign, at most 15 digits before the point and three after it, short is true and thousandths is its
// value.
func (in *Scanner) Decimal() (text []byte, thousandths int64, short bool) {
	if at := in.at; at <= len(in.text)-thousandsMax {
		if x, n, ok := thousands((*[thousandsMax]byte)(in.text[at : at+thousandsMax : at+thousandsMax])); ok {
			in.at = at + n
			return in.text[at : at+n], x, true
		}
	}
	in.Space()
	rest, n := in.text[in.at:], 0
	for n < len(rest) && (rest[n]-'0' <= 9 || rest[n] == '.' || rest[n] == '-') {
		n++
	}
	in.Bad = in.Bad || n == 0
	in.at += n
	return rest[:n], 0, false
}

// NumberText reads a number without an exponent and returns its text.
func (in *Scanner) NumberText() []byte {
	text, _, _ := in.Decimal()
	in.Bad = in.Bad || !isDecimal(text)
	return text
}

// Skip reads a value of any kind. It checks only brackets and quotes.
func (in *Scanner) Skip() {
	in.Space()
	var e extent
	n, _ := e.find(in.text[in.at:])
	in.Bad = in.Bad || n <= 0
	in.at += n
}

// extent finds the end of a value by its brackets and quotes.
type extent struct {
	at     int // the next character
	depth  int
	quoted bool
}

// find returns the length of the value at the beginning of b. ok is false if b ends before the
// value does: find then continues with a longer b. A number or word ends before the first
// character that is not part of it.
func (e *extent) find(b []byte) (n int, ok bool) {
	if isScalar(b) {
		for n = e.at; n < len(b); n++ {
			switch b[n] {
			case ',', ':', '{', '}', '[', ']', '"', ' ', '\n', '\r', '\t':
				return n, true
			}
		}
		e.at = n
		return 0, false
	}
	i, depth, quoted := e.at, e.depth, e.quoted
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			if quoted = !quoted; !quoted && depth == 0 {
				return i + 1, true
			}
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	e.at, e.depth, e.quoted = i, depth, quoted
	return 0, false
}

// isScalar reports whether b begins with neither an object, array nor string.
func isScalar(b []byte) bool {
	return len(b) == 0 || b[0] != '{' && b[0] != '[' && b[0] != '"'
}
