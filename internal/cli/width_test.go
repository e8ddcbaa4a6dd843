package cli

import (
	"strings"
	"testing"
)

// TestCutMiddle: of a long text, two thirds at the end and one at the beginning remain.
func TestCutMiddle(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"abcdefghij", 10, "abcdefghij"}, {"abcdefghij", 9, "ab…efghij"}, {"abcdefghij", 7, "ab…ghij"},
		{"abcdefghij", 3, "…ij"}, {"abcdefghij", 2, "abcdefghij"}, {"äöüäöüäöüä", 4, "ä…üä"}, {"", 5, ""},
	} {
		if got := cutMiddle(c.text, c.most); got != c.want {
			t.Errorf("%s in %d characters: %s, want %s", c.text, c.most, got, c.want)
		}
	}
}

// TestCutColumn: on a narrow terminal, the last column of a table with Cut is shortened, to 30
// characters at least.
func TestCutColumn(t *testing.T) {
	name := strings.Repeat("a", 20) + strings.Repeat("b", 40)
	table := &Table{Columns: []string{"time", "method"}, Right: []bool{true, false}, Cut: true}
	table.Add("5 ms", name)
	for width, want := range map[int]string{
		66: "5 ms  " + name,
		46: "5 ms  " + strings.Repeat("a", 13) + "…" + strings.Repeat("b", 26),
		36: "5 ms  " + strings.Repeat("a", 9) + "…" + strings.Repeat("b", 20),
		20: "5 ms  " + strings.Repeat("a", 9) + "…" + strings.Repeat("b", 20),
	} {
		text, left := table.Text(width)
		if lines := strings.Split(text, "\n"); lines[1] != want || left != "" {
			t.Errorf("width %d: %q %q, want %q", width, lines[1], left, want)
		}
	}
}

// TestByteCount: a unit is used from ten of it.
func TestByteCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 10239: "10239 B", 10240: "10 KiB", 10<<20 - 1: "10239 KiB", 10 << 20: "10 MiB", 10<<30 - 1: "10239 MiB", 10 << 30: "10 GiB", 25 << 30: "25 GiB",
	} {
		if got := byteCount(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
