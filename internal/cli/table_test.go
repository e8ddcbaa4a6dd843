package cli

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	table := &Table{Columns: []string{"name", "n"}, Right: []bool{false, true}}
	table.Add("größer", "1")
	table.Add("a,b", "23")
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
	if got := strings.Join(strings.Fields(json.String()), ""); got != `[{"n":"1","name":"größer"},{"n":"23","name":"a,b"}]` {
		t.Errorf("JSON:\n%s", json.String())
	}
}

func TestWrap(t *testing.T) {
	if got, want := Wrap("one two three 95 % of it", "  ", 15), "  one two three\n  95 % of it"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Elsewhere than on a terminal there is no bar.
func TestBar(t *testing.T) {
	update, finish := NewBar(&strings.Builder{}, "work")
	if update != nil {
		t.Error("a bar is shown in a string")
	}
	finish()
}
