package report

import (
	"cmp"
	"testing"
	"time"

	"artifice/report/estimate"
	"artifice/trace"
)

// TestOverloadedMethods checks that signatures distinguish methods of one name that the trace
// calls. Other methods have no signature. Each method has the time of its own call.
func TestOverloadedMethods(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{
		Threads: make([]trace.Thread, 1),
		Methods: []trace.Method{
			{Class: "p.A", Name: "f", Signature: "(I)V"}, {Class: "p.A", Name: "f", Signature: "(J)V"},
			{Class: "p.A", Name: "g", Signature: "(I)V"}, {Class: "p.A", Name: "g", Signature: "(J)V"}, // the last method is not called
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
	want := []string{"p.A.f(int)", "p.A.f(long)", "p.A.g"}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i := range rows {
		if own := rows[i].Figures().Exclusive.Wall.Value; rows[i].Name() != want[i] || own != 1<<i {
			t.Errorf("row %d: %s %d, want %s %d", i, rows[i].Name(), own, want[i], 1<<i)
		}
	}
}

// TestCompareName checks that names are in byte order, wherever a class, a name or a signature
// ends. The order of the names here is that of LC_ALL=C sort.
func TestCompareName(t *testing.T) {
	ordered := []struct {
		method trace.Method
		name   string
	}{
		{trace.Method{Name: "a"}, "a"},
		{trace.Method{Class: "a", Name: "<init>"}, "a.<init>"},
		{trace.Method{Class: "a", Name: "b"}, "a.b"},
		{trace.Method{Class: "a.b", Name: "c", Signature: "()V"}, "a.b.c()"},
		{trace.Method{Class: "a.b", Name: "c", Signature: "(I)V"}, "a.b.c(int)"},
		{trace.Method{Class: "a", Name: "b.d"}, "a.b.d"},
		{trace.Method{Class: "a/c", Name: "c"}, "a.c.c"},
		{trace.Method{Class: "ab", Name: "c"}, "ab.c"},
		{trace.Method{ID: 0x10, Unlisted: true}, "unknown.method_0x10"},
	}
	rec := &trace.Recording{Symbols: &trace.Symbols{Threads: make([]trace.Thread, 1)}}
	rec.Info.Technique = trace.Instrumented
	var events []trace.Event
	for i, o := range ordered {
		m := rec.Symbols.AddMethod(o.method)
		events = append(events, trace.Event{Wall: time.Duration(i), Method: m}, trace.Event{Wall: time.Duration(i), Method: m, Action: trace.Exit})
	}
	rec.Events = trace.NewSliceReader(events)
	p, err := estimate.Read(rec, estimate.Config{MethodsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	rows := New(p, rec.Symbols, Filter{}).Rows(ByMethod)
	for i := range rows {
		if got := rows[i].Name(); got != ordered[i].name {
			t.Errorf("row %d is %s, want %s", i, got, ordered[i].name)
		}
		for k := range rows {
			if got, want := rows[i].compareName(&rows[k]), cmp.Compare(i, k); got != want {
				t.Errorf("%s compared with %s: %d, want %d", ordered[i].name, ordered[k].name, got, want)
			}
		}
	}
	thread := Row{summed: &summed{name: "a.b.c"}}
	for i, want := range []int{1, 1, 1, -1, -1, -1, -1, -1, -1} {
		if got := thread.compareName(&rows[i]); got != want {
			t.Errorf("a.b.c compared with %s: %d, want %d", ordered[i].name, got, want)
		}
	}
}
