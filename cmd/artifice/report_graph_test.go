package main

import (
	"os"
	"strings"
	"testing"

	"artifice/report/estimate"
)

// TestLongNames checks that longer names keep both ends, because Graphviz reads no text of more
// than 16384 bytes after escaping.
func TestLongNames(t *testing.T) {
	if got := shortened("abcdefghij", 5); got != "ab…ij" {
		t.Errorf("%q", got)
	}
	if got := shortened("äöü", 3); got != "äöü" {
		t.Errorf("%q", got)
	}
	if text := dotString(strings.Repeat("&", 20_000)); len(text) > 16384 || !strings.Contains(text, "…") {
		t.Errorf("%d bytes", len(text))
	}
}

// TestGraphTexts checks the texts of nodes and edges: a name is broken after its class and before its
// signature, which has 40 characters at most, and strings are escaped as the DOT language requires.
func TestGraphTexts(t *testing.T) {
	for name, want := range map[string]string{
		"run": "run", "Main.run": "Main|run", "app.Main.run": "app.Main|run", ".run": ".run", "app.Main.run()V": "app.Main|run|()V", "run(I)": "run|(I)",
		"a.B.c(" + strings.Repeat("I", 38) + ")": "a.B|c|(" + strings.Repeat("I", 38) + ")", "a.B.c(" + strings.Repeat("I", 39) + ")": "a.B|c|(" + strings.Repeat("I", 38) + "…",
	} {
		if got := strings.Join(nameLines(name), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for text, want := range map[string]string{
		"<init>": `"<init>"`, "a\"b\\c": `"a\"b\\c"`, "a&lt;": `"a&amp;lt;"`, "two\nlines": `"two\nlines"`, "a\x00\x1f \x7f~": "\"a\uFFFD\uFFFD \uFFFD~\"", "\xff": "\"\uFFFD\"", "": `""`,
	} {
		if got := dotString(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	table := &reportTable{p: &estimate.Profile{}}
	for calls, want := range map[estimate.Calls]string{{}: "0 calls", {Reported: 1}: "1 call", {Reported: 1234}: "1,234 calls"} {
		if got := callsWords(calls); got != want {
			t.Errorf("%+v: %s, want %s", calls, got, want)
		}
		if got := table.calls(calls); got != ", "+want {
			t.Errorf("%+v: %q, want , %s", calls, got, want)
		}
	}
	table.p.Quantity.Name = "space"
	table.p.Quantity.Unit = "bytes"
	if got := table.calls(estimate.Calls{Reported: 1}); got != "" {
		t.Errorf("a quantity has %s", got)
	}
}

// TestGraphFlags: flags of tables do not apply to a graph, and its file has one of three endings.
func TestGraphFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	writeCall(t, "both.txt", "dual")
	for _, c := range []struct{ args, want string }{
		{"--tree", "--tree does not apply to --graph"}, {"--callers main", "--callers does not apply to --graph"}, {"--callees main", "--callees does not apply to --graph"},
		{"--sort total", "--sort does not apply to --graph"}, {"--top 5", "--top does not apply to --graph"}, {"--csv", "--csv does not apply to --graph"}, {"--json", "--json does not apply to --graph"},
	} {
		status, _, stderr := artifice(append([]string{"report", "both.txt", "--graph", "x.dot"}, strings.Fields(c.args)...)...)
		if first, _, _ := strings.Cut(stderr, "\n"); status != exitUsage || first != "artifice: "+c.want {
			t.Errorf("%s: status %d, %s, want %s", c.args, status, first, c.want)
		}
	}
	if status, _, stderr := artifice("report", "both.txt", "--graph", "x.pdf"); status != exitUsage || !strings.HasPrefix(stderr, "artifice: -g x.pdf: must end in .svg, .png or .dot") {
		t.Errorf("x.pdf: status %d, %s", status, stderr)
	}
	status, _, stderr := artifice("report", "both.txt", "--graph", "x.dot", "--focus", "nothing")
	if _, err := os.Stat("x.dot"); status == exitOK || err == nil {
		t.Errorf("a graph of nothing: status %d, %s, error %v", status, stderr, err)
	}
}
