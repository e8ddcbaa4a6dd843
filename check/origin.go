package check

import (
	"artifice/trace"
	"artifice/trace/stats"
)

// Origin is how a trace was recorded, judged by its events alone.
type Origin struct {
	Technique trace.Technique
	Sure      Confidence
	Evidence  string       // in a sentence
	Period    stats.Period // of a sampled trace; zero when it cannot be told
}

// Confidence is how sure a judgement is.
type Confidence string

// The degrees of confidence.
const (
	Certain Confidence = "certain" // the other technique cannot have written it
	Likely  Confidence = "likely"  // there are 20 groups of equal stamps and 19 in 20 say so
	Unclear Confidence = "unclear" // too few events, or the evidence disagrees
)

// origin judges by the groups of equal stamps. Nothing that a sampler writes is
// beyond an instrumented trace with a coarse enough clock, so only
// "instrumented" can be certain.
func origin(g *stats.Groups) Origin {
	o := Origin{Sure: Unclear}
	o.Technique, o.Evidence = g.Technique()
	single := 0.0
	if g.Total > 0 {
		single = float64(g.Single) / float64(g.Total)
	}
	notSampled := g.Unwinds+g.ExitAfterEnter > 0
	switch {
	case g.Total == 0:
	case notSampled:
		o.Technique, o.Sure = trace.Instrumented, Certain
	case g.Total < 20:
	case o.Technique == trace.Instrumented && single >= 0.95, o.Technique == trace.Sampled && single <= 0.05:
		o.Sure = Likely
	}
	if p, ok := g.Period(); ok && o.Technique == trace.Sampled {
		o.Period = p
	}
	return o
}
