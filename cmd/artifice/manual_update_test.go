package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// With update, tests write the current output of the program into the documents:
//
//	EXHAUSTIVE=1 go test ./cmd/artifice -run TestManual -args -update
//
// No test covers the sentences around a changed output, so read them.
var update = flag.Bool("update", false, "TestManual, TestReference: write the output of the program into the documents")

// rewrite replaces the output of a session in a page.
func rewrite(t *testing.T, page string, s *testdata.Session, got []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Join(slices.Concat(s.Block, []string{"```"}), "\n")
	block := slices.Clone(s.Block[:len(s.Block)-s.Printed])
	block = append(append(block, replaced(s.Output, got)...), "```")
	if strings.Count(string(text), old) != 1 || len(s.Output) > s.Printed {
		t.Errorf("%s:%d: not written: the session is not unique, or has output between its commands", page, s.Line)
		return
	}
	if err := os.WriteFile(page, []byte(strings.Replace(string(text), old, strings.Join(block, "\n"), 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// replaced returns want with its lines replaced by those of got. "..." matches any lines: the first
// and the last lines of got replace those of want. Between two "...", the lines with the most words
// in common replace them.
func replaced(want, got []string) (out []string) {
	first := slices.Index(want, "...")
	if first < 0 {
		return got
	}
	if first > len(got) {
		return want
	}
	out, got = append(slices.Clone(got[:first]), "..."), got[first:]
	for rest := want[first+1:]; len(rest) > 0; {
		n := slices.Index(rest, "...")
		last := n < 0
		if last {
			n = len(rest)
		}
		best, most := 0, -1
		for at := range max(0, len(got)-n) + 1 {
			if same := common(rest[:n], got[at:min(at+n, len(got))]); same > most {
				best, most = at, same
			}
		}
		if last {
			return append(out, got[max(0, len(got)-n):]...)
		}
		out = append(append(out, got[best:min(best+n, len(got))]...), "...")
		got, rest = got[min(best+n, len(got)):], rest[n+1:]
	}
	return out
}

// common returns the number of words that each line of a has in common with the line of b at the
// same index.
func common(a, b []string) (n int) {
	for i := range min(len(a), len(b)) {
		words := strings.Fields(b[i])
		for _, w := range strings.Fields(a[i]) {
			if slices.Contains(words, w) {
				n++
			}
		}
	}
	return n
}

// TestReplacedLines checks that lines are matched by their words.
func TestReplacedLines(t *testing.T) {
	got := strings.Split("head 2|x 1|y 2|mid 7 of 9|z|tail 4", "|")
	for want, is := range map[string]string{
		"old":                             "head 2|x 1|y 2|mid 7 of 9|z|tail 4",
		"head 1|...":                      "head 2|...",
		"head 1|...|tail 3":               "head 2|...|tail 4",
		"head 1|...|mid 6 of 8|...|end 1": "head 2|...|mid 7 of 9|...|tail 4",
	} {
		if out := strings.Join(replaced(strings.Split(want, "|"), got), "|"); out != is {
			t.Errorf("%s becomes %s, want %s", want, out, is)
		}
	}
}
