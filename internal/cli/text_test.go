package cli

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"größer 猫 😀":                   "größer 猫 😀",
		"a.B.<init>(I)V 'x' \"y\" \\":  "a.B.<init>(I)V 'x' \"y\" \\",
		"\x1b[31mred\a\r\n\tx\x00\x7f": `\x1b[31mred\a\r\n\tx\x00\x7f`,
		"\u009b31m":                    `\u009b31m`,
		"\u202eevil\u2069\u200f\u061c": `\u202eevil\u2069\u200f\u061c`,
		"one\u2028two\ufeff":           `one\u2028two\ufeff`,
		"half \xc3":                    `half \xc3`,
		"latin \xe9 and good é \ufffd": `latin \xe9 and good é ` + "\ufffd",
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if got := Quote(want); got != want {
			t.Errorf("quoted text is not plain: %s", got)
		}
	}
	if got := QuoteLines("a\tb\n\x1b"); got != "a\tb\n"+`\x1b` {
		t.Errorf("lines: %q", got)
	}
}

// TestQuotingWriter checks that text is quoted as a whole if it is written in pieces, even within a
// character.
func TestQuotingWriter(t *testing.T) {
	const text = "größer 猫 😀 \x1b[1m \u009b \xff end\n"
	for size := 1; size < len(text); size++ {
		var out strings.Builder
		w := NewQuotingWriter(&out)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if written, err := w.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatal(written, err)
			}
			rest = rest[n:]
		}
		if want := `größer 猫 😀 \x1b[1m \u009b \xff end` + "\n"; out.String() != want {
			t.Errorf("pieces of %d bytes: %q", size, out.String())
		}
	}
}

// TestNoSpreadsheetFormulas checks that cells that a spreadsheet would compute become text, and
// that numbers remain numbers.
func TestNoSpreadsheetFormulas(t *testing.T) {
	for cell, want := range map[string]string{
		"=1+2": "'=1+2", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "@SUM(A1)": "'@SUM(A1)", "-2+3": "'-2+3", "\t=1": "'\t=1", "\r=1": "'\r=1",
		"-": "-", "-1.5": "-1.5", "+1.9": "+1.9", "-1.5e-9": "-1.5e-9", "-12µs": "-12µs", "a=b": "a=b", "": "", "<init>": "<init>",
	} {
		if got := noFormula(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
	table := &Table{Columns: []string{"name"}}
	table.Add("=\x1b[31mx")
	var csv, json, text strings.Builder
	table.WriteCSV(&csv)
	table.WriteJSON(&json)
	table.WriteText(&text)
	if csv.String() != "name\n'=\x1b[31mx\n" || !strings.Contains(json.String(), `"=\u001b[31mx"`) || text.String() != "name\n=\\x1b[31mx\n" {
		t.Errorf("%q, %q, %q", csv.String(), json.String(), text.String())
	}
}

// TestShortenWords checks that names and numbers are truncated, but paths are not.
func TestShortenWords(t *testing.T) {
	long, path := strings.Repeat("9", 1000), "/tmp/"+strings.Repeat("x", 500)
	for text, want := range map[string]string{
		"": "", "a b\n": "a b\n",
		"number " + long + " in line 3\n":    "number " + strings.Repeat("9", 60) + "… in line 3\n",
		long:                                 strings.Repeat("9", 60) + "…",
		path + ": no such file":              path + ": no such file",
		path + "/" + long + " and " + path:   "/tmp/" + strings.Repeat("x", 55) + "… and " + path,
		strings.Repeat("word ", 1000) + long: strings.Repeat("word ", 1000) + strings.Repeat("9", 60) + "…",
	} {
		if got := ShortenWords(text); got != want {
			t.Errorf("%.60q: got %.200q, want %.200q", text, got, want)
		}
	}
}
