package stats

import (
	"testing"
	"time"

	"artifice/trace"
)

// cpuOnly describes a trace that has only CPU times.
var cpuOnly = &trace.Info{Clock: trace.ThreadCPU}

// TestCPUClockInstrumented checks calls of 300 ns on a clock with microsecond resolution: three or
// four calls have the same timestamp, as in ART's traces of a fast device.
func TestCPUClockInstrumented(t *testing.T) {
	var g Groups
	for i := range 600 {
		at := (time.Duration(i) * 150 * time.Nanosecond).Truncate(time.Microsecond)
		g.WriteEvents([]trace.Event{{CPU: at, Method: 1, Action: trace.Action(i & 1)}})
	}
	if technique, why := g.TechniqueOf(cpuOnly); technique != trace.Instrumented || g.Single > 0 {
		t.Errorf("technique %s: %s", technique, why)
	}
}

// TestCPUClockOrphans checks a call that began before the trace and ends in it. No sampler writes
// that, and a short trace has no other evidence.
func TestCPUClockOrphans(t *testing.T) {
	var g Groups
	g.WriteEvents([]trace.Event{{CPU: 10, Method: 3, Action: trace.Exit}, {CPU: 10, Method: 1}, {CPU: 10, Method: 1, Action: trace.Exit}})
	if technique, why := g.TechniqueOf(cpuOnly); technique != trace.Instrumented {
		t.Errorf("technique %s: %s", technique, why)
	}
}

// TestCPUClockSampled checks a sampled leaf, called from a shallow loop. Groups have one event and
// are a millisecond of CPU time apart. By the rule for the wall clock, each group would be close to
// the previous one.
func TestCPUClockSampled(t *testing.T) {
	for name, events := range map[string]int{"shallow": 1, "swaps a frame": 2} {
		var g Groups
		for i := range 50 {
			at := time.Duration(i) * time.Millisecond
			p := []trace.Event{{CPU: at, Method: 1, Action: trace.Action(i & 1)}}
			if events == 2 {
				p = []trace.Event{{CPU: at, Method: 1, Action: trace.Exit}, {CPU: at, Method: 1}}[min(1, max(0, 1-i)):]
			}
			g.WriteEvents(p)
		}
		if technique, why := g.TechniqueOf(cpuOnly); technique != trace.Sampled {
			t.Errorf("%s: technique %s: %s", name, technique, why)
		}
	}
}
