package sweep

import (
	"math"
	"strings"
	"testing"
	"time"

	"artifice/bench"
)

// fleet returns 20 traces. The i-th reaches the goal up to an interval of (i+1) ms, and above that
// in half of its recordings.
func fleet() (traces []Trace) {
	for i := range 20 {
		t := Trace{Index: i}
		limit := time.Duration(i+1) * time.Millisecond
		for _, interval := range []time.Duration{time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond} {
			row := Row{Key: Key{"sample", "A", interval}}
			for m := range row.Mean {
				row.Mean[m] = math.NaN()
			}
			row.Mean[bench.HottestInOrder], row.Reaching = 0.5, 0.5
			if interval <= limit {
				row.Mean[bench.HottestInOrder], row.Reaching = 1, 1
			}
			row.Mean[bench.Slowdown] = float64(i)
			t.Rows = append(t.Rows, row)
		}
		t.Limits = []Limit{{"sample", "A", limit}}
		traces = append(traces, t)
	}
	return traces
}

// TestSummarize: of the numbers 0 to 19 a tenth are below 2, half below 10, nine tenths below 18.
// 16 of 20 traces reach the goal at 5 ms and one at 20 ms. 19 of them, which is 95 %, have a limit
// of at least 2 ms.
func TestSummarize(t *testing.T) {
	g := Summarize([]string{"mail"}, fleet(), bench.AssumedGoal, 1)
	s := g.Lines[0].Spreads[bench.Slowdown]
	if s.Traces != 20 || s.P10[0] != 2 || s.Median[0] != 10 || s.P90[0] != 18 {
		t.Errorf("spread %+v", s)
	}
	for _, q := range [][3]float64{s.P10, s.Median, s.P90} {
		if !(q[1] <= q[0] && q[0] <= q[2] && q[1] < q[2]) {
			t.Errorf("interval %v", q)
		}
	}
	// The median of 20 is between the 6th and the 15th value with 95 % probability (binomial).
	if s.Median[1] < 4 || s.Median[1] > 7 || s.Median[2] < 13 || s.Median[2] > 16 {
		t.Errorf("interval of the median %v", s.Median)
	}
	for i, want := range []float64{1, 0.8, 0.05} {
		if got := g.Lines[i].Reached[0]; math.Abs(got-want) > 1e-12 {
			t.Errorf("line %d is reached by %v, want %v", i, got, want)
		}
	}
	a := g.Advice[0]
	if a.Limit[0] != 2*time.Millisecond || a.Limit[1] != time.Millisecond || a.Limit[2] < 2*time.Millisecond {
		t.Errorf("advice %v", a.Limit)
	}
	if s := g.Lines[0].Spreads[bench.Overlap]; s.Traces != 0 || !math.IsNaN(s.Median[0]) {
		t.Errorf("a measure that no trace has: %+v", s)
	}
}

// TestTraceOrder: the result does not depend on the order of the traces.
func TestTraceOrder(t *testing.T) {
	reversed := fleet()
	for i := range len(reversed) / 2 {
		reversed[i], reversed[len(reversed)-1-i] = reversed[len(reversed)-1-i], reversed[i]
	}
	var pages [2]strings.Builder
	for i, traces := range [][]Trace{fleet(), reversed} {
		page := Page{By: []string{"app"}, Groups: []Group{Summarize([]string{"<mail>"}, traces, bench.AssumedGoal, 1)}, Files: 20}
		if err := page.WriteHTML(&pages[i]); err != nil {
			t.Fatal(err)
		}
	}
	if pages[0].String() != pages[1].String() {
		t.Error("another order gives another page")
	}
	if text := pages[0].String(); strings.Contains(text, "<mail>") || !strings.Contains(text, "app &lt;mail&gt;: 20 traces") {
		t.Error("the group's name is not escaped")
	}
}
