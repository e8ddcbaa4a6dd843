package stats

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestGroupsCloserThanASampler: the comment of Groups and the message that info
// prints say that no sampler leaves less than 50 us between two samples of a
// thread. Groups of one event that are that far apart are a sampler's, and any
// that are closer an instrumented app's.
func TestGroupsCloserThanASampler(t *testing.T) {
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
			t.Errorf("groups %v apart taken as %s: %s", c.gap, got, why)
		}
	}
}

// TestGroupsOfACoarseClock: on a clock of 30.5 us a call and its return often have
// one stamp. Of 200 groups of an enter and an exit (share of single events 0) one in
// a hundred with the exit behind the enter is enough to tell that no sampler wrote
// them; fewer may be damage, and leave it open.
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
			t.Errorf("%d of 200 groups with an exit behind an enter taken as %s: %s", c.short, got, why)
		}
	}
}

// TestPeriodBelowItsUnit: distances are counted in whole microseconds. Samples 100 ns
// apart have no period that could be told, those 1 us apart have.
func TestPeriodBelowItsUnit(t *testing.T) {
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
