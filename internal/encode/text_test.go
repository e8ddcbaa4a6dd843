package encode

import (
	"strings"
	"testing"

	"artifice/trace"
)

// TestMarkText checks that a mark has no characters with a meaning in a line, and no text that ends
// a page for Perfetto.
func TestMarkText(t *testing.T) {
	for in, want := range map[string]string{
		"a|b\nc":            "a b c",
		"a.A.</script>x":    "a.A.< /script>x",
		"</a></script></b>": "</a>< /script></b>",
		"12345678901":       "1234567890",
	} {
		most := 127
		if len(want) == 10 {
			most = 10
		}
		if got := MarkText(in, most); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestPerfettoNotes checks that 512 open calls of a thread cause no note, and 513 one.
func TestPerfettoNotes(t *testing.T) {
	if PerfettoNotes(512) != nil || len(PerfettoNotes(513)) != 1 {
		t.Errorf("notes %v for 512 open calls, want none; %v for 513, want one", PerfettoNotes(512), PerfettoNotes(513))
	}
}

// nowhere is a [Timeline] that ignores events.
type nowhere struct{ Nested }

func (*nowhere) Event(*trace.Event) error { return nil }

// TestDeepNested checks that 513 open calls cause a note in formats that only Perfetto reads.
func TestDeepNested(t *testing.T) {
	for _, test := range []struct {
		forPerfetto bool
		calls       int
		noted       bool
	}{{true, 513, true}, {true, 512, false}, {false, 513, false}} {
		rec := &trace.Recording{Symbols: &trace.Symbols{}}
		rec.Symbols.AddThread(trace.Thread{TID: 1})
		rec.Symbols.AddMethod(trace.Method{Name: "f"})
		n := &nowhere{}
		n.Nested = Nested{Rec: rec, To: n, ForPerfetto: test.forPerfetto}
		if err := n.WriteEvents(make([]trace.Event, test.calls)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(n.Notes(), "; "), "Perfetto keeps 512"); got != test.noted {
			t.Errorf("%+v: noted = %t", test, got)
		}
	}
}
