package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// sampledEvents returns the events of a sampler with a period of 2 ms, for one thread that swaps
// two frames between samples. Every tenth sample is missing.
func sampledEvents(n int) []trace.Event {
	events := []trace.Event{{Method: 0}, {Method: 1}}
	for i := 1; i < n; i++ {
		if i%10 == 0 {
			continue // the stack is unchanged: no events
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
	if g.Total != 181 || g.Single != 0 { // 200 ticks, 19 of them without events
		t.Errorf("%d groups, %d of one event; want 181, 0", g.Total, g.Single)
	}
	if technique, why := g.Technique(); technique != trace.Sampled {
		t.Errorf("technique %s: %s", technique, why)
	}
	p, ok := g.Period()
	if !ok || p.Median != 2*time.Millisecond || p.Low != 2*time.Millisecond || p.Limit != 3*time.Millisecond {
		t.Errorf("period %+v, %t; want 2ms, and 3ms to be more than one period", p, ok)
	}
	if want := int64(161); p.Gaps != want { // 180 gaps, 19 of them of two periods
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
		t.Errorf("technique %s: %s", technique, why)
	}
}

// TestGroupsContradiction checks that one impossible event among sampled groups prevents a verdict.
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
			t.Errorf("with %+v: technique %s: %s", e, technique, why)
		}
	}
}

// TestGroupsWithAppendedExits checks that exits appended to a thread's events, to leave the frames
// that are open at the end of a sampled trace, do not change the verdict.
func TestGroupsWithAppendedExits(t *testing.T) {
	var g Groups
	events := sampledEvents(200)
	last := events[len(events)-1]
	g.WriteEvents(events)
	for _, method := range []trace.MethodID{1, 0} {
		g.WriteEvents([]trace.Event{{Wall: last.Wall, CPU: last.CPU, Method: method, Action: trace.Exit}})
	}
	if technique, why := g.Technique(); technique != trace.Sampled || g.ExitAfterEnter != 0 {
		t.Errorf("technique %s, %d exits after an enter: %s", technique, g.ExitAfterEnter, why)
	}
}

// TestSingleEventGroups checks groups of one event at the distance of samples, as of a sampled,
// shallow app.
func TestSingleEventGroups(t *testing.T) {
	var g Groups
	for i := range 50 {
		at := time.Duration(i) * time.Millisecond
		g.WriteEvents([]trace.Event{{Wall: at, Method: 1, Action: trace.Action(i & 1)}})
	}
	if technique, why := g.Technique(); technique != trace.Sampled || g.close != 0 {
		t.Errorf("technique %s: %s", technique, why)
	}
}

// TestGroupsWithoutWallClock checks that exits after enters are not evidence if there is only a CPU
// clock, because all samples of a waiting thread then have the same timestamp.
func TestGroupsWithoutWallClock(t *testing.T) {
	var g Groups
	for i := range 50 {
		for range 3 { // samples, the last two while the thread waits
			at := time.Duration(i) * time.Millisecond
			g.WriteEvents([]trace.Event{{CPU: at, Method: 1}, {CPU: at, Method: 2}, {CPU: at, Method: 2, Action: trace.Exit}, {CPU: at, Method: 1, Action: trace.Exit}})
		}
	}
	if technique, why := g.Technique(); technique != trace.Sampled {
		t.Errorf("technique %s: %s", technique, why)
	}
}

// TestFewGroupsWithContradiction checks three events, which are few, but include one that no
// sampler writes.
func TestFewGroupsWithContradiction(t *testing.T) {
	var g Groups
	g.WriteEvents([]trace.Event{{Wall: 1, Method: 3, Action: trace.Exit}, {Wall: 2, Method: 1}, {Wall: 3, Method: 1, Action: trace.Exit}})
	if technique, why := g.Technique(); technique != trace.Instrumented {
		t.Errorf("technique %s: %s", technique, why)
	}
}

func TestGroupsTooFew(t *testing.T) {
	var g Groups
	if _, ok := g.Period(); ok {
		t.Error("an empty trace has a period")
	}
	g.WriteEvents(sampledEvents(3))
	if technique, _ := g.Technique(); technique != trace.UnknownTechnique {
		t.Errorf("three samples: technique %s", technique)
	}
	if _, ok := g.Period(); ok {
		t.Error("three samples have a period")
	}
}

// TestGroupsOfAShortTrace checks a few samples without events that no sampler writes: half of the
// groups have several events.
func TestGroupsOfAShortTrace(t *testing.T) {
	for _, c := range []struct {
		ticks int
		near  time.Duration // distance of another group after the last
		want  trace.Technique
	}{
		{4, 0, trace.Sampled},
		{3, 0, trace.UnknownTechnique},
		{9, 20 * time.Microsecond, trace.UnknownTechnique}, // closer than any sampler
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
			t.Errorf("%d ticks, another %v later: technique %s: %s", c.ticks, c.near, technique, why)
		}
	}
}

