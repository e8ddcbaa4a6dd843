package filter_test

import (
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
	"artifice/trace/filter"
)

// TestInline checks that selected methods are marked, both those at the start and one added while
// events are read. The source recording does not change.
func TestInline(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{Methods: []trace.Method{{Name: "early", Flags: trace.Native}, {Name: "other"}}}}
	rec.Events = &growing{rec.Symbols, []trace.Method{{Name: "late"}}}
	got := filter.Inline(rec, func(m *trace.Method) bool { return m.Name != "other" })
	if n, err := trace.Copy(trace.Discard, got.Events); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	for i, want := range []trace.MethodFlags{trace.Native | trace.Inlined, 0, trace.Inlined} {
		if flags := got.Symbols.Methods[i].Flags; flags != want {
			t.Errorf("%s has flags %b, want %b", got.Symbols.Methods[i].Name, flags, want)
		}
	}
	if rec.Symbols.Methods[0].Flags != trace.Native || rec.Symbols.Methods[2].Flags != 0 {
		t.Errorf("the source has %+v", rec.Symbols.Methods)
	}
}

// growing returns one event per batch, of a method that it adds with the event.
type growing struct {
	symbols *trace.Symbols
	methods []trace.Method
}

func (g *growing) ReadEvents(p []trace.Event) (int, error) {
	if len(g.methods) == 0 {
		return 0, io.EOF
	}
	p[0] = trace.Event{Method: g.symbols.AddMethod(g.methods[0])}
	g.methods = g.methods[1:]
	return 1, nil
}

// TestJoinOverloads checks methods added while events are read. They are joined to the first method
// with their name and their class, in any form. Methods without a name stay separate.
func TestJoinOverloads(t *testing.T) {
	symbols := &trace.Symbols{}
	rec := filter.JoinOverloads(&trace.Recording{Symbols: symbols, Events: &growing{symbols, []trace.Method{
		{ID: 1, Class: "a.C", Name: "f", Signature: "(I)V"},
		{ID: 2, Class: "a.C", Name: "g", Signature: "()V"},
		{ID: 3, Class: "a/C", Name: "f", Signature: "(J)V"},
		{ID: 4, Unlisted: true},
		{ID: 5, Unlisted: true},
		{ID: 6, Class: "a.D", Name: "f", Signature: "(I)V"},
	}}})
	var events trace.Buffer
	if _, err := trace.Copy(&events, rec.Events); err != nil {
		t.Fatal(err)
	}
	var methods []trace.MethodID
	for _, e := range events.Events {
		methods = append(methods, e.Method)
	}
	if diff := cmp.Diff([]trace.MethodID{0, 1, 0, 2, 3, 4}, methods); diff != "" {
		t.Errorf("methods of the events (-want +got):\n%s", diff)
	}
	want := []trace.Method{{ID: 1, Class: "a.C", Name: "f"}, {ID: 2, Class: "a.C", Name: "g"}, {ID: 4, Unlisted: true}, {ID: 5, Unlisted: true}, {ID: 6, Class: "a.D", Name: "f"}}
	if diff := cmp.Diff(want, rec.Symbols.Methods); diff != "" {
		t.Errorf("methods (-want +got):\n%s", diff)
	}
}
