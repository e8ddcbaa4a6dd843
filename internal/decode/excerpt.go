package decode

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"sync"
)

// Excerpt describes how a text quotes another text: an email, an issue or a web page often contains
// a file with marks before its lines, or in a block of code. The zero value quotes nothing.
type Excerpt struct {
	fence    bool // blocks of code between lines such as ``` or {code}; other lines are not part of the text
	pre      bool // blocks of HTML between <pre> and </pre>; other text is not part of it
	escapes  bool // Markdown's backslashes before punctuation
	numbers  bool // the number of each line before it, as cat -n and grep -n print
	spaced   bool // a blank follows each number
	trailing bool // blanks after lines, as terminals and Markdown have
	diff     bool // hunks of a diff: lines with "+" or a blank are part of the text
	quotes   int  // number of ">" before each line
	blanks   int  // set of bits: a blank follows that ">"
	plus     bool // "+" before each line
	ticks    bool // "`" before each line, or after it, or both
	entities bool // HTML's entities in place of characters, as &lt;
	nbsp     bool // no-break spaces in place of blanks
	indent   int  // number of blanks or tabs before each line
}

// maxQuotes is the maximum number of ">" that are removed.
const maxQuotes = 8

// FindExcerpt returns how a text quotes another one, from the text's beginning. JSON, XML and pages
// without <pre> do not quote.
func FindExcerpt(head []byte) (e Excerpt) {
	start := bytes.TrimLeft(head, " \t\r\n")
	page := bytes.ToLower(start[:min(len(start), 5)])
	e.pre = nextTag(head, "pre") >= 0
	switch {
	case len(start) == 0, start[0] == '[', start[0] == '{' && !isJira(start), bytes.HasPrefix(page, []byte("<?xml")),
		!e.pre && (bytes.HasPrefix(page, []byte("<html")) || bytes.HasPrefix(page, []byte("<!doc"))):
		return Excerpt{}
	}
	e.entities = e.pre && anyEntity(head) || hasEntities(head)
	e.escapes = escaped(head)
	e.nbsp = bytes.Contains(head, []byte("\n\u00a0")) || bytes.Contains(head, []byte("\n \u00a0"))
	for e.quotes < maxQuotes && all(head, e, func(line []byte) bool { return line[0] == '>' }) {
		e.quotes++
		if all(head, e, func(line []byte) bool { return line[0] == ' ' }) {
			e.blanks |= 1 << (e.quotes - 1)
		}
	}
	if e.fence = !e.pre && fenced(head, e); !e.pre && !e.fence {
		e.numbers, e.spaced = numbered(head, e)
	}
	e.trailing = padded(head)
	if e.diff = HasLinePrefix(head, "@@ -"); !e.diff {
		e.plus = all(head, e, func(line []byte) bool { return line[0] == '+' })
	}
	e.ticks = all(head, e, func(line []byte) bool { return line[len(line)-1] == '`' }) || enclosed(head, e)
	return e
}

// FindIndent returns the blanks or tabs before all lines of a text.
func FindIndent(head []byte) Excerpt {
	least, lines := len(head), 0
	indented := all(head, Excerpt{}, func(line []byte) bool {
		lines++
		least = min(least, len(line)-len(bytes.TrimLeft(line, " \t")))
		return least > 0
	})
	if !indented || lines < 2 { // a single line is no block
		return Excerpt{}
	}
	return Excerpt{indent: least}
}

// IsSet reports whether the text quotes.
func (e Excerpt) IsSet() bool { return e != Excerpt{} }

// HasLinePrefix reports whether some line of text begins with prefix.
func HasLinePrefix(text []byte, prefix string) bool {
	return bytes.HasPrefix(text, []byte(prefix)) || bytes.Contains(text, []byte("\n"+prefix))
}

// all reports whether a text has lines, and all of those that are not empty satisfy ok. The last
// line counts only if it is the first, because it may be cut.
func all(head []byte, e Excerpt, ok func(line []byte) bool) bool {
	found := false
	u := unquoter{Excerpt: e}
	for line := range bytes.Lines(head) {
		whole := line[len(line)-1] == '\n'
		line = u.line(bytes.TrimRight(line, " \t\r\n"))
		if len(line) == 0 || found && !whole {
			continue
		}
		if !ok(line) {
			return false
		}
		found = true
	}
	return found
}

// fenced reports whether a text has a line that begins a block of code.
func fenced(head []byte, e Excerpt) bool {
	if !bytes.Contains(head, []byte("```")) && !bytes.Contains(head, []byte("~~~")) && !bytes.Contains(head, []byte("{code")) && !bytes.Contains(head, []byte("{noformat}")) {
		return false
	}
	u := unquoter{Excerpt: e}
	for line := range bytes.Lines(head) {
		if isFence(u.line(bytes.TrimRight(line, " \t\r\n"))) {
			return true
		}
	}
	return false
}

// isFence reports whether a line begins or ends a block of code in Markdown or in Jira's markup.
func isFence(line []byte) bool {
	line = bytes.Trim(line, " \t")
	for _, mark := range []string{"```", "~~~"} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			return !bytes.Contains(rest, []byte("`"))
		}
	}
	return isJira(line) && line[len(line)-1] == '}'
}

// isJira reports whether a text begins with a mark of a block of code in Jira's markup.
func isJira(text []byte) bool {
	return bytes.HasPrefix(text, []byte("{code")) || bytes.HasPrefix(text, []byte("{noformat}"))
}

