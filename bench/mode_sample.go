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

// sampled is a mode whose samples are ARTSampling's, but for what change does.
func sampled(name, description string, change func(*sampler.Config)) Mode {
	return Mode{Name: name, Description: description, watch: func(c cellConfig) sampler.Config {
		cfg := artConfig(c)
		change(&cfg)
		return cfg
	}}
}
