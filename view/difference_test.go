package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	tracetext "artifice/format/text"
	"artifice/trace"
)

// TestDifference checks the contexts of two runs: work is faster, and run now calls other.
func TestDifference(t *testing.T) {
	page := &Page{Difference: &Difference{Clock: trace.Wall, Headline: "h", Rows: json.RawMessage(`[{"method":"a.M.work"}]`)}}
	for _, text := range []string{
		textTrace("instrumented", "0 enter run", "1 enter work", "5 exit work", "6 exit run", "6 enter other", "8 exit other"),
		textTrace("instrumented", "0 enter run", "1 enter work", "3 exit work", "3 enter other", "6 exit other", "7 exit run"),
	} {
		rec, err := tracetext.NewReader(strings.NewReader(text), "x")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(rec, fmt.Sprint("run ", len(page.Recordings)), Options{Contexts: true})
		if err != nil {
			t.Fatal(err)
		}
		page.Recordings = append(page.Recordings, r)
	}
	var b bytes.Buffer
	if err := page.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	d := decodePage(t, b.Bytes())
	h := d.header.Difference
	parents, methods, old, now := d.numbers(h.Contexts.Parent), d.numbers(h.Contexts.Method), d.numbers(h.Contexts.Old), d.numbers(h.Contexts.New)
	names, paths := d.strings(d.Methods), make([]string, len(parents))
	var got []string
	for i := range parents {
		paths[i] = names[methods[i]]
		if parents[i] > 0 {
			paths[i] = paths[i-int(parents[i])] + " " + paths[i]
		}
		got = append(got, fmt.Sprint(paths[i], " ", old[i], " ", now[i]))
	}
	want := []string{ // exclusive times in us
		"a.M.run()V 2 2",
		"a.M.run()V a.M.work()V 4 2",
		"a.M.other()V 2 0",
		"a.M.run()V a.M.other()V 0 3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-by hand +page)\n%s", diff)
	}
	if h.Old != "run 0" || h.New != "run 1" || h.Clock != "wall" || h.Headline != "h" || string(h.Rows) != `[{"method":"a.M.work"}]` {
		t.Errorf("%+v", h)
	}
}

// TestShortNames: names are as short as possible and contain folders only to distinguish files.
func TestShortNames(t *testing.T) {
	for _, c := range [][2][]string{
		{{"/home/me/old/app.trace"}, {"app.trace"}},
		{{"/home/me/old.trace", "/home/me/new.trace"}, {"old.trace", "new.trace"}},
		{{"/home/me/old/app.trace", "/home/me/new/app.trace"}, {"old/app.trace", "new/app.trace"}},
		{{"/a/x/p/app.trace", "/a/y/p/app.trace", "b.trace"}, {"x/p/app.trace", "y/p/app.trace", "b.trace"}},
		{{"app.trace", "/home/app.trace"}, {"app.trace", "home/app.trace"}},
		{{"app.trace", "app.trace"}, {"app.trace", "app.trace"}},
		{{"./app.trace", "app.trace"}, {"app.trace", "app.trace"}},
		{{"../app.trace", "app.trace"}, {"../app.trace", "app.trace"}},
	} {
		if d := cmp.Diff(c[1], ShortNames(c[0]...)); d != "" {
			t.Errorf("%q (-want +got)\n%s", c[0], d)
		}
	}
}
