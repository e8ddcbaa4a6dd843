package cli

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"artifice/internal/words"
)

// Quote makes text safe to print: control characters, and characters that reorder the text around
// them, are replaced by their escapes in Go and C, such as \x1b. Other text is unchanged. Formats
// for programs keep names unchanged.
func Quote(text string) string {
	if printable(text) || !strings.ContainsFunc(text, obeyed) && utf8.ValidString(text) {
		return text
	}
	return quote(text, obeyed)
}

// printable reports whether text is printable ASCII, as nearly all text is. This check is needed
// because the tables of Unicode are slow, and the tree of a deep stack has a thousand spaces in a
// line.
func printable(text string) bool {
	for i := range len(text) {
		if text[i]-' ' > '~'-' ' {
			return false
		}
	}
	return true
}

// quote replaces characters for which obeyed is true, and invalid UTF-8.
func quote(text string, obeyed func(rune) bool) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatUint(0x100+uint64(text[0]), 16)[1:])
		case obeyed(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// obeyed reports whether a terminal interprets a character instead of showing it.
func obeyed(r rune) bool {
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) ||
		r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

// QuoteLines is Quote for text of several lines: line ends and tabs are kept.
func QuoteLines(text string) string {
	return quote(text, func(r rune) bool { return obeyed(r) && r != '\n' && r != '\t' })
}

// Maximum lengths of words printed in full, in general and for words that contain a path
// separator.
const (
	longWord = 256
	longPath = 1024
)

// ShortenWords returns text with longer words cut to their first characters ([words.Shorten]).
func ShortenWords(text string) string {
	var b strings.Builder
	rest := text
	for len(rest) > longWord {
		n := strings.IndexAny(rest, " \n\t")
		if n < 0 {
			n = len(rest)
		}
		word := rest[:n]
		if n > longWord && (n > longPath || !strings.Contains(word, "/")) {
			word = words.Shorten(word) + "…"
		}
		b.WriteString(word)
		b.WriteString(rest[n:min(n+1, len(rest))])
		rest = rest[min(n+1, len(rest)):]
	}
	return b.String() + rest
}

// QuotingWriter quotes text written to it, like [QuoteLines].
type QuotingWriter struct {
	to   io.Writer
	part []byte // the beginning of a character that is not complete yet
}

// NewQuotingWriter returns a QuotingWriter that writes to w.
func NewQuotingWriter(w io.Writer) *QuotingWriter { return &QuotingWriter{to: w} }

// Write implements io.Writer.
func (q *QuotingWriter) Write(p []byte) (int, error) {
	text := append(q.part, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if tail := text[len(text)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				whole -= back
			}
			break
		}
	}
	q.part = slices.Clone(text[whole:])
	_, err := io.WriteString(q.to, QuoteLines(string(text[:whole])))
	return len(p), err
}

// Unwrap returns the underlying writer.
func (q *QuotingWriter) Unwrap() io.Writer { return q.to }

// Wrap breaks text into indented lines of at most width runes. It keeps a percent sign with its
// number.
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

// WrapTerminal wraps text to the width of the terminal that w writes to, if any.
func WrapTerminal(w io.Writer, text string) string {
	if width := TerminalWidth(w); width > 0 {
		return Wrap(text, "", width)
	}
	return text
}

// WrapParagraphs wraps the paragraphs of a text. It does not wrap lines that begin with a blank,
// nor the paragraphs that contain them.
func WrapParagraphs(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			paragraphs[i] = Wrap(p, "", width)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}
