package stats

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestMinimumSampleDistance checks the minimum distance of two samples of a thread, 50 us, which
// the comment of Groups and the message of info state. Groups of one event at that distance are
// from a sampler, closer ones from an instrumented app.
func TestMinimumSampleDistance(t *testing.T) {
	for _, c := range []struct {
		gap  time.Duration
		want trace.Technique
	}{
		{49999 * time.Nanosecond, trace.Instrumented},
		{50 * time.Microsecond, trace.Sampled},
		{50001 * time.Nanosecond, trace.Sampled},
	} {
		var g Groups
		for i := range 50 {
			g.WriteEvents([]trace.Event{{Wall: time.Duration(i) * c.gap, Method: 1, Action: trace.Action(i & 1)}})
		}
		if got, why := g.Technique(); got != c.want {
			t.Errorf("groups %v apart: technique %s: %s", c.gap, got, why)
		}
	}
}

// TestGroupsOfACoarseClock checks a clock with a resolution of 30.5 us, on which a call and its
// return often have the same timestamp. Of 200 groups with an enter and an exit (share of single
// events 0), one in a hundred has the exit after the enter: no sampler wrote them. Fewer may be
// damage, and give no verdict.
func TestGroupsOfACoarseClock(t *testing.T) {
	for _, c := range []struct {
		short int // groups with an enter and its exit
		want  trace.Technique
	}{{0, trace.Sampled}, {1, trace.UnknownTechnique}, {2, trace.Instrumented}, {150, trace.Instrumented}} {
		var g Groups
		for i := range 200 {
			at := time.Duration(i+1) * 30518
			if i < c.short {
				g.WriteEvents([]trace.Event{{Wall: at, Method: 1}, {Wall: at, Method: 1, Action: trace.Exit}})
				continue
			}
			a, b := trace.Event{Wall: at, Method: 2}, trace.Event{Wall: at, Method: 3}
			if i%2 == 1 {
				a.Action, b.Action = trace.Exit, trace.Exit
				a.Method, b.Method = 3, 2
			}
			g.WriteEvents([]trace.Event{a, b})
		}
		if got, why := g.Technique(); got != c.want {
			t.Errorf("%d of 200 groups with an exit after an enter: technique %s: %s", c.short, got, why)
		}
	}
}

// TestPeriodBelowOneMicrosecond checks gaps, which are counted in whole microseconds. Samples 100
// ns apart have no measurable period, samples 1 us apart have one.
func TestPeriodBelowOneMicrosecond(t *testing.T) {
	for gap, want := range map[time.Duration]time.Duration{100: 0, 999: 0, time.Microsecond: time.Microsecond} {
		var g Groups
		for i := range 50 {
			at := time.Duration(i) * gap
			g.WriteEvents([]trace.Event{{Wall: at, Method: 1, Action: trace.Action(i & 1)}, {Wall: at, Method: 1, Action: trace.Action(^i & 1)}})
		}
		p, ok := g.Period()
		if ok != (want > 0) || ok && p.Median != want {
			t.Errorf("samples %v apart: period %v, %t", gap, p.Median, ok)
		}
	}
}
