package chart

import (
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HTML is markup, which is not escaped.
type HTML string

// Breakable returns the markup of a long name, with an optional line break after each dot followed
// by a letter.
func Breakable(text string) HTML {
	var b strings.Builder
	for i, r := range text {
		b.WriteString(html.EscapeString(string(r)))
		if next, _ := utf8.DecodeRuneInString(text[i+1:]); r == '.' && unicode.IsLetter(next) {
			b.WriteString("<wbr>")
		}
	}
	return HTML(b.String())
}

// Writer is a page under construction. The zero value is empty.
type Writer struct{ strings.Builder }

// Add adds markup in the manner of [fmt.Sprintf]. Arguments that are strings are text, for the
// inside of an element or of an attribute in double quotes; those of type [HTML] are markup.
func (w *Writer) Add(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = html.EscapeString(text)
		}
	}
	fmt.Fprintf(&w.Builder, format, args...)
}

// AddIf adds markup with one text in it, or nothing if the text is empty.
func (w *Writer) AddIf(format, text string) {
	if text != "" {
		w.Add(format, text)
	}
}
