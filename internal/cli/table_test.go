package cli

import (
	"strings"
	"testing"
	"time"
)

func TestTable(t *testing.T) {
	table := &Table{Columns: []string{"name", "n"}, Right: []bool{false, true}}
	table.Add("größer", "1")
	table.More = func(yield func([]string) bool) { yield([]string{"a,b", "23"}) }
	var text, csv, json strings.Builder
	for _, err := range []error{table.WriteText(&text), table.WriteCSV(&csv), table.WriteJSON(&json)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := "name     n\ngrößer   1\na,b     23\n"; text.String() != want {
		t.Errorf("text:\n%s", text.String())
	}
	if want := "name,n\ngrößer,1\n\"a,b\",23\n"; csv.String() != want {
		t.Errorf("CSV:\n%s", csv.String())
	}
	if want := "[\n  {\n    \"n\": \"1\",\n    \"name\": \"größer\"\n  },\n  {\n    \"n\": \"23\",\n    \"name\": \"a,b\"\n  }\n]\n"; json.String() != want {
		t.Errorf("JSON:\n%s", json.String())
	}
	json.Reset()
	if err := (&Table{Columns: []string{"n"}}).WriteJSON(&json); err != nil || json.String() != "[]\n" {
		t.Errorf("JSON of no rows: %q, %v", json.String(), err)
	}
}

// TestWrapParagraphs checks that paragraphs are wrapped, here to 12 columns, and that lists are
// not.
func TestWrapParagraphs(t *testing.T) {
	got := WrapParagraphs("one two three\nfour\n\nList:\n  an item that is long\n\n  another that is long", 12)
	if want := "one two\nthree four\n\nList:\n  an item that is long\n\n  another that is long"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWrap(t *testing.T) {
	if got, want := Wrap("one two three 95 % of it", "  ", 15), "  one two three\n  95 % of it"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestProgressBarNeedsTerminal checks that there is no progress bar unless the output is a
// terminal.
func TestProgressBarNeedsTerminal(t *testing.T) {
	bar := NewBar(&strings.Builder{}, "work")
	if bar != nil || bar.Updates() != nil {
		t.Error("NewBar of a string builder is not nil")
	}
	bar.Update(1, 2)
	bar.Hide()
}

// TestNarrowTable checks that, on a narrow terminal, spare columns are omitted in order before text
// is wrapped.
func TestNarrowTable(t *testing.T) {
	table := &Table{Columns: []string{"name", "n", "m", "meaning"}, Right: []bool{false, true, true}, Spare: []string{"m", "n"}}
	table.Add("calls", "1000", "2", "how many there are in all of it")
	for width, want := range map[int]string{
		0:  "name      n  m  meaning\ncalls  1000  2  how many there are in all of it\n",
		47: "name      n  m  meaning\ncalls  1000  2  how many there are in all of it\n",
		46: "name      n  meaning\ncalls  1000  how many there are in all of it\nomitted on this narrow terminal: m",
		38: "name   meaning\ncalls  how many there are in all of it\nomitted on this narrow terminal: m, n",
		30: "name   meaning\ncalls  how many there are in\n       all of it\nomitted on this narrow\nterminal: m, n",
	} {
		text, left := table.Text(width)
		if got := text + left; got != want {
			t.Errorf("width %d:\n%s\nwant\n%s", width, got, want)
		}
	}
}

// TestBarLine checks that the line fits any width, with any name.
func TestBarLine(t *testing.T) {
	if got, want := barLine("app.trace", "12 MiB", 25, 100, 10*time.Second, 79), "app.trace  #####...............   25 %  12 MiB  30s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := barLine("a/long/path/to/app.trace", "12 MiB", 25, 100, 10*time.Second, 39), "…path/to/app.trace   25 %  12 MiB  30s left"; columns(got) > 39 {
		t.Errorf("%q, want about %q", got, want)
	}
	for _, what := range []string{"", "app.trace", strings.Repeat("long/", 60), strings.Repeat("猫", 100)} {
		for width := range 120 {
			for _, total := range []int64{-1, 0, 100} {
				if line := barLine(what, "123 GiB", 99, total, 100*time.Hour, width); columns(line) > width {
					t.Errorf("%d columns for %d: %q", columns(line), width, line)
				}
			}
		}
	}
}

// TestWrapsFirst checks that, with Wraps, the last column is wrapped before other columns are
// omitted.
func TestWrapsFirst(t *testing.T) {
	table := &Table{Columns: []string{"name", "n", "meaning"}, Right: []bool{false, true}, Spare: []string{"n"}, Wraps: true}
	table.Add("calls", "1000", "how many there are in all of it")
	for width, want := range map[int]string{
		40: "name      n  meaning\ncalls  1000  how many there are in all\n             of it\n",
		28: "name   meaning\ncalls  how many there are in\n       all of it\nomitted on this narrow\nterminal: n",
	} {
		text, left := table.Text(width)
		if got := text + left; got != want {
			t.Errorf("width %d:\n%s\nwant\n%s", width, got, want)
		}
	}
}
