package markup

import "testing"

// TestAdd: texts are escaped as the HTML standard's section "Escaping a string" has it, and the
// apostrophe, too; markup and numbers are not.
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
