package decode

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// JSON reads the JSON that programs usually write: strings without escapes, no
// null. It is several times as fast as encoding/json, which is to read what it will
// not: then Bad is set, and what was read is of no use.
type JSON struct {
	Bad bool // something else was met

	text []byte
	at   int // the next byte of text
}

// NewJSON returns a JSON in front of text, which is not changed.
func NewJSON(text []byte) JSON { return JSON{text: text} }

// Read returns how many bytes have been read.
func (in *JSON) Read() int { return in.at }

// Done reports whether nothing but white space is left.
func (in *JSON) Done() bool {
	in.Space()
	return in.at == len(in.text)
}

// Space skips white space.
func (in *JSON) Space() {
	for in.at < len(in.text) && in.text[in.at] <= ' ' {
		if c := in.text[in.at]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return
		}
		in.at++
	}
}

// Next reports whether the next character, which stays, is c.
func (in *JSON) Next(c byte) bool {
	in.Space()
	return in.at < len(in.text) && in.text[in.at] == c
}

// Expect reads the character c.
func (in *JSON) Expect(c byte) {
	if in.at < len(in.text) && in.text[in.at] == c || in.Next(c) {
		in.at++
		return
	}
	in.Bad = true
}

// Open reads the begin of an object or array and reports whether it has anything in it;
// else it reads the end, too.
func (in *JSON) Open(begin, end byte) (more bool) {
	in.Expect(begin)
	if in.Next(end) {
		in.at++
		return false
	}
	return !in.Bad
}

// More reads a comma or the end of an object or array, and reports which.
func (in *JSON) More(end byte) (more bool) {
	if in.at < len(in.text) && in.text[in.at] == ',' || in.Next(',') {
		in.at++
		return !in.Bad
	}
	in.Expect(end)
	return false
}

// Str reads a string without escapes.
func (in *JSON) Str() []byte {
	in.Expect('"')
	if in.Bad {
		return nil
	}
	rest := in.text[in.at:]
	n := plain(rest)
	if n < len(rest) && rest[n] == '"' {
		in.at += n + 1
		return rest[:n]
	}
	more := bytes.IndexByte(rest[n:], '"')
	if more < 0 {
		in.Bad = true
		return nil
	}
	s := rest[:n+more]
	for _, c := range s[n:] {
		in.Bad = in.Bad || c == '\\' || c < ' '
	}
	in.Bad = in.Bad || !utf8.Valid(s)
	in.at += len(s) + 1
	return s
}

// Key reads the key of a member and the colon behind it. A key of up to seven letters
// is returned as a number, its first letter in the lowest byte ([KeyOf]); 0 stands for all
// others.
func (in *JSON) Key() uint64 {
	if at := in.at; at+10 < len(in.text) && in.text[at] == '"' {
		x := binary.LittleEndian.Uint64(in.text[at+1:])
		n := bits.TrailingZeros64(special(x)) / 8
		if n < 8 && in.text[at+1+n] == '"' && in.text[at+2+n] == ':' {
			in.at = at + n + 3
			return x & (1<<(8*n) - 1)
		}
	}
	key := in.Str()
	in.Expect(':')
	return KeyOf(string(key))
}

// KeyOf returns what [JSON.Key] does for a key.
func KeyOf(key string) (k uint64) {
	if len(key) > 7 {
		return 0
	}
	for i := range len(key) {
		k |= uint64(key[i]) << (8 * i)
	}
	return k
}

// special returns where among the eight characters of x, the first in the lowest byte, the
// first one is that is a quote, a backslash, a control character or not ASCII: the lowest
// bit that is set is the highest of its byte. A byte of x-y that x has not, has its high
// bit set where the byte of x is below that of y (Warren, Hacker's Delight), up to the
// first such byte, behind which a borrow can be.
func special(x uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, slash := x^'"'*ones, x^'\\'*ones
	return ((quote-ones)&^quote | (slash-ones)&^slash | (x-' '*ones)&^x | x) & highs
}

// plain returns how many bytes are in front of the first one that is special.
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

// Strs reads an array of such strings, appended to list.
func (in *JSON) Strs(list [][]byte) [][]byte {
	for more := in.Open('[', ']'); more; more = in.More(']') {
		list = append(list, in.Str())
	}
	return list
}

// Number reads a whole number of at most 18 digits.
func (in *JSON) Number() int64 {
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
func (in *JSON) Bool() bool {
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

// Decimal reads a number as it is written, without an exponent.
func (in *JSON) Decimal() []byte {
	in.Space()
	text, n := in.text[in.at:], 0
	for n < len(text) && (text[n]-'0' <= 9 || text[n] == '.' || text[n] == '-') {
		n++
	}
	in.Bad = in.Bad || n == 0
	in.at += n
	return text[:n]
}

// Skip reads a value of any kind.
func (in *JSON) Skip() {
	in.Space()
	n := JSONLen(in.text[in.at:])
	in.Bad = in.Bad || n <= 0
	in.at += n
}

// JSONLen returns the length of the value that b begins with; 0 when b ends before
// it does. Brackets and quotes are looked at, and nothing else.
func JSONLen(b []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			if quoted = !quoted; !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth == 0 {
				return i // behind a number or word
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case c == ',' && depth == 0:
			return i
		}
	}
	return 0
}
