package stackdump_test

import (
	"strings"
	"testing"

	"artifice/stackdump"
	"artifice/trace"
)

// TestRename: a frame that stands for two becomes two calls, and one that keeps
// its name stays one.
func TestRename(t *testing.T) {
	rename := func(f stackdump.Frame) []stackdump.Frame {
		if f.Method != "a" {
			return []stackdump.Frame{f}
		}
		return []stackdump.Frame{{Class: "app.Cart", Method: "price"}, {Class: "app.Item", Method: "isFree"}}
	}
	seq, err := stackdump.New(strings.NewReader("x.main;b.a;java.get 2\nx.main;b.a 1\n"), "test", stackdump.Config{Rename: rename})
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
