package decode

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// tags are the elements of HTML that occur in blocks of text. A name such as <init> is none.
var tags = []string{"pre", "code", "span", "br", "div", "samp", "tt", "font", "strong", "em", "mark"}

// nextTag returns the offset of the first tag of an element, or -1. name "/pre" is its end.
func nextTag(text []byte, name string) int {
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], '<')
		if next < 0 {
			return -1
		}
		at += next
		if rest := text[at+1:]; len(rest) > len(name) && bytes.EqualFold(rest[:len(name)], []byte(name)) && strings.IndexByte(" >\t", rest[len(name)]) >= 0 {
			return at
		}
	}
}

// block returns the part of a line that is in a block of <pre>, without tags.
func (u *unquoter) block(line []byte) []byte {
	var text []byte
	for len(line) > 0 {
		name := "pre"
		if u.inside {
			name = "/pre"
		}
		at := nextTag(line, name)
		if at < 0 {
			at = len(line)
		}
		if u.inside {
			text = append(text, line[:at]...)
		}
		if line = line[at:]; len(line) > 0 {
			u.inside = !u.inside
			line = line[tagLength(line):]
		}
	}
	return withoutTags(text)
}

// withoutTags removes tags from a line.
func withoutTags(line []byte) []byte {
	kept := line[:0]
	for len(line) > 0 {
		at := bytes.IndexByte(line, '<')
		if at < 0 {
			at = len(line)
		}
		kept = append(kept, line[:at]...)
		if line = line[at:]; len(line) == 0 {
			break
		}
		length := tagLength(line)
		name, _, _ := bytes.Cut(line[1:max(length-1, 1)], []byte(" "))
		if !slices.Contains(tags, string(bytes.ToLower(bytes.Trim(name, "/")))) {
			length = 1
			kept = append(kept, '<')
		}
		line = line[length:]
	}
	return kept
}

// tagLength returns the length of the tag with which a text begins, up to and including ">"; 1 if
// another "<" comes first, or no ">".
func tagLength(text []byte) int {
	end := 1 + bytes.IndexAny(text[1:], "<>")
	if end == 0 || text[end] == '<' {
		return 1
	}
	return end + 1
}

// markdownPunctuation are the characters before which Markdown's writers put backslashes.
const markdownPunctuation = "\\`*_{}[]<>()#+-.!|~$"

// escaped reports whether a text has Markdown's backslashes before each "<" or "_", and no other
// backslashes. The names of PHP and the paths of Windows have others.
func escaped(head []byte) bool {
	less, line := bytes.Contains(head, []byte(`\<`)), bytes.Contains(head, []byte(`\_`))
	if !less && !line {
		return false
	}
	for i := 0; i < len(head); i++ {
		switch c := head[i]; {
		case c == '<' && less, c == '_' && line:
			return false // not escaped here
		case c == '\\' && i+1 < len(head):
			if i++; strings.IndexByte(markdownPunctuation, head[i]) < 0 {
				return false
			}
		}
	}
	return true
}

// unescape removes Markdown's backslashes from a line.
func unescape(line []byte) []byte {
	if bytes.IndexByte(line, '\\') < 0 {
		return line
	}
	text := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' && i+1 < len(line) && strings.IndexByte(markdownPunctuation, line[i+1]) >= 0 {
			i++
		}
		text = append(text, line[i])
	}
	return text
}

// padded reports whether most lines end with two blanks or more.
func padded(head []byte) bool {
	if !bytes.Contains(head, []byte("  \n")) && !bytes.Contains(head, []byte("  \r\n")) {
		return false
	}
	lines, ends := 0, 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) > 0 {
			lines++
			if bytes.HasSuffix(line, []byte("  ")) {
				ends++
			}
		}
	}
	return 2*ends > lines
}

// cutNumber cuts the number before a line, with the colon or tab after it.
func cutNumber(line []byte) (rest []byte, number int, ok bool) {
	text := bytes.TrimLeft(line, " ")
	digits := len(text) - len(bytes.TrimLeft(text, "0123456789"))
	number, err := strconv.Atoi(string(text[:digits]))
	switch {
	case err != nil || digits < len(text) && text[digits] != ':' && text[digits] != '\t':
		return line, 0, false
	case digits == len(text):
		return nil, number, true
	}
	return text[digits+1:], number, true
}

// numbered reports whether a text has three lines or more, each after its number, and whether a blank
// follows each number.
func numbered(head []byte, e Excerpt) (ok, spaced bool) {
	last, lines := 0, 0
	spaced = true
	ok = all(head, e, func(line []byte) bool {
		rest, n, ok := cutNumber(line)
		ok = ok && (lines == 0 || n == last+1)
		last, lines = n, lines+1
		spaced = spaced && (len(rest) == 0 || rest[0] == ' ')
		return ok
	})
	ok = ok && lines >= 3
	return ok, ok && spaced
}
