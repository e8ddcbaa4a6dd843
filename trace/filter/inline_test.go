package filter_test

import (
	"testing"

	"artifice/trace"
	"artifice/trace/filter"
)

// TestInline: methods that are chosen are marked, those of before and one that is learned while the events are read; the
// recording that they come from is not.
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
