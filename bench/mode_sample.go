package bench

import "artifice/sampler"

// ARTSampling is Debug.startMethodTracingSampling: a sleep loop that stops the
// app and compares stacks. Phases are spread evenly over one gap, interval plus
// overshoot.
var ARTSampling = Mode{
	Name:        "sample",
	Description: "ART's sampling: sleep, stop all threads, compare stacks",
	watch:       artConfig,
}

// artConfig is ART's sampler for one cell.
func artConfig(c cellConfig) sampler.Config {
	return sampler.Config{
		Interval: c.interval,
		Phase:    c.phase(c.interval + c.device.Sampling.Overshoot),
		Seed:     c.seed,
		Cost:     c.device.Sampling,
	}
}
