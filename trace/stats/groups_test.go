package stats

import (
	"testing"
	"time"

	"artifice/trace"
)

// sampledEvents is what a sampler with a period of 2 ms writes of one thread
// that swaps two frames between samples, missing every tenth sample.
func sampledEvents(n int) []trace.Event {
	events := []trace.Event{{Method: 0}, {Method: 1}}
	for i := 1; i < n; i++ {
		if i%10 == 0 {
			continue // the stack was unchanged: nothing is written
		}
		at := time.Duration(i) * 2 * time.Millisecond
		events = append(events,
			trace.Event{Wall: at, CPU: at / 2, Method: 1, Action: trace.Exit},
			trace.Event{Wall: at, CPU: at / 2, Method: 1})
	}
	return events
}

func TestGroupsSampled(t *testing.T) {
	var g Groups
	g.WriteEvents(sampledEvents(200))
	if g.Total != 181 || g.Single != 0 { // 200 ticks, 19 of them silent
		t.Errorf("%d groups, %d of one event; want 181, 0", g.Total, g.Single)
	}
	if technique, why := g.Technique(); technique != trace.Sampled {
		t.Errorf("taken as %s: %s", technique, why)
	}
	p, ok := g.Period()
	if !ok || p.Median != 2*time.Millisecond || p.Low != 2*time.Millisecond || p.Limit != 3*time.Millisecond {
		t.Errorf("period %+v, %t; want 2ms, and 3ms to be more than one", p, ok)
	}
	if want := int64(161); p.Gaps != want { // 180 distances, 19 of them of two periods
		t.Errorf("%d single periods, want %d", p.Gaps, want)
	}
}

func TestGroupsInstrumented(t *testing.T) {
	var g Groups
	for i := range 50 {
		at := time.Duration(i) * time.Microsecond
		g.WriteEvents([]trace.Event{{Wall: at, Method: 1, Action: trace.Action(i & 1)}})
	}
	if technique, why := g.Technique(); technique != trace.Instrumented || g.Single != 50 {
		t.Errorf("taken as %s: %s", technique, why)
	}
}

// One impossible event among sampled groups leaves the question open.
func TestGroupsContradiction(t *testing.T) {
	for _, e := range []trace.Event{
		{Wall: time.Second, Method: 1, Action: trace.Unwind},
		{Wall: time.Second, Method: 5, Action: trace.Exit},
		{Wall: 199 * 2 * time.Millisecond, CPU: 199 * time.Millisecond, Method: 1, Action: trace.Exit},
	} {
		var g Groups
		g.WriteEvents(sampledEvents(200))
		g.WriteEvents([]trace.Event{e, {Wall: 2 * time.Second, Method: 6}})
		if technique, why := g.Technique(); technique != trace.UnknownTechnique {
			t.Errorf("with %+v taken as %s: %s", e, technique, why)
		}
	}
}

// Exits put behind a thread's last events, to leave the frames that are open at
// the end of a sampled trace, do not make it another kind of trace.
func TestGroupsLeftAtTheEnd(t *testing.T) {
	var g Groups
	events := sampledEvents(200)
	last := events[len(events)-1]
	g.WriteEvents(events)
	for _, method := range []trace.MethodID{1, 0} {
		g.WriteEvents([]trace.Event{{Wall: last.Wall, CPU: last.CPU, Method: method, Action: trace.Exit}})
	}
	if technique, why := g.Technique(); technique != trace.Sampled || g.ExitAfterEnter != 0 {
		t.Errorf("taken as %s, %d exits behind an enter: %s", technique, g.ExitAfterEnter, why)
	}
}

// Groups of one event, but as far apart as samples: a shallow app, sampled.
func TestGroupsOfOneFarApart(t *testing.T) {
	var g Groups
	for i := range 50 {
		at := time.Duration(i) * time.Millisecond
		g.WriteEvents([]trace.Event{{Wall: at, Method: 1, Action: trace.Action(i & 1)}})
	}
	if technique, why := g.Technique(); technique != trace.Sampled || g.close != 0 {
		t.Errorf("taken as %s: %s", technique, why)
	}
}

// With the CPU clock alone, a thread that waits has the same stamp in every
// sample: exits behind enters are no evidence then.
func TestGroupsWithoutWallClock(t *testing.T) {
	var g Groups
	for i := range 50 {
		for range 3 { // samples, the last two while the thread waits
			at := time.Duration(i) * time.Millisecond
			g.WriteEvents([]trace.Event{{CPU: at, Method: 1}, {CPU: at, Method: 2}, {CPU: at, Method: 2, Action: trace.Exit}, {CPU: at, Method: 1, Action: trace.Exit}})
		}
	}
	if technique, why := g.Technique(); technique != trace.Sampled {
		t.Errorf("taken as %s: %s", technique, why)
	}
}

// Three events are few, but one of them no sampler writes.
func TestGroupsFewButClear(t *testing.T) {
	var g Groups
	g.WriteEvents([]trace.Event{{Wall: 1, Method: 3, Action: trace.Exit}, {Wall: 2, Method: 1}, {Wall: 3, Method: 1, Action: trace.Exit}})
	if technique, why := g.Technique(); technique != trace.Instrumented {
		t.Errorf("taken as %s: %s", technique, why)
	}
}

func TestGroupsTooFew(t *testing.T) {
	var g Groups
	if _, ok := g.Period(); ok {
		t.Error("an empty trace has a period")
	}
	g.WriteEvents(sampledEvents(3))
	if technique, _ := g.Technique(); technique != trace.UnknownTechnique {
		t.Errorf("three samples taken as %s", technique)
	}
	if _, ok := g.Period(); ok {
		t.Error("three samples have a period")
	}
}

// A few samples, with nothing that no sampler writes: half of the groups have several events.
func TestGroupsOfAShortTrace(t *testing.T) {
	for _, c := range []struct {
		ticks int
		near  time.Duration // another group so long after the last
		want  trace.Technique
	}{
		{4, 0, trace.Sampled},
		{3, 0, trace.UnknownTechnique},
		{9, 20 * time.Microsecond, trace.UnknownTechnique}, // as no sampler is
		{9, 60 * time.Microsecond, trace.Sampled},
	} {
		var g Groups
		events := sampledEvents(c.ticks)
		g.WriteEvents(events)
		if c.near > 0 {
			at := events[len(events)-1].Wall + c.near
			g.WriteEvents([]trace.Event{{Wall: at, Method: 1, Action: trace.Exit}})
		}
		if technique, why := g.Technique(); technique != c.want {
			t.Errorf("%d ticks, another %v later: taken as %s: %s", c.ticks, c.near, technique, why)
		}
	}
}

// TestPeriodAt: of three threads with distances of 1.1, 1.2, 1.4, 2.6, 0.3 and 8 ms; from 1 to 2 ms
// the middle one is 1.2.
func TestPeriodAt(t *testing.T) {
	var g Groups
	for id, gaps := range [][]int{{1100, 2600}, {1200, 8000}, {1400, 300}} {
		at := 1000 * id
		for _, gap := range append([]int{0}, gaps...) {
			at += gap
			g.WriteEvents([]trace.Event{{Thread: trace.ThreadID(id), Wall: time.Duration(at) * time.Microsecond, Method: 1}})
		}
	}
	for interval, want := range map[time.Duration]time.Duration{
		time.Millisecond: 1200 * time.Microsecond, 2 * time.Millisecond: 2600 * time.Microsecond, 4 * time.Millisecond: 4 * time.Millisecond,
	} {
		if got := g.PeriodAt(interval); got != want {
			t.Errorf("asked for %v: %v, want %v", interval, got, want)
		}
	}
}
