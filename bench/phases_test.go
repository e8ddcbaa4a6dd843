package bench_test

import (
	"testing"
	"time"

	"artifice/bench"
	"artifice/trace"
)

// TestPhases: a row has the requested number of phases. The default is 24, or 12 for a truth with a
// known length of at least 6 s.
func TestPhases(t *testing.T) {
	for _, c := range []struct {
		elapsed, end    time.Duration
		requested, want int
	}{
		{0, 0, 0, 24},
		{6*time.Second - 1, 0, 0, 24},
		{6 * time.Second, 0, 0, 12},
		{0, 6 * time.Second, 0, 12},
		{time.Second, 6 * time.Second, 0, 24}, // a part of a trace
		{6 * time.Second, 0, 24, 24},
		{time.Second, 0, 3, 3},
	} {
		truth := &trace.Recording{
			Info:    trace.Info{Clock: trace.Wall, Elapsed: c.elapsed},
			Symbols: &trace.Symbols{Threads: []trace.Thread{{TID: 1, End: c.end}}, Methods: []trace.Method{{Name: "work"}}},
			Events:  trace.NewSliceReader([]trace.Event{{Action: trace.Enter}, {Wall: time.Millisecond, Action: trace.Exit}}),
		}
		r, err := bench.Run(t.Context(), truth, bench.Config{Intervals: []time.Duration{time.Second}, Phases: c.requested})
		if err != nil {
			t.Fatal(err)
		}
		if r.Phases != c.want || len(r.Cells) != c.want {
			t.Errorf("elapsed %v, thread end %v, %d phases requested: %d phases, %d cells, want %d", c.elapsed, c.end, c.requested, r.Phases, len(r.Cells), c.want)
		}
	}
}
