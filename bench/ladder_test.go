package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/internal/testdata/tracetest"
)

// TestLadder: the first and the last row of the ladder equal an ideal device and the full device,
// and each step has its expected effects.
func TestLadder(t *testing.T) {
	at := 2 * time.Millisecond
	r, err := Run(context.Background(), tracetest.Workload(t, "w4-function-bias", time.Second), Config{
		Devices: devices(t, "ideal", "A"), Intervals: []time.Duration{at}, LadderAt: at,
	})
	if err != nil {
		t.Fatal(err)
	}
	row := func(mode, device string) Row {
		for _, row := range r.Rows {
			if row.Mode == mode && row.Device == device {
				return row
			}
		}
		t.Fatalf("no row %s %s", mode, device)
		return Row{}
	}
	same := func(modeA, deviceA, modeB, deviceB string) {
		t.Helper()
		a, b := row(modeA, deviceA).Mean, row(modeB, deviceB).Mean
		for m := range a {
			if a[m] != b[m] && !math.IsNaN(a[m]) {
				t.Errorf("%s of %s and %s of %s: %s is %v and %v", modeA, deviceA, modeB, deviceB, Measure(m).Key(), a[m], b[m])
			}
		}
	}
	same("ideal", "A", "sample", "ideal")  // a device without costs is ideal
	same("+ clock", "A", "sample", "A")    // with all of them it is itself
	same("+ tail", "A", "+ overflow", "A") // nothing overflows here
	for _, mode := range []string{"+ overshoot", "+ pause", "+ clock"} {
		same("ideal", "ideal", mode, "ideal") // an ideal device has no step
	}
	if o, p := row("+ overshoot", "A").Mean, row("+ pause", "A").Mean; o[Slowdown] != 1 || p[Slowdown] <= 1 || o[Samples] != p[Samples] {
		t.Errorf("pauses: slowdown %v to %v, samples %v to %v", o[Slowdown], p[Slowdown], o[Samples], p[Samples])
	}
	if a, b := row("+ clock", "A").Mean[ExclusiveError], row("+ leaves", "A").Mean[ExclusiveError]; b <= a {
		t.Errorf("hidden leaves: exclusive error %v to %v", a, b)
	}
	// Without cost, each sample represents one interval, so counting samples gives the same times.
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if a, b := row("+ leaves", "ideal").Mean, row("count x T", "ideal").Mean; !near(a[Overlap], b[Overlap]) {
		t.Errorf("count x T on an ideal device: overlap %v, with timestamps %v", b[Overlap], a[Overlap])
	}
	steps := r.LadderSteps(Overlap)
	if len(steps) != 2*len(ladder()) {
		t.Fatalf("%d steps", len(steps))
	}
	for i, s := range steps {
		if s.First != (s.Mode == "ideal") || s.Description == "" {
			t.Errorf("step %d: %+v", i, s)
		}
		if !s.First && s.Change.Pairs != r.Phases {
			t.Errorf("step %s: %d pairs", s.Mode, s.Change.Pairs)
		}
	}
}

// handMade returns a result with three cells in rows a and b and one in row c.
func handMade() *Result {
	r := &Result{Seed: 1}
	add := func(mode string, values ...float64) {
		for i, v := range values {
			c := Cell{Mode: mode, Interval: 5, Index: i}
			c.Scores[Overlap] = v
			r.Cells = append(r.Cells, c)
		}
	}
	add("a", 0.1, 0.5, 0.9)
	add("b", 0.2, 0.6, 1.0)
	add("c", 0.3)
	add("none", math.NaN())
	return r
}

// TestCompare: if all pairs differ by 0.1, the standard error is 0, regardless of the differences
// between the cells of a row.
func TestCompare(t *testing.T) {
	r := handMade()
	d, ok := r.compare(Key{Mode: "a", Interval: 5}, Key{Mode: "b", Interval: 5}, Overlap)
	if !ok || math.Abs(d.Mean-0.1) > 1e-12 || d.High-d.Low > 1e-12 || d.Low <= 0 || d.Pairs != 3 {
		t.Errorf("b − a: %+v", d)
	}
	d, ok = r.compare(Key{Mode: "c", Interval: 5}, Key{Mode: "a", Interval: 5}, Overlap)
	if !ok || math.Abs(d.Mean-0.2) > 1e-12 || d.Low > -0.05 || d.High <= 0 || d.High < 0.4 {
		t.Errorf("a − c: %+v", d)
	}
	for _, key := range []Key{{Mode: "none", Interval: 5}, {Mode: "absent"}} {
		if d, ok := r.compare(key, Key{Mode: "a", Interval: 5}, Overlap); ok {
			t.Errorf("a − %s: %+v", key.Mode, d)
		}
	}
}
