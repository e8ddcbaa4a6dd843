package bench

import (
	"artifice/diffstack"
	"artifice/sampler"
)

// The same samples as [ARTSampling]'s, read with another rule for which frames of
// two samples are one call.
var (
	// ByLineSampling is BlockCanaryX's rule. Lines are the call sites of a truth
	// ([trace.Event]); a recorded trace has none, and there this mode reports what
	// ARTSampling does.
	ByLineSampling = identity("by-line", "ART's samples; calls from two lines of one caller are told apart, of a workload (BlockCanaryX)", diffstack.BySite)

	// ByCallSampling is read by who never takes two calls for one: the bound of
	// what a better identity of frames can gain.
	ByCallSampling = identity("by-call", "ART's samples; calls are told apart as only the truth can: the bound for by-line", diffstack.ByCall)
)

func identity(name, description string, same diffstack.Identity) Mode {
	return sampled(name, description, func(cfg *sampler.Config) { cfg.Identity = same })
}
