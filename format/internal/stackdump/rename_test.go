package stackdump_test

import (
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/trace"
	"artifice/trace/filter"
)

// TestRename checks that a frame with two original frames becomes two calls, and that a frame that
// keeps its name remains one call.
func TestRename(t *testing.T) {
	rename := func(f stackdump.Frame) []stackdump.Frame {
		if f.Method != "a" {
			return []stackdump.Frame{f}
		}
		return []stackdump.Frame{{Class: "app.Cart", Method: "price"}, {Class: "app.Item", Method: "isFree"}}
	}
	seq, err := formattest.New(strings.NewReader("x.main;b.a;java.get 2\nx.main;b.a 1\n"), "test", stackdump.Config{Rename: rename})
	if err != nil {
		t.Fatal(err)
	}
	defer seq.Close()
	var got []string
	for e, err := range trace.All(seq.Events) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Action.String()+" "+seq.Symbols.Method(e.Method).FullName())
	}
	want := "enter x.main, enter app.Cart.price, enter app.Item.isFree, enter java.get, exit java.get"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// TestRenameBy checks that a line determines the inlined method. Native frames, and classes that
// the mapping lacks, keep their names.
func TestRenameBy(t *testing.T) {
	m, err := filter.ReadMapping(strings.NewReader(
		"app.Cart -> a.a:\n    1:1:boolean app.Item.isFree():50:50 -> b\n    1:1:double price():41 -> b\n"), "mapping.txt")
	if err != nil {
		t.Fatal(err)
	}
	rename := stackdump.RenameBy(m)
	frames := rename(stackdump.Frame{Class: "a.a", Method: "b", Line: 1, File: "SourceFile"})
	if len(frames) != 2 || frames[0].Class != "app.Cart" || frames[0].Method != "price" || frames[0].Line != 41 || frames[0].File != "Cart.java" ||
		frames[1].Class != "app.Item" || frames[1].Method != "isFree" || frames[1].Line != 50 {
		t.Errorf("inlined: %+v, want Cart.price:41 and Item.isFree:50", frames)
	}
	for _, f := range []stackdump.Frame{{Class: "x.y", Method: "b", Line: 1}, {Class: "a.a", Method: "b", Line: 1, Kind: stackdump.NativeCode}} {
		if frames := rename(f); len(frames) != 1 || frames[0] != f {
			t.Errorf("rename(%+v) = %+v, want it unchanged", f, frames)
		}
	}
	if stackdump.RenameBy(nil) != nil {
		t.Error("RenameBy(nil) is not nil")
	}
}
