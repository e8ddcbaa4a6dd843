package bench

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"
)

// sampledAt adds a row of ART's sampling whose cells have these recalls.
func (r *Result) sampledAt(interval time.Duration, slowdown, overlap float64, recalls ...float64) {
	row := Row{Mode: ARTSampling.Name, Device: "A", Interval: interval, Cells: len(recalls)}
	row.Mean[RecallAbove], row.Mean[Slowdown], row.Mean[Overlap] = stat.Mean(recalls, nil), slowdown, overlap
	row.Low[RecallAbove], row.High[RecallAbove] = row.Mean[RecallAbove]-0.02, 1
	r.Rows = append(r.Rows, row)
	for i, v := range recalls {
		c := Cell{Mode: row.Mode, Device: row.Device, Interval: interval, Index: i}
		c.Scores[RecallAbove] = v
		r.Cells = append(r.Cells, c)
	}
}

// TestAdvice: between 5 ms, where 96 % are seen, and 20 ms with 94 % the limit of
// 95 % is half-way on a logarithmic scale: 5·√4 = 10 ms. Cells that are all alike
// leave no doubt. That 40 ms were lucky does not matter.
func TestAdvice(t *testing.T) {
	ms := time.Millisecond
	r := &Result{}
	r.sampledAt(5*ms, 1.1, 0.7, 0.96, 0.96)
	r.sampledAt(1*ms, 1.8, 0.9, 1, 1)
	r.sampledAt(20*ms, 1.05, 0.6, 0.94, 0.94)
	r.sampledAt(40*ms, 1.02, 0.5, 0.97, 0.97)
	instrumented := Row{Mode: InstrumentedDual.Name, Device: "A"}
	instrumented.Mean[Slowdown], instrumented.Mean[Overlap] = 1.5, 0.8
	r.Rows = append(r.Rows, instrumented)
	advised(t, r, "A: to see 95 % of the methods that take 1 % of the time or more, use an interval of at most 10ms (10ms to 10ms)."+
		" At 5ms: 96 % (94 to 100) seen, slowdown 1.10, 30 % of the time misplaced."+
		" instrument-dual would see all, slowdown 1.50, 20 % misplaced.")
}

// TestAdviceInDoubt: with cells of 100 % and 90 % at 4 ms a resample of 20 has a
// mean around 95 %, so the limit can be longer than all that was tried, or shorter
// than 4 ms: the 2.5 % quantile of the binomial distribution is 6 cells of 100 %, a
// mean of 93 %, and so 1 ms · 4^(5/7) = 2.69 ms; with 5 cells 2.52 ms.
func TestAdviceInDoubt(t *testing.T) {
	ms := time.Millisecond
	r := &Result{}
	all, half := make([]float64, 20), make([]float64, 20)
	for i := range all {
		all[i], half[i] = 1, 1-0.1*float64(i%2)
	}
	r.sampledAt(1*ms, 1.8, 0.9, all...)
	r.sampledAt(4*ms, 1.2, 0.8, half...)
	a := r.Advise()[0]
	if a.Limit[0] != Beyond || a.Limit[2] != Beyond || a.Limit[1] < 2500*us || a.Limit[1] > 2700*us {
		t.Errorf("limit %v", a.Limit)
	}
}

// TestAdviceOutOfRange: a limit beyond what was tried is not told as one.
func TestAdviceOutOfRange(t *testing.T) {
	ms := time.Millisecond
	r := &Result{}
	r.sampledAt(10*ms, 1.1, 0.7, 0.5)
	advised(t, r, "A: to see 95 % of the methods that take 1 % of the time or more, even the shortest interval tried, 10ms, is too long.")
	r = &Result{}
	r.sampledAt(10*ms, 1.1, 0.7, 0.96)
	advised(t, r, "A: to see 95 % of the methods that take 1 % of the time or more, use an interval of at most 10ms, the longest tried."+
		" At 10ms: 96 % (94 to 100) seen, slowdown 1.10, 30 % of the time misplaced.")
}

// advised checks the only advice of a result.
func advised(t *testing.T, r *Result, want string) {
	t.Helper()
	got := r.Advise()
	if len(got) != 1 || got[0].String() != want {
		t.Errorf("advice:\n%s\nwant:\n%s", got, want)
	}
}
