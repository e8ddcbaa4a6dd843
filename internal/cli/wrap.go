package cli

import (
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
