package decode

import (
	"bytes"
	"unicode/utf8"
)

// JSON reads the JSON that programs usually write: strings without escapes, no
// null. It is several times as fast as encoding/json, which is to read what it will
// not: then Bad is set, and what was read is of no use.
type JSON struct {
	Text []byte // what is left
	Bad  bool   // something else was met
}

// Space skips white space.
func (in *JSON) Space() {
	if len(in.Text) > 0 && in.Text[0] > ' ' {
		return
	}
	for len(in.Text) > 0 && (in.Text[0] == ' ' || in.Text[0] == '\t' || in.Text[0] == '\r' || in.Text[0] == '\n') {
		in.Text = in.Text[1:]
	}
}

// Next reports whether the next character, which stays, is c.
func (in *JSON) Next(c byte) bool {
	in.Space()
	return len(in.Text) > 0 && in.Text[0] == c
}

// Expect reads the character c.
func (in *JSON) Expect(c byte) {
	if !in.Bad && len(in.Text) > 0 && in.Text[0] == c {
		in.Text = in.Text[1:]
		return
	}
	if in.Bad || !in.Next(c) {
		in.Bad = true
		return
	}
	in.Text = in.Text[1:]
}

// Str reads a string without escapes.
func (in *JSON) Str() []byte {
	in.Expect('"')
	if in.Bad {
		return nil
	}
	end := bytes.IndexByte(in.Text, '"')
	if end < 0 {
		in.Bad = true
		return nil
	}
	s := in.Text[:end]
	ascii := byte(0)
	for _, c := range s {
		if c == '\\' || c < ' ' {
			in.Bad = true
			return nil
		}
		ascii |= c
	}
	in.Text = in.Text[end+1:]
	in.Bad = ascii >= 0x80 && !utf8.Valid(s)
	return s
}

// Strs reads an array of such strings, appended to list.
func (in *JSON) Strs(list [][]byte) [][]byte {
	in.Expect('[')
	for first := true; !in.Bad && !in.Next(']'); first = false {
		if !first {
			in.Expect(',')
		}
		list = append(list, in.Str())
	}
	in.Expect(']')
	return list
}

// Number reads a whole number of at most 18 digits.
func (in *JSON) Number() int64 {
	in.Space()
	minus := in.Next('-')
	if minus {
		in.Text = in.Text[1:]
	}
	n, x := 0, int64(0)
	for ; n < len(in.Text) && '0' <= in.Text[n] && in.Text[n] <= '9'; n++ {
		x = 10*x + int64(in.Text[n]-'0')
	}
	if n == 0 || n > 18 || n > 1 && in.Text[0] == '0' {
		in.Bad = true
		return 0
	}
	in.Text = in.Text[n:]
	if minus {
		return -x
	}
	return x
}

// Bool reads true or false.
func (in *JSON) Bool() bool {
	in.Space()
	for _, word := range []string{"true", "false"} {
		if len(in.Text) >= len(word) && string(in.Text[:len(word)]) == word {
			in.Text = in.Text[len(word):]
			return word == "true"
		}
	}
	in.Bad = true
	return false
}

// Decimal reads a number as it is written, without an exponent.
func (in *JSON) Decimal() []byte {
	in.Space()
	n := 0
	for ; n < len(in.Text) && (in.Text[n] == '-' || in.Text[n] == '.' || '0' <= in.Text[n] && in.Text[n] <= '9'); n++ {
	}
	in.Bad = in.Bad || n == 0
	number := in.Text[:n]
	in.Text = in.Text[n:]
	return number
}

// Skip reads a value of any kind.
func (in *JSON) Skip() {
	in.Space()
	n := JSONLen(in.Text)
	if n <= 0 {
		in.Bad = true
		return
	}
	in.Text = in.Text[n:]
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
