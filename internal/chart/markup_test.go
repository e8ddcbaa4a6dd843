package chart

import "testing"

// TestBreakable checks that a name can break after its dots, that a number cannot break, and that
// text is escaped.
func TestBreakable(t *testing.T) {
	for text, want := range map[string]HTML{"a.b.C$1.<init>": "a.<wbr>b.<wbr>C$1.&lt;init&gt;", "+1.5ms": "+1.5ms", "…": "…", "": "", "a.\xffb": "a.\ufffdb"} {
		if got := Breakable(text); got != want {
			t.Errorf("Breakable(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestAdd checks that texts are escaped as in section "Escaping a string" of the HTML standard,
// including apostrophes. Markup and numbers are not escaped.
func TestAdd(t *testing.T) {
	var w Writer
	w.Add(`<p title="%s">%s%d</p>%s`, `"a" & 'b'`, "</p><script>", 3, HTML("<hr>"))
	w.AddIf("<b>%s</b>", "")
	w.AddIf("<i>%s</i>", "<")
	const want = `<p title="&#34;a&#34; &amp; &#39;b&#39;">&lt;/p&gt;&lt;script&gt;3</p><hr><i>&lt;</i>`
	if got := w.String(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
