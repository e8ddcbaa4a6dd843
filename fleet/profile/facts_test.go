package profile

import (
	"bytes"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
)

// TestMergedFacts: a sum begins with the earliest known beginning of its traces, has the sum of
// their durations and the maximum of their periods, in any order. 0 means unknown.
func TestMergedFacts(t *testing.T) {
	trees := []*Tree{
		{Traces: 1, Duration: time.Second, Period: 4 * time.Millisecond, Begun: 300},
		{Traces: 1, Duration: 2 * time.Second, Period: 10 * time.Millisecond},
		{Traces: 1, Duration: 4 * time.Second, Begun: 200},
	}
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		var sum Tree
		for _, i := range order {
			sum.Merge(trees[i])
		}
		if sum.Traces != 3 || sum.Duration != 7*time.Second || sum.Period != 10*time.Millisecond || sum.Begun != 200 {
			t.Errorf("%v: %d traces of %s, period %s, begun %d", order, sum.Traces, sum.Duration, sum.Period, sum.Begun)
		}
	}
}

// TestLines: a function has the line of its method in the trace, which pprof prints with -lines.
func TestLines(t *testing.T) {
	var b bytes.Buffer
	if err := read(t, first, nil, ByName).Write(&b); err != nil {
		t.Fatal(err)
	}
	p, err := pprof.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"a.A.a": 1, "a.B.b": 2}
	for _, f := range p.Function {
		if f.StartLine != want[f.Name] {
			t.Errorf("%s begins at line %d, want %d", f.Name, f.StartLine, want[f.Name])
		}
	}
	if len(p.Function) != len(want) {
		t.Errorf("%d functions, want %d", len(p.Function), len(want))
	}
}
