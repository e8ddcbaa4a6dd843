package bench

import (
	"artifice/diffstack"
	"artifice/sampler"
)

// The same samples as [ARTSampling]'s, read with another rule for the end of
// the calls that a sample does not find any more.
var (
	EndLastSampling   = sliceEnd("end-last", "ART's samples; calls end at the last sample that saw them (btrace 3 on Android)", diffstack.EndLast)
	EndCappedSampling = sliceEnd("end-capped", "ART's samples; calls end 1 ms after the last sample that saw them at most (btrace 3 on iOS)", diffstack.EndCapped)
	EndMidSampling    = sliceEnd("end-mid", "ART's samples; calls end midway between the last sample that saw them and the next", diffstack.EndMid)
)

func sliceEnd(name, description string, end diffstack.SliceEnd) Mode {
	return sampled(name, description, func(cfg *sampler.Config) { cfg.SliceEnd = end })
}