// enclosed reports whether a text of several lines is between two backticks.
func enclosed(head []byte, e Excerpt) bool {
	if e.fence {
		return false
	}
	text := bytes.Trim(head, " \t\r\n")
	return len(text) > 2 && text[0] == '`' && text[len(text)-1] == '`' && bytes.Count(text, []byte("`")) == 2
}

// hasEntities reports whether a text has HTML's entities and no characters in place of which HTML
// has entities, except ">" at the beginnings of lines.
func hasEntities(head []byte) bool {
	if !anyEntity(head) {
		return false
	}
	if bytes.IndexByte(head, '<') >= 0 {
		return false
	}
	for at := 0; ; at++ {
		next := bytes.IndexByte(head[at:], '&')
		if next < 0 {
			return true
		}
		at += next
		end := bytes.IndexByte(head[at:min(len(head), at+maxEntity)], ';')
		if end < 0 && len(head)-at >= maxEntity || end == 1 {
			return false // not an entity
		}
	}
}

// anyEntity reports whether a text has one of HTML's entities.
func anyEntity(head []byte) bool {
	for i := 0; i < len(entityList); i += 2 {
		if bytes.Contains(head, []byte(entityList[i])) {
			return true
		}
	}
	return false
}

// entityList has HTML's entities in text, each with its character.
var entityList = []string{"&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&", "&apos;", "'", "&nbsp;", " ", "&#34;", `"`, "&#39;", "'", "&#x27;", "'", "&#60;", "<", "&#62;", ">"}

var entities = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer(entityList...) })

// maxEntity is the maximum length of an entity that programs use for text.
const maxEntity = 10

// Text returns the quoted text. Lines that are not part of it are empty, so that numbers of lines
// do not change.
func (e Excerpt) Text(head []byte) []byte {
	text := make([]byte, 0, len(head))
	u := unquoter{Excerpt: e}
	for line := range bytes.Lines(head) {
		text = u.add(text, line)
	}
	return text
}

// Reader returns a reader of the quoted text.
func (e Excerpt) Reader(r *bufio.Reader) io.Reader {
	return &unquoter{Excerpt: e, in: r}
}

// unquoter reads the text that another one quotes.
type unquoter struct {
	Excerpt
	in     *bufio.Reader
	inside bool   // within a block of code
	inHunk bool   // within a hunk of a diff
	raw    []byte // the current line of the input
	out    []byte // text not read yet
	buf    []byte // memory of out
	err    error
}

// longestLine is the maximum length of a line that is changed as a whole.
const longestLine = 64 << 20

// Read implements [io.Reader].
func (u *unquoter) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.raw = u.raw[:0]
		for {
			var part []byte
			part, u.err = u.in.ReadSlice('\n')
			u.raw = append(u.raw, part...)
			if u.err != bufio.ErrBufferFull {
				break
			}
			if u.err = nil; len(u.raw) >= longestLine {
				break
			}
		}
		u.buf = u.add(u.buf[:0], u.raw)
		u.out = u.buf
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// add appends the quoted part of a line, with its line end.
func (u *unquoter) add(dst, line []byte) []byte {
	text := bytes.TrimRight(line, "\r\n")
	return append(append(dst, u.line(text)...), line[len(text):]...)
}

// line returns the quoted part of a line, which has no line end.
func (u *unquoter) line(line []byte) []byte {
	if u.pre {
		line = u.block(line)
	}
	if u.entities && bytes.IndexByte(line, '&') >= 0 {
		line = []byte(entities().Replace(string(line)))
	}
	if u.nbsp && bytes.Contains(line, []byte("\u00a0")) {
		line = bytes.ReplaceAll(line, []byte("\u00a0"), []byte(" "))
	}
	if u.escapes {
		line = unescape(line)
	}
	if u.trailing {
		line = bytes.TrimRight(line, " ")
	}
	for i := range u.quotes {
		line = bytes.TrimPrefix(line, []byte(">"))
		if u.blanks>>i&1 == 1 {
			line = bytes.TrimPrefix(line, []byte(" "))
		}
	}
	if u.fence {
		if isFence(line) {
			u.inside = !u.inside
			return nil
		}
		if !u.inside {
			return nil
		}
	}
	if u.diff {
		line = u.hunk(line)
	}
	if u.numbers {
		if line, _, _ = cutNumber(line); u.spaced {
			line = bytes.TrimPrefix(line, []byte(" "))
		}
	}
	if u.plus {
		line = bytes.TrimPrefix(line, []byte("+"))
	}
	if u.ticks {
		line = bytes.TrimPrefix(bytes.TrimSuffix(line, []byte("`")), []byte("`"))
	}
	for n := u.indent; n > 0 && len(line) > 0 && (line[0] == ' ' || line[0] == '\t'); n-- {
		line = line[1:]
	}
	return line
}

// hunk returns the part of a diff's line that belongs to the new version of a file.
func (u *unquoter) hunk(line []byte) []byte {
	switch {
	case bytes.HasPrefix(line, []byte("@@ -")):
		u.inHunk = true
	case bytes.HasPrefix(line, []byte("diff ")), bytes.HasPrefix(line, []byte("--- a/")), bytes.HasPrefix(line, []byte("+++ ")):
		u.inHunk = false
	case u.inHunk && len(line) > 0 && (line[0] == '+' || line[0] == ' '):
		return line[1:]
	}
	return nil
}
