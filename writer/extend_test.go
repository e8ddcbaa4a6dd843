package writer_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"artifice/format"
	"artifice/format/registry"
	"artifice/trace"
	"artifice/writer"
)

// tallyFormat is the smallest output format: how often each method was entered.
// CONTRIBUTING.md says that a format is one folder with a file
// like this and a line in the registry.
var tallyFormat = format.Format{
	Name: "tally", About: "calls by method", Endings: []string{".tally"},
	Write: func(w io.Writer, rec *trace.Recording, _ writer.Options) (writer.Writer, error) {
		return &tally{w: w, symbols: rec.Symbols, calls: map[trace.MethodID]int{}}, nil
	},
}

type tally struct {
	w       io.Writer
	symbols *trace.Symbols
	calls   map[trace.MethodID]int
}

func (t *tally) WriteEvents(p []trace.Event) error {
	for _, e := range p {
		if e.Action == trace.Enter {
			t.calls[e.Method]++
		}
	}
	return nil
}

func (t *tally) Close() error {
	for id := range t.symbols.Methods {
		if _, err := fmt.Fprintln(t.w, t.calls[trace.MethodID(id)], t.symbols.Methods[id].Name); err != nil {
			return err
		}
	}
	return nil
}

func (t *tally) Notes() []string { return nil }

// TestAddFormat adds a format and writes a file of it, found by its ending.
func TestAddFormat(t *testing.T) {
	t.Cleanup(registry.Add(&tallyFormat))

	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	f := rec.Symbols.AddMethod(trace.Method{Class: "a.A", Name: "f"})
	g := rec.Symbols.AddMethod(trace.Method{Class: "a.A", Name: "g"})
	rec.Events = trace.NewSliceReader([]trace.Event{
		{Method: f}, {Method: g}, {Method: g, Action: trace.Exit}, {Method: g}, {Method: g, Action: trace.Exit},
	})
	kind := registry.ForFile("out.tally", nil, "")
	if kind == nil || registry.ByName("tally") != kind {
		t.Fatal("the format is not found by its ending and name")
	}
	var out strings.Builder
	w, err := kind.Write(&out, rec, writer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(w, rec.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := "1 f\n2 g\n"; out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
}
