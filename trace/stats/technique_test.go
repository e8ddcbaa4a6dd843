package stats

import (
	"strings"
	"testing"

	"artifice/trace"
)

// TestTechniqueOfGroups: 20 groups are needed for a judgement, or 4 of which at most half have a single
// event and none is close to another; a single event that no sampler writes is enough evidence against
// sampling. Of wall times, most groups of a sampled trace have several events.
func TestTechniqueOfGroups(t *testing.T) {
	const unknown, sampled, traced = trace.UnknownTechnique, trace.Sampled, trace.Instrumented
	orphan := trace.Nesting{Orphans: 1}
	for _, c := range []struct {
		g    Groups
		want trace.Technique
	}{
		{Groups{}, unknown},
		{Groups{Unwinds: 1}, unknown},
		{Groups{Total: 3}, unknown}, {Groups{Total: 4}, sampled}, {Groups{Total: 4, Single: 2}, sampled}, {Groups{Total: 4, Single: 3}, unknown}, {Groups{Total: 4, close: 1}, unknown},
		{Groups{Total: 19, Single: 10}, unknown}, {Groups{Total: 19, Single: 9}, sampled}, {Groups{Total: 19, Single: 19, close: 1}, unknown},
		{Groups{Total: 20, Single: 20}, sampled}, {Groups{Total: 20, Single: 20, close: 1}, traced}, {Groups{Total: 20, Single: 11, close: 1}, traced},
		{Groups{Total: 20, Single: 10, close: 1}, sampled},
		{Groups{Total: 1, Single: 1, Unwinds: 1}, traced}, {Groups{Total: 1, Single: 1, ExitAfterEnter: 1}, traced}, {Groups{Total: 1, Single: 1, own: orphan}, traced},
		{Groups{Total: 1, Single: 1, own: trace.Nesting{Mismatches: 1}}, traced},
		{Groups{Total: 100, Unwinds: 1}, traced}, {Groups{Total: 101, Unwinds: 1}, unknown}, {Groups{Total: 200, Unwinds: 1, ExitAfterEnter: 1}, traced},
		{Groups{Total: 100, own: orphan}, unknown},
	} {
		if got, why := c.g.Technique(); got != c.want {
			t.Errorf("%+v: %s, want %s: %s", c.g, got, c.want, why)
		}
	}
}

// TestTechniqueOfCPUGroups: of CPU times, the distance of groups decides, as a call shorter than the
// resolution has one timestamp with the next.
func TestTechniqueOfCPUGroups(t *testing.T) {
	const unknown, sampled, traced = trace.UnknownTechnique, trace.Sampled, trace.Instrumented
	info := &trace.Info{Clock: trace.ThreadCPU}
	for _, c := range []struct {
		g    Groups
		want trace.Technique
	}{
		{Groups{}, unknown}, {Groups{Total: 3}, unknown}, {Groups{Total: 19, close: 19, Single: 19}, unknown},
		{Groups{Total: 20, close: 4}, sampled}, {Groups{Total: 20, close: 5}, traced},
		{Groups{Total: 20, close: 4, Single: 10}, sampled}, {Groups{Total: 20, close: 4, Single: 11}, unknown}, {Groups{Total: 20, Single: 20}, sampled},
		{Groups{Total: 20, close: 4, Single: 18}, unknown}, {Groups{Total: 20, close: 4, Single: 19}, traced},
		{Groups{Total: 200, close: 2, Single: 190}, unknown}, {Groups{Total: 200, close: 3, Single: 190}, traced},
		{Groups{Total: 100, Unwinds: 1}, traced}, {Groups{Total: 101, Unwinds: 1}, unknown}, {Groups{Total: 19, Unwinds: 1}, traced},
		{Groups{Total: 200, own: trace.Nesting{Orphans: 1, Mismatches: 1}}, traced}, {Groups{Total: 200, own: trace.Nesting{Orphans: 1}}, unknown},
	} {
		if got, why := c.g.TechniqueOf(info); got != c.want {
			t.Errorf("%+v: %s, want %s: %s", c.g, got, c.want, why)
		}
	}
}

// TestStatedTechnique: a statement of the source counts more than timestamps; a profile of a quantity
// has no technique, and sections that an app marks are instrumented.
func TestStatedTechnique(t *testing.T) {
	many := Groups{Total: 100, Single: 20}
	for _, c := range []struct {
		info trace.Info
		g    Groups
		want trace.Technique
		why  string
	}{
		{trace.Info{Technique: trace.Truth}, many, trace.Truth, "stated in the source"},
		{trace.Info{Quantity: trace.Quantity{Name: "space", Unit: "bytes"}}, many, trace.UnknownTechnique, "a profile of "},
		{trace.Info{Marked: true}, Groups{Total: 100, Single: 51}, trace.Instrumented, "sections of code"},
		{trace.Info{Marked: true}, Groups{Total: 100, Single: 50}, trace.Sampled, "50.0 % of 100 timestamps have a single event"},
		{trace.Info{Clock: trace.Dual}, many, trace.Sampled, "20.0 % of 100 timestamps"}, {trace.Info{Clock: trace.Wall}, many, trace.Sampled, "20.0 % of 100 timestamps"},
		{trace.Info{Clock: trace.ThreadCPU}, many, trace.Sampled, "20.0 % of 100 timestamps"},
	} {
		if got, why := c.g.TechniqueOf(&c.info); got != c.want || !strings.HasPrefix(why, c.why) {
			t.Errorf("%+v: %s, %s; want %s, %s", c.info, got, why, c.want, c.why)
		}
	}
}
