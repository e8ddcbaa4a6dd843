package bench

import (
	"artifice/bench/score"
	"artifice/device"
	"artifice/instrument"
	"artifice/threadsampler"
	"artifice/trace"
	"artifice/tracer"
)

// tools are the ways of tracing that package tracer describes so far that a sweep can
// run them without knowing more: a tracer added there is a mode here.
func tools() (list []Mode) {
	for _, t := range tracer.All() {
		switch {
		case t.Threads != nil:
			list = append(list, ofThreads(t))
		case t.Calls != nil:
			list = append(list, ofCalls(t))
		}
	}
	return list
}

// ofThreads is a tracer that samples threads one by one. The first samples of all
// threads come at the same time of their timers unless the tool makes it random; phases
// are spread evenly over one interval.
func ofThreads(t tracer.Tracer) Mode {
	return Mode{Name: t.Name, Description: t.Description, Costs: t.Costs, How: t.How, Gone: t.Gone, own: t.Intervals, threads: func(c cellConfig) threadsampler.Config {
		cfg := t.Threads(c.device)
		cfg.Interval, cfg.Phase, cfg.Seed = c.interval, c.phase(c.interval), c.seed
		return cfg
	}}
}

// onlyRunning reports whether all samples of a cell find threads that run.
func (c *cell) onlyRunning() bool {
	if c.mode.threads == nil {
		return false
	}
	cfg := c.mode.threads(c.config)
	return cfg.OnlyRunning()
}

// ofCalls is a tracer that is told of calls by code in the app.
func ofCalls(t tracer.Tracer) Mode {
	return Mode{Name: t.Name, Description: t.Description, Costs: t.Costs, How: t.How, Gone: t.Gone, record: func(truth *trace.Recording, state *score.TrueState, d device.Device) (recorded, error) {
		line := score.NewToldTimeline(state)
		truth.Events = line
		cfg := t.Calls(d)
		cfg.Observer = line
		rec, err := instrument.RecordCalls(truth, cfg)
		if err != nil {
			return recorded{}, err
		}
		return recorded{rec: rec, line: line, calls: rec.Events.(*instrument.CallsReader)}, nil
	}}
}
