package decode

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

// TestExcerpt checks the text that emails, issues, pages and diffs quote. Lines that are not part of
// it are empty.
func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "a\n  b\n", "a\n  b\n"},
		{"quoted", "> a\n>   b\n>\n> c", "a\n  b\n\nc"},
		{"quoted twice", "> > a\r\n> >   b\r\n", "a\r\n  b\r\n"},
		{"quoted without blanks", ">a\n>  b\n", "a\n  b\n"},
		{"not all quoted", "> a\nb\n", "> a\nb\n"},
		{"fence", "Hi\n```\na\n\n  b\n```\nBye\n", "\n\na\n\n  b\n\n\n"},
		{"two fences", "~~~\na\n~~~\nx\n```text\nb\n```\n", "\na\n\n\n\nb\n\n"},
		{"quoted fence", "> ```\n> a\n> ```\n", "\na\n\n"},
		{"Jira", "{code:java}\na\n{code}\n", "\na\n\n"},
		{"code in a line", "see ```a``` here\n```b```\n", "see ```a``` here\n```b```\n"},
		{"entities", "&lt;init&gt; &quot;a&quot; b&amp;c d&#39;e &amp;lt; f->g\n", "<init> \"a\" b&c d'e &lt; f->g\n"},
		{"entities next to their characters", "<a> &lt;\n", "<a> &lt;\n"},
		{"ampersands", "f(T&&) &amp; g(T const& t, int)\n", "f(T&&) &amp; g(T const& t, int)\n"},
		{"backticks", "`a`\n\n`  b`\n", "a\n\n  b\n"},
		{"backticks at ends", "a`\n  b`\n", "a\n  b\n"},
		{"between backticks", "`a\n  b`\n", "a\n  b\n"},
		{"diff", "diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -1,2 +1,2 @@\n-z\n+a\n   b\n", "\n\n\n\n\na\n  b\n"},
		{"added lines", "+a\n+  b\n", "a\n  b\n"},
		{"no-break spaces", "a\n\u00a0 b\n", "a\n  b\n"},
		{"JSON", "{\"a\": \"&lt;\"}\n", "{\"a\": \"&lt;\"}\n"},
		{"page", "<html>\n```\na\n```\n", "<html>\n```\na\n```\n"},
		{"page with a block", "<html><body>\n<pre>a &lt;b&gt;\n  c</pre>\nBye &amp; thanks\n", "\na <b>\n  c\n\n"},
		{"tags without end", "<pre>a < b <span c <code>d</code> <<x>>\n</pre <pre>\ne</pre>\n", "a < b <span c d <<x>>\n\ne\n"},
		{"two blocks", "<PRE class=\"x\"><code>a\n</code></PRE><p>x</p><pre>b\n<span class=k>c</span><br/>\n</pre>\n", "a\nb\nc\n\n"},
		{"block without entities", "Hi\n<pre>\nA.<init> <0x7> v<T>\n</pre>\n", "\n\nA.<init> <0x7> v<T>\n\n"},
		{"Markdown's escapes", "a\\_b.\\<init\\>(\\[c\\])\\\\d\n", "a_b.<init>([c])\\d\n"},
		{"other backslashes", "C:\\a\\_b\nFoo\\Bar\\_baz\n", "C:\\a\\_b\nFoo\\Bar\\_baz\n"},
		{"some are not escaped", "a\\_b c_d\n", "a\\_b c_d\n"},
		{"blanks after lines", "a  \n  b   \n\nc\n", "a\n  b\n\nc\n"},
		{"a blank after lines", "a \nb \n", "a \nb \n"},
		{"numbers of grep", "8:a\n9:\n10:  b\n", "a\n\n  b\n"},
		{"numbers and blanks", "1: a\n2:   b\n3: c\n", "a\n  b\nc\n"},
		{"numbers of cat", "     1\ta\n     2\t\n     3\t  b\n", "a\n\n  b\n"},
		{"no numbers of lines", "1:a\n2:b\n4:c\n", "1:a\n2:b\n4:c\n"},
		{"empty", "\n \n", "\n \n"},
	} {
		e := FindExcerpt([]byte(c.text))
		if got := string(e.Text([]byte(c.text))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, size := range []int{16, 4096} {
			got, err := io.ReadAll(e.Reader(bufio.NewReaderSize(strings.NewReader(c.text), size)))
			if err != nil || string(got) != c.want {
				t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
			}
		}
		if e.IsSet() != (c.text != c.want) {
			t.Errorf("%s: set %t", c.name, e.IsSet())
		}
	}
}

// TestIndent checks that blanks before all lines are removed, and others are kept.
func TestIndent(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"    a\n\n      b\n", "a\n\n  b\n"},
		{"\ta\n\t  b\n", "a\n  b\n"},
		{"a\n  b\n", "a\n  b\n"},
		{"  a\n", "  a\n"},               // one line
		{"    a\n    b\n  c", "a\nb\nc"}, // the last line may be cut
	} {
		e := FindIndent([]byte(c.text))
		if got := string(e.Text([]byte(c.text))); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestLongLine checks that a line longer than the buffer is changed at its beginning and its end only.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("`x", 1<<17)
	e := FindExcerpt([]byte("> `a`\n"))
	got, err := io.ReadAll(e.Reader(bufio.NewReader(strings.NewReader("> `" + long + "`\n> `b`\n"))))
	if want := long + "\nb\n"; err != nil || string(got) != want {
		t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
	}
}
