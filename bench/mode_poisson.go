package bench

import "artifice/sampler"

// PoissonSampling is the control: samples at random times that cost nothing, on
// any device. What it gets wrong is the price of having so few samples.
var PoissonSampling = Mode{
	Name:        "poisson",
	Description: "ideal random sampling without cost, the control",
	watch: func(c cellConfig) sampler.Config {
		return sampler.Config{Interval: c.interval, Seed: c.seed, Schedule: sampler.Poisson}
	},
}
