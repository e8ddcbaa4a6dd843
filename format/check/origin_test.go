package check

import (
	"testing"

	"artifice/trace"
	"artifice/trace/stats"
)

// TestOrigin: a statement is certain, and so is an instrumented trace with an event that no sampler
// writes. Of 20 groups, 19 that agree make a judgement likely.
func TestOrigin(t *testing.T) {
	for _, c := range []struct {
		g    stats.Groups
		info trace.Info
		want Confidence
	}{
		{stats.Groups{}, trace.Info{Technique: trace.Sampled}, certain}, {stats.Groups{}, trace.Info{}, unclear},
		{stats.Groups{Total: 1, Single: 1, Unwinds: 1}, trace.Info{}, certain}, {stats.Groups{Total: 1, Single: 1, ExitAfterEnter: 1}, trace.Info{}, certain},
		{stats.Groups{Total: 300, Unwinds: 1}, trace.Info{}, unclear},
		{stats.Groups{Total: 19}, trace.Info{}, unclear}, {stats.Groups{Total: 20}, trace.Info{}, likely}, {stats.Groups{Total: 20, Single: 1}, trace.Info{}, likely}, {stats.Groups{Total: 20, Single: 2}, trace.Info{}, unclear},
		{stats.Groups{Total: 19, Single: 19}, trace.Info{Marked: true}, unclear}, {stats.Groups{Total: 20, Single: 19}, trace.Info{Marked: true}, likely}, {stats.Groups{Total: 20, Single: 18}, trace.Info{Marked: true}, unclear},
	} {
		if got := origin(&c.g, &c.info); got.Sure != c.want {
			t.Errorf("%+v, %+v: %+v, want %s", c.g, c.info, got, c.want)
		}
	}
}