// TestPeriodAt checks gaps of three threads of 1.1, 1.2, 1.4, 2.6, 0.3 and 8 ms. The median of
// those from 1 to 2 ms is 1.2 ms.
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
		if got := g.PeriodAt(interval).Median; got != want {
			t.Errorf("PeriodAt(%v) = %v, want %v", interval, got, want)
		}
	}
}

// TestPeriodOfAnotherThread checks the period if all gaps of the thread with the most groups are
// three periods, 15 ms. With gaps of 5 ms of another thread, the period is 5 ms. Gaps of 6.2 ms are
// ignored, because a sampler of all threads has no such gaps.
func TestPeriodOfAnotherThread(t *testing.T) {
	for gap, want := range map[time.Duration]time.Duration{5 * time.Millisecond: 5 * time.Millisecond, 6200 * time.Microsecond: 15 * time.Millisecond} {
		var g Groups
		for i := range 100 {
			at := time.Duration(i) * 15 * time.Millisecond
			g.WriteEvents([]trace.Event{{Wall: at, Method: 1, Action: trace.Action(i & 1)}})
			if i < 50 {
				g.WriteEvents([]trace.Event{{Wall: time.Duration(i) * gap, Thread: 1, Method: 1, Action: trace.Action(i & 1)}})
			}
		}
		if p, ok := g.Period(); !ok || p.Median != want {
			t.Errorf("another thread with gaps of %v: period %v, %t; want %v", gap, p.Median, ok, want)
		}
	}
}

// TestPeriodOfSparseChanges checks a thread that is sampled every T. Its stack is unchanged for two
// samples or more, so hardly any gap is one period. Jitter of 2 to 10 % of a period per sample does
// not matter. If a sampler is not aligned with a coarse clock, its gaps are multiples of the
// clock's step, which is not the period.
func TestPeriodOfSparseChanges(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name       string
		period     time.Duration
		jitter     float64       // of each period
		resolution time.Duration // of the clock
		stays      []int         // samples from one change to the next, repeated
		want       time.Duration
	}{
		{"from two periods on", 10 * ms, 0, 10 * ms, []int{3, 5, 2, 4, 7, 3, 4, 5, 6, 2, 5, 4, 3, 6, 4, 5, 3}, 10 * ms},
		{"two shortest gaps in a hundred", 10 * ms, 0, 10 * ms, slices.Concat(slices.Repeat([]int{3, 5, 4, 6, 7, 3}, 8), []int{2}), 10 * ms},
		{"frames of 16.67 ms", 5 * ms, 0, 1000, []int{3, 3, 4}, 5 * ms},
		{"jitter", 10 * ms, 0.02, 1000, []int{3, 5, 2, 4, 7, 3, 4, 5, 6, 2, 5, 4, 3, 6, 4, 5, 3}, 10 * ms},
		{"gaps of one period are few", ms, 0, 1000, slices.Concat(slices.Repeat([]int{2, 3, 2, 6, 2, 3, 2}, 12), []int{1, 2}), ms},
		{"a delayed sample", 10 * ms, 0.02, 1000, slices.Concat([]int{1}, slices.Repeat([]int{4, 6, 5, 7, 5, 4}, 70)), 10 * ms},
		{"much jitter", ms, 0.1, 1000, []int{3, 2, 3, 4, 3, 2, 3, 4, 3, 3}, ms},
		{"shortest gaps of six periods", 7 * ms, 0, 1000, []int{8, 7, 8, 9, 6, 8, 10, 7, 8, 9, 8}, 7 * ms},
		{"three and four", ms, 0, ms, []int{3, 4, 3, 4, 3, 4, 3, 4, 6, 6, 7}, ms},
		{"a coarse clock", 33 * ms, 0, 10 * ms, []int{1, 1, 2, 1, 3, 1, 1, 2}, 30 * ms},
		{"single periods", 10 * ms, 0.02, 1000, []int{1, 2, 1, 3}, 10 * ms},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		var g Groups
		at := time.Duration(0)
		for i := range 400 {
			for range c.stays[i%len(c.stays)] {
				at += c.period + time.Duration(c.jitter*rng.NormFloat64()*float64(c.period))
			}
			stamp := at.Truncate(c.resolution)
			g.WriteEvents([]trace.Event{{Wall: stamp, Method: 1, Action: trace.Action(i & 1)}})
		}
		p, ok := g.Period()
		if off := p.Median - c.want; !ok || off < -c.want/50 || off > c.want/50 {
			t.Errorf("%s: period %v, %t; want %v", c.name, p.Median, ok, c.want)
		}
	}
}
