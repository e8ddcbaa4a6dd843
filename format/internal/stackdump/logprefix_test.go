package stackdump

import (
	"strings"
	"testing"
)

// TestPrefixes checks the split of lines after the prefix of a log.
func TestPrefixes(t *testing.T) {
	for _, test := range []struct{ prefix, line, want string }{
		{"app-1  | ", "app-1  |   at a.B.f", "  at a.B.f"},
		{"app-1  | ", "app-1  |", ""},
		{"app-1  | ", "db-1   | x", "db-1   | x"},
		{"May  6 10:11:12 h java[98]: ", "May 16 10:11:12 h java[1267]: \tat a.B.f", "\tat a.B.f"},
		{"May  6 10:11:12 h java[98]: ", "May 16 10:11:12 h sshd[12]: x", "May 16 10:11:12 h sshd[12]: x"},
		{"    ", "      at a.B.f", "  at a.B.f"},
		{"    ", "  x", "  x"},
		{"    ", "", ""},
		{"12 ", "x", "x"},
	} {
		p := logPrefix{text: []byte(test.prefix)}
		if before, got := p.cut([]byte(test.line)); string(got) != test.want || string(before)+string(got) != test.line {
			t.Errorf("%q after %q: %q and %q, want %q", test.line, test.prefix, before, got, test.want)
		}
	}
}

// TestFindPrefix checks that a mention of a dump is no dump, nor is a dump without a prefix, nor one with
// a prefix so long that no log has it.
func TestFindPrefix(t *testing.T) {
	const head, thread = "Full thread dump of x", `"main" prio=5 tid=0x1`
	for _, test := range []struct {
		text string
		want bool
	}{
		{"x " + head + "\nx " + thread + "\n", true},
		{"INFO " + head + "\n" + thread + "\n", true}, // one entry of a log
		{"see " + head + "\nx " + head + "\nx " + thread + "\n", true},
		{head + "\n" + thread + "\n", false},
		{"print(" + head + ")\n\"main\"\n", false},
		{strings.Repeat("1", maxPrefix+1) + head + "\n" + thread + "\n", false},
	} {
		if _, got := findPrefix([]byte(test.text), []string{"Full thread dump "}); got != test.want {
			t.Errorf("%.80q: %t, want %t", test.text, got, test.want)
		}
	}
}
