package tracer

import (
	"slices"

	"artifice/threadsampler"
	"artifice/trace"
)

// threads makes a tracer that samples threads one by one complete: how it records, and
// the options that all of these use beside its own.
func threads(t Tracer) Tracer {
	t.Uses = slices.Concat([]string{"seed", "device", "interval", "phase"}, t.Uses)
	t.Record = func(truth *trace.Recording, o *Options) (*trace.Recording, error) {
		cfg := t.Threads(o.Device)
		cfg.Phase, cfg.Seed, cfg.TempDir = o.Phase, o.Seed, o.TempDir
		if o.Interval > 0 {
			cfg.Interval = o.Interval
		}
		if o.UnwindAtOnce {
			cfg.Buffer.Drain = o.Device.Tools.PerfUnwind
		}
		return threadsampler.Record(truth, cfg)
	}
	return t
}
