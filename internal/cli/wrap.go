package cli

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Wrap breaks text into lines of at most width runes, indented. A percent sign
// stays with its number.
func Wrap(text, indent string, width int) string {
	const glue = "\x00"
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(strings.ReplaceAll(text, " %", glue+"%")) {
		length := utf8.RuneCountInString(word)
		if column > 0 && column+1+length > width {
			b.WriteByte('\n')
			column = 0
		}
		if column == 0 {
			b.WriteString(indent)
			column = len(indent)
		} else {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(strings.ReplaceAll(word, glue, " "))
		column += length
	}
	return b.String()
}

// WrapTerminal breaks text into lines where w is a terminal that is too narrow for it.
func WrapTerminal(w io.Writer, text string) string {
	if width := TerminalWidth(w); width > 0 {
		return Wrap(text, "", width)
	}
	return text
}

// WrapParagraphs wraps the paragraphs of a text; lines that begin with a blank stay as
// they are, and so does what stands in one paragraph with them.
func WrapParagraphs(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			paragraphs[i] = Wrap(p, "", width)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}
