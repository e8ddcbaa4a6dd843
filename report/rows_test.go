package report

import (
	"testing"

	"artifice/estimate"
	"artifice/trace"
)

// TestRowsOfOneName: methods of one name are told apart by their signatures, as far as the
// trace calls them; others have none, and each has the time of its own call.
func TestRowsOfOneName(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{
		Threads: make([]trace.Thread, 1),
		Methods: []trace.Method{
			{Class: "p.A", Name: "f", Signature: "(I)V"}, {Class: "p.A", Name: "f", Signature: "(J)V"},
			{Class: "p.A", Name: "g", Signature: "(I)V"}, {Class: "p.A", Name: "g", Signature: "(J)V"}, // the last is not called
		},
	}}
	rec.Info.Technique = trace.Instrumented
	rec.Events = trace.NewSliceReader([]trace.Event{
		{Wall: 0, Method: 0}, {Wall: 1, Method: 0, Action: trace.Exit},
		{Wall: 1, Method: 1}, {Wall: 3, Method: 1, Action: trace.Exit},
		{Wall: 3, Method: 2}, {Wall: 7, Method: 2, Action: trace.Exit},
	})
	p, err := estimate.Read(rec, estimate.Config{MethodsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	rows := New(p, rec.Symbols, Filter{}).Rows(ByMethod)
	want := []string{"p.A.f(I)V", "p.A.f(J)V", "p.A.g"}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i := range rows {
		if own := rows[i].Figures().Exclusive.Wall.Value; rows[i].Name != want[i] || own != 1<<i {
			t.Errorf("row %d: %s %d, want %s %d", i, rows[i].Name, own, want[i], 1<<i)
		}
	}
}
