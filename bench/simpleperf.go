package bench

import (
	"time"

	"artifice/threadsampler"
	"artifice/tracer"
)

// Simpleperf is Android's native profiler at its own frequency, 4000 Hz, and at that
// of Android Studio's callstack sample, 1000 Hz. The first samples of all threads come
// at the same CPU time of each; phases are spread evenly over one interval.
var Simpleperf = Mode{
	Name:        "simpleperf",
	Description: "simpleperf: each thread's stack at intervals of its CPU time, no thread is stopped",
	own:         []time.Duration{time.Second / 4000, time.Second / 1000},
	threads: func(c cellConfig) threadsampler.Config {
		cfg := tracer.SimpleperfConfig(c.device)
		cfg.Interval, cfg.Phase, cfg.Seed = c.interval, c.phase(c.interval), c.seed
		return cfg
	},
}
