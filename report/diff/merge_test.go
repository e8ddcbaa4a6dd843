package diff

import (
	"testing"
	"time"

	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// TestDifference checks that the differences of contexts add up to those of [Compare], for one
// trace a side and for several, up to a rounding error of one nanosecond.
func TestDifference(t *testing.T) {
	a := sampled(t, 1, 3, "", 0)
	b := sampled(t, 2, 2, "method1", 0.2)
	for _, c := range [][2][]*report.View{{a[:1], b[:1]}, {a, b}} {
		d, err := Compare(c[0], c[1], trace.Wall, Welch)
		if err != nil {
			t.Fatal(err)
		}
		rec, tree, err := Difference(c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		if rec.Info.Clock != trace.Dual {
			t.Errorf("clock %v, want both", rec.Info.Clock)
		}
		exclusive, inclusive := map[string]time.Duration{}, map[string]time.Duration{}
		for _, m := range tree.Methods() {
			name := rec.Symbols.Method(m.Method).String()
			exclusive[name] += m.Exclusive.Wall
			inclusive[name] += m.Inclusive.Wall
		}
		if len(exclusive) != len(d.Methods) {
			t.Errorf("%d methods, want %d as in Compare", len(exclusive), len(d.Methods))
		}
		for _, m := range d.Methods {
			if off := exclusive[m.Name] - m.Exclusive.Difference(); off.Abs() > 1 {
				t.Errorf("%d and %d traces: %s changes by %d ns, want %d as in Compare", len(c[0]), len(c[1]), m.Name, exclusive[m.Name], m.Exclusive.Difference())
			}
			// Each callee adds a rounding error of one nanosecond.
			if off := inclusive[m.Name] - m.Inclusive.Difference(); off.Abs() > time.Duration(len(d.Methods)) {
				t.Errorf("%d and %d traces: %s changes by %d ns in total, want %d as in Compare", len(c[0]), len(c[1]), m.Name, inclusive[m.Name], m.Inclusive.Difference())
			}
		}
		for n := calltree.Node(1); int(n) < tree.Len(); n++ {
			if tree.IsRoot(n) && tree.At(n).Self != (calltree.Times{}) {
				t.Errorf("thread %s has time with no frame open", rec.Symbols.Thread(tree.Thread(n)))
			}
		}
	}
}

// TestDivide checks that the remainder of a division is carried to the next context of the method:
// the halves of 11 contexts with 3 (or −3) of everything add up to 16, not to 11.
func TestDivide(t *testing.T) {
	for _, sign := range []int64{1, -1} {
		m := &merger{symbols: &trace.Symbols{}, tree: &calltree.Tree{}}
		inner := m.symbols.AddMethod(trace.Method{Name: "inner"})
		at := m.tree.AddRoot(0)
		for range 11 {
			at = m.tree.Child(at, inner)
			d := time.Duration(3 * sign)
			*m.tree.At(at) = calltree.Entry{Count: 3 * sign, Self: calltree.Times{Wall: d, CPU: d}}
		}
		m.divide(2)
		var sum calltree.Entry
		for n := calltree.Node(1); int(n) < m.tree.Len(); n++ {
			e := m.tree.At(n)
			sum.Count += e.Count
			sum.Self.Wall += e.Self.Wall
			sum.Self.CPU += e.Self.CPU
		}
		if want := 16 * sign; sum.Count != want || int64(sum.Self.Wall) != want || int64(sum.Self.CPU) != want {
			t.Errorf("11 times %d: %+v, want %d of each", 3*sign, sum, want)
		}
	}
}

// TestClockOfDifference: a difference has the clocks that all traces have, and the quantity of profiles
// of another value, which can be negative.
func TestClockOfDifference(t *testing.T) {
	view := func(c trace.Clock, q trace.Quantity) []*report.View {
		return []*report.View{{Symbols: &trace.Symbols{}, Profile: &estimate.Profile{Clock: c, Quantity: q, Tree: &calltree.Tree{}}}}
	}
	none, space := trace.Quantity{}, trace.Quantity{Name: "space", Unit: "bytes"}
	for _, c := range []struct{ old, now, want trace.Clock }{
		{trace.Dual, trace.Dual, trace.Dual}, {trace.Dual, trace.Wall, trace.Wall}, {trace.ThreadCPU, trace.Dual, trace.ThreadCPU}, {trace.Wall, trace.Wall, trace.Wall}, {trace.ThreadCPU, trace.ThreadCPU, trace.ThreadCPU},
	} {
		rec, _, err := Difference(view(c.old, none), view(c.now, none))
		if err != nil || rec.Info.Clock != c.want || rec.Info.Quantity.IsSet() {
			t.Errorf("%s and %s: %s, want %s, quantity %v, error %v", c.old, c.now, rec.Info.Clock, c.want, rec.Info.Quantity, err)
		}
	}
	rec, _, err := Difference(view(trace.Wall, space), view(trace.Wall, space))
	if want := (trace.Quantity{Name: "space", Unit: "bytes", Signed: true}); err != nil || rec.Info.Quantity != want {
		t.Errorf("quantity %+v, want %+v, error %v", rec.Info.Quantity, want, err)
	}
	if _, _, err := Difference(view(trace.Wall, space), view(trace.Wall, none)); err == nil {
		t.Error("profiles of space and of time are compared")
	}
}
