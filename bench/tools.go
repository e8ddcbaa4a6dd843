package bench

import (
	"artifice/threadsampler"
	"artifice/tracer"
)

// tools are the ways of tracing that package tracer describes so far that a sweep can
// run them without knowing more: a tracer added there is a mode here.
func tools() (list []Mode) {
	for _, t := range tracer.All() {
		if t.Threads != nil {
			list = append(list, ofThreads(t))
		}
	}
	return list
}

// ofThreads is a tracer that samples threads one by one. The first samples of all
// threads come at the same time of their timers unless the tool makes it random; phases
// are spread evenly over one interval.
func ofThreads(t tracer.Tracer) Mode {
	return Mode{Name: t.Name, Description: t.Description, own: t.Intervals, threads: func(c cellConfig) threadsampler.Config {
		cfg := t.Threads(c.device)
		cfg.Interval, cfg.Phase, cfg.Seed = c.interval, c.phase(c.interval), c.seed
		return cfg
	}}
}
