package stats

import (
	"fmt"

	"artifice/trace"
)

// closeShare is the share of groups close to the one before in their thread
// above which a trace of CPU times alone is instrumented. A thread that is
// sampled while it wakes and waits again has a few microseconds between two
// samples: of built-in apps that ART's samplers would have recorded, 16 % of the
// groups at most are that close (network-client at 1 ms).
const closeShare = 0.2

// techniqueOfCPU is [Groups.Technique] for a trace of CPU times alone. Groups
// say less there: a call that takes less than a microsecond of CPU time shares
// its stamp with the next, so that an instrumented trace has groups of many
// events, and while a thread waits all its samples have one stamp. What tells is
// how close groups are: samples of a running thread are an interval apart.
func (g *Groups) techniqueOfCPU() (trace.Technique, string) {
	never := g.Unwinds + g.Nesting().Orphans + g.Nesting().Mismatches // what no sampler writes
	if g.Total == 0 || g.Total < minGroups && never == 0 {
		return g.Technique()
	}
	single, evidence := g.evidence()
	near := float64(g.close) / float64(g.Total)
	evidence += fmt.Sprintf(", %.1f %% of the groups are less than %s of CPU time behind the last of their thread", 100*near, closeGap)
	switch {
	case near > closeShare, float64(never) >= damage*float64(g.Total) && never > 0:
		return trace.Instrumented, evidence
	case never > 0:
		return trace.UnknownTechnique, evidence
	case single <= 0.5 || near == 0:
		return trace.Sampled, evidence
	case single > 0.9 && near > damage:
		// A sampled trace whose groups have one event is of a shallow app that
		// never waits between two samples, so no group is near.
		return trace.Instrumented, evidence
	}
	return trace.UnknownTechnique, evidence
}
